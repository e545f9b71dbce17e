// The one file of this folder that instantiates Beast.
#include "k8s/response_reader.hpp"

#include <boost/beast/http/basic_parser.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace sliceferry::k8s {

namespace {

namespace http = boost::beast::http;
using boost::beast::string_view;
using boost::system::error_code;

constexpr std::uint32_t header_bytes_max = 32 << 10;

bool same_text(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return lower(x) == lower(y);
  });
}

/// A date, a fraction or a negative number means nothing to us (client-go's rest/with_retry.go).
std::optional<std::chrono::seconds> read_retry_after(std::string_view text) {
  unsigned long seconds = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (end != text.data() + text.size() || text.empty())
    return std::nullopt;
  if (failed == std::errc::result_out_of_range)
    seconds = 60;
  return std::chrono::seconds{std::min(seconds, 60UL)};
}

/// Beast's parser without its containers: it keeps the four fields that matter and gathers the body in place.
class one_answer : public http::basic_parser<false> {
public:
  unsigned status_code = 0;
  bool finished = false;
  bool encoded = false;
  std::optional<std::chrono::seconds> retry_after;
  char* body = nullptr; ///< where the body of this feed begins
  std::size_t body_size = 0;

private:
  void on_request_impl(http::verb, string_view, string_view, int, error_code&) override {}

  void on_response_impl(int code, string_view, int, error_code& ec) override {
    ec = {};
    status_code = static_cast<unsigned>(code);
  }

  void on_field_impl(http::field name, string_view, string_view text, error_code& ec) override {
    ec = {};
    if (is_header_done())
      return; // a trailer
    const std::string_view value{text.data(), text.size()};
    if (name == http::field::content_encoding)
      encoded = !value.empty() && !same_text(value, "identity");
    else if (name == http::field::retry_after)
      retry_after = read_retry_after(value);
  }

  void on_header_impl(error_code& ec) override { ec = {}; }

  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code& ec) override { ec = {}; }

  std::size_t on_body_impl(string_view part, error_code& ec) override {
    ec = {};
    gather(part);
    return part.size();
  }

  void on_chunk_header_impl(std::uint64_t, string_view, error_code& ec) override { ec = {}; }

  std::size_t on_chunk_body_impl(std::uint64_t, string_view part, error_code& ec) override {
    ec = {};
    gather(part);
    return part.size();
  }

  void on_finish_impl(error_code& ec) override {
    ec = {};
    finished = true;
  }

  /// Beast hands out pieces of the very buffer that it was given, which is ours to write to.
  void gather(string_view part) {
    auto* from = const_cast<char*>(part.data()); // NOLINT: see above
    if (body == nullptr)
      body = from;
    else if (body + body_size != from)
      std::memmove(body + body_size, from, part.size());
    body_size += part.size();
  }
};

} // namespace

struct response_reader::parser {
  std::optional<one_answer> answer;
  boost::optional<std::uint64_t> limit;
  std::string fault;
  bool between_chunks = false; ///< the last bytes given were too few to go on

  void begin() {
    between_chunks = false;
    answer.emplace();
    answer->eager(true);
    answer->header_limit(header_bytes_max);
    answer->body_limit(limit);
  }

  bool interim() const { return answer->finished && answer->status_code / 100 == 1 && answer->status_code != 101; }
};

response_reader::response_reader() : parser_{std::make_unique<parser>()} {}

response_reader::~response_reader() = default;

void response_reader::begin(std::optional<std::uint64_t> body_bytes_max) {
  parser_->limit = body_bytes_max ? boost::optional<std::uint64_t>{*body_bytes_max} : boost::none;
  parser_->fault.clear();
  parser_->begin();
}

response_reader::progress response_reader::feed(char* bytes, std::size_t size) {
  progress out;
  auto& at = *parser_;
  at.answer->body = nullptr;
  at.answer->body_size = 0;
  // Beast 1.81 asserts five bytes when it goes on with a last chunk, and aborts on the four of an
  // empty body that comes byte by byte. No chunk is shorter, so waiting for the fifth loses nothing.
  if (at.between_chunks && size < 5)
    return out;
  at.between_chunks = false;
  while (out.used < size && !at.answer->finished) {
    error_code ec;
    out.used += at.answer->put(boost::asio::const_buffer{bytes + out.used, size - out.used}, ec);
    if (ec == http::error::need_more) {
      at.between_chunks = at.answer->is_header_done();
      break;
    }
    if (ec) {
      at.fault = ec.message();
      out.broken = true;
      return out;
    }
    if (at.interim())
      at.begin();
  }
  out.body = {at.answer->body, at.answer->body_size};
  return out;
}

bool response_reader::end_of_input() {
  auto& answer = *parser_->answer;
  if (answer.finished || !answer.is_header_done() || !answer.need_eof())
    return false;
  error_code ec;
  answer.put_eof(ec);
  return !ec && answer.finished;
}

bool response_reader::has_head() const {
  return parser_->answer->is_header_done();
}

bool response_reader::complete() const {
  return parser_->answer->finished;
}

unsigned response_reader::status() const {
  return parser_->answer->status_code;
}

bool response_reader::keep_alive() const {
  return parser_->answer->keep_alive();
}

std::optional<std::uint64_t> response_reader::content_length() const {
  const auto length = parser_->answer->content_length();
  return length ? std::optional<std::uint64_t>{*length} : std::nullopt;
}

std::optional<std::chrono::seconds> response_reader::retry_after() const {
  return parser_->answer->retry_after;
}

bool response_reader::encoded() const {
  return parser_->answer->encoded;
}

const std::string& response_reader::fault() const {
  return parser_->fault;
}

} // namespace sliceferry::k8s
