#include "config/request_header.hpp"

#include <algorithm>
#include <cctype>

namespace sliceferry {

std::string folded_header_name(std::string_view name) {
  std::string out(name);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string request_header_problem(std::string_view name, std::string_view value) {
  constexpr std::string_view token_marks = "!#$%&'*+-.^_`|~";
  if (name.empty() || !std::all_of(name.begin(), name.end(), [&](unsigned char c) {
        return c < 0x80 && (std::isalnum(c) || token_marks.find(static_cast<char>(c)) != std::string_view::npos);
      }))
    return "that is not a header's name";
  constexpr std::string_view ours[] = {
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "host",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
  };
  if (std::find(std::begin(ours), std::end(ours), folded_header_name(name)) != std::end(ours))
    return "requests carry that header already";
  if (std::any_of(value.begin(), value.end(), [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; }))
    return "its value holds a control character";
  return {};
}

} // namespace sliceferry
