// The one file under test/storm that instantiates Beast.
#include "test/storm/server/http_parser.hpp"

#include <boost/beast/http/basic_parser.hpp>

#include <cctype>
#include <optional>

namespace sliceferry::storm {
namespace {

namespace http = boost::beast::http;
using boost::beast::string_view;
using boost::system::error_code;

constexpr std::uint32_t header_bytes_max = 16 << 10;
constexpr std::uint64_t body_bytes_max = 8 << 20;

std::string_view standard(string_view text) {
  return {text.data(), text.size()};
}

std::string_view token_of(std::string_view authorization) {
  constexpr std::string_view scheme = "bearer ";
  for (std::size_t i = 0; i < scheme.size(); ++i)
    if (i >= authorization.size() || std::tolower(static_cast<unsigned char>(authorization[i])) != scheme[i])
      return {};
  return authorization.substr(scheme.size());
}

/// Beast's parser without its containers: it writes into strings that keep their memory.
class one_request : public http::basic_parser<true> {
public:
  explicit one_request(http_request& out) : out_{out} {
    eager(true);
    header_limit(header_bytes_max);
    body_limit(body_bytes_max);
  }

private:
  void on_request_impl(http::verb, string_view method, string_view target, int, error_code& ec) override {
    ec = {};
    out_.method = standard(method);
    out_.target = standard(target);
  }

  void on_response_impl(int, string_view, int, error_code&) override {}

  void on_field_impl(http::field name, string_view, string_view value, error_code& ec) override {
    ec = {};
    if (is_header_done())
      return; // a trailer
    if (name == http::field::content_type)
      out_.content_type = standard(value);
    else if (name == http::field::authorization)
      out_.token = token_of(standard(value));
  }

  void on_header_impl(error_code& ec) override {
    ec = {};
    out_.keep_alive = keep_alive();
  }

  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code& ec) override { ec = {}; }

  std::size_t on_body_impl(string_view part, error_code& ec) override {
    ec = {};
    out_.body.append(part.data(), part.size());
    return part.size();
  }

  void on_chunk_header_impl(std::uint64_t, string_view, error_code& ec) override { ec = {}; }

  std::size_t on_chunk_body_impl(std::uint64_t, string_view part, error_code& ec) override {
    return on_body_impl(part, ec);
  }

  void on_finish_impl(error_code& ec) override { ec = {}; }

  http_request& out_;
};

unsigned refusal_of(error_code failed) {
  if (failed == http::error::header_limit || failed == http::error::buffer_overflow)
    return 431;
  return failed == http::error::body_limit ? 413 : 400;
}

} // namespace

struct http_parser::beast {
  std::optional<one_request> parser;
};

http_parser::http_parser() : beast_{std::make_unique<beast>()} {
  next();
}

http_parser::~http_parser() = default;

std::size_t http_parser::feed(std::string_view bytes) {
  std::size_t used = 0;
  while (state_ == state::needs_more && used < bytes.size()) {
    error_code failed;
    const std::size_t step =
      beast_->parser->put(boost::asio::const_buffer{bytes.data() + used, bytes.size() - used}, failed);
    used += step;
    if (failed == http::error::need_more)
      break;
    if (failed) {
      state_ = state::broken;
      refusal_ = refusal_of(failed);
    } else if (beast_->parser->is_done()) {
      state_ = state::complete;
    } else if (step == 0) {
      break;
    }
  }
  return used;
}

void http_parser::next() {
  for (auto* text : {&request_.method, &request_.target, &request_.content_type, &request_.token, &request_.body})
    text->clear();
  state_ = state::needs_more;
  beast_->parser.emplace(request_);
}

} // namespace sliceferry::storm
