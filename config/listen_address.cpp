#include "config/listen_address.hpp"

#include <algorithm>
#include <charconv>

namespace sliceferry {

namespace {

template <class Number>
bool whole_number(std::string_view text, Number& out, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  return error == std::errc{} && end == text.data() + text.size();
}

bool is_ipv4(std::string_view text) {
  for (int part = 0; part < 4; ++part) {
    const std::size_t dot = text.find('.');
    std::uint8_t byte = 0;
    if ((part < 3) == (dot == std::string_view::npos) || !whole_number(text.substr(0, dot), byte))
      return false;
    text.remove_prefix(part < 3 ? dot + 1 : text.size());
  }
  return true;
}

/// Groups of hex digits, how many or -1.
int ipv6_groups(std::string_view text) {
  if (text.empty())
    return 0;
  int groups = 1;
  while (true) {
    const std::size_t colon = text.find(':');
    std::uint16_t group = 0;
    if (!whole_number(text.substr(0, colon), group, 16))
      return -1;
    if (colon == std::string_view::npos)
      return groups;
    text.remove_prefix(colon + 1);
    ++groups;
  }
}

bool is_ipv6(std::string_view text) {
  const std::size_t gap = text.find("::");
  if (gap == std::string_view::npos)
    return ipv6_groups(text) == 8;
  const int left = ipv6_groups(text.substr(0, gap));
  const int right = ipv6_groups(text.substr(gap + 2));
  return left >= 0 && right >= 0 && left + right < 8;
}

} // namespace

std::optional<listen_address> parse_listen_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  listen_address address;
  if (colon == std::string_view::npos || !whole_number(text.substr(colon + 1), address.port))
    return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (bracketed)
    host = host.substr(1, host.size() - 2);
  if (bracketed ? !is_ipv6(host) : !is_ipv4(host))
    return std::nullopt;
  address.host = std::string(host);
  return address;
}

} // namespace sliceferry
