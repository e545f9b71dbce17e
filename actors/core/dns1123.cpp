#include "actors/core/dns1123.hpp"

namespace sliceferry::core {
namespace {

constexpr bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

} // namespace

bool is_dns1123_subdomain(std::string_view text) {
  if (text.empty() || text.size() > 253 || !is_alphanumeric(text.back()))
    return false;
  char before = '.';
  for (const char c : text) {
    const bool inner = c == '-' || c == '.';
    if (!is_alphanumeric(c) && (!inner || before == '.' || (c == '.' && before == '-')))
      return false;
    before = c;
  }
  return true;
}

} // namespace sliceferry::core
