#include "config/server_url.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace sliceferry {

namespace {

/// `host:port`, without scheme and path.
std::string_view authority(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos)
    return {};
  url.remove_prefix(scheme + 3);
  return url.substr(0, url.find('/'));
}

std::string_view host(std::string_view url) {
  const std::string_view where = authority(url);
  if (where.starts_with('['))
    return where.substr(0, where.find(']') + 1);
  return where.substr(0, where.find(':'));
}

bool is_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc{} && end == text.data() + text.size() && port != 0;
}

} // namespace

std::string server_url_problem(std::string_view url) {
  if (!url.starts_with("https://") && !url.starts_with("http://"))
    return "it begins with neither https:// nor http://";
  if (std::any_of(url.begin(), url.end(), [](unsigned char c) { return c <= ' ' || c == 0x7f; }))
    return "it holds a blank";
  if (url.find_first_of("?#") != std::string_view::npos)
    return "it holds a query or a fragment";
  if (authority(url).find('@') != std::string_view::npos)
    return "it holds a user or a password";
  const std::string_view name = host(url);
  if (name.empty() || name == "[]" || (name.starts_with('[') && !name.ends_with(']')))
    return "it names no host";
  const std::string_view rest = authority(url).substr(name.size());
  if (!rest.empty() && (rest[0] != ':' || !is_port(rest.substr(1))))
    return "its port is not a number from 1 to 65535";
  return {};
}

bool is_loopback_url(std::string_view url) {
  const std::string_view name = host(url);
  return name == "localhost" || name == "[::1]" || name.starts_with("127.");
}

} // namespace sliceferry
