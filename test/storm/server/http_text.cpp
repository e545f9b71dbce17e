#include "test/storm/server/http_text.hpp"

#include <zlib.h>

#include <array>
#include <charconv>
#include <stdexcept>

namespace sliceferry::storm {
namespace {

std::string_view phrase_of(unsigned status) {
  struct row {
    unsigned status;
    std::string_view phrase;
  };
  static constexpr row table[] = {
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {409, "Conflict"},
    {410, "Gone"},
    {413, "Request Entity Too Large"},
    {415, "Unsupported Media Type"},
    {422, "Unprocessable Entity"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
  };
  for (const auto& [code, phrase] : table)
    if (code == status)
      return phrase;
  return "Unknown";
}

std::string_view reason_of(unsigned status) {
  switch (status) {
    case 400:
      return "BadRequest";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "NotFound";
    case 405:
      return "MethodNotAllowed";
    case 409:
      return "Conflict";
    case 410:
      return "Expired";
    case 413:
      return "RequestEntityTooLarge";
    case 429:
      return "TooManyRequests";
    case 503:
      return "ServiceUnavailable";
    case 504:
      return "Timeout";
    default:
      return "InternalError";
  }
}

void append_number(std::string& out, std::size_t number, int base = 10) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, base).ptr;
  out.append(digits.data(), end);
}

void append_status_line(std::string& out, unsigned status, std::string_view content_type) {
  if (status == 200) {
    out += "HTTP/1.1 200 OK\r\nContent-Type: ";
  } else {
    out += "HTTP/1.1 ";
    append_number(out, status);
    ((out += ' ') += phrase_of(status)) += "\r\nContent-Type: ";
  }
  (out += content_type) += "\r\n";
}

} // namespace

void append_answer(std::string& out, const api_answer& answer, bool keep_alive, bool zipped) {
  const std::string_view plain = answer.body ? std::string_view{*answer.body} : std::string_view{};
  const std::string packed = zipped ? gzipped(plain) : std::string{};
  const std::string_view body = zipped ? std::string_view{packed} : plain;
  append_status_line(out, answer.status, answer.content_type);
  if (zipped)
    out += "Content-Encoding: gzip\r\n";
  if (answer.retry_after_s) {
    out += "Retry-After: ";
    append_number(out, *answer.retry_after_s);
    out += "\r\n";
  }
  if (!keep_alive)
    out += "Connection: close\r\n";
  out += "Content-Length: ";
  append_number(out, body.size());
  (out += "\r\n\r\n") += body;
}

void append_stream_head(std::string& out, std::string_view content_type) {
  append_status_line(out, 200, content_type);
  out += "Transfer-Encoding: chunked\r\n\r\n";
}

void append_chunk(std::string& out, std::string_view data) {
  append_number(out, data.size(), 16);
  ((out += "\r\n") += data) += "\r\n";
}

void append_last_chunk(std::string& out) {
  out += "0\r\n\r\n";
}

api_answer refusal_status(unsigned code, std::string_view message) {
  std::string body = R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":")";
  ((body += message) += R"(","reason":")") += reason_of(code);
  if (code == 429)
    body += R"(","details":{"retryAfterSeconds":1},"code":429})";
  else
    ((body += R"(","code":)") += std::to_string(code)) += "}";
  api_answer out;
  out.status = code;
  out.body = std::make_shared<const std::string>(body += '\n');
  if (code == 429)
    out.retry_after_s = 1;
  return out;
}

api_answer balancer_page(unsigned status) {
  const std::string title = std::to_string(status).append(" ").append(phrase_of(status));
  api_answer out;
  out.status = status;
  out.content_type = "text/html";
  out.body = std::make_shared<const std::string>("<html>\r\n<head><title>" + title + "</title></head>\r\n<body>\r\n" +
                                                 "<center><h1>" + title + "</h1></center>\r\n</body>\r\n</html>\r\n");
  return out;
}

std::string gzipped(std::string_view text) {
  constexpr int gzip_format = 15 + 16;
  z_stream stream{};
  if (deflateInit2(&stream, 1, Z_DEFLATED, gzip_format, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error{"zlib doesn't start"};
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); // zlib only reads it
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int ended = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (ended != Z_STREAM_END)
    throw std::runtime_error{"zlib didn't finish"};
  return out;
}

} // namespace sliceferry::storm
