#include "k8s/server_url.hpp"

#include <algorithm>
#include <charconv>

#include <arpa/inet.h>

namespace sliceferry::k8s {

namespace {

failure bad(std::string_view url, std::string_view why) {
  return {errc::invalid, "server \"" + std::string{url} + "\" " + std::string{why}, {}, 0};
}

/// Splits off the scheme; a missing one means HTTPS.
bool take_scheme(std::string_view& rest, server_url& out) {
  const auto at = rest.find("://");
  if (at == std::string_view::npos)
    return true;
  const auto scheme = rest.substr(0, at);
  rest.remove_prefix(at + 3);
  out.tls = scheme == "https";
  return out.tls || scheme == "http";
}

/// Splits `host:port` or `[v6]:port`; false if there is no host or the brackets are odd.
bool split_authority(std::string_view authority, std::string& host, std::string_view& port) {
  if (authority.starts_with('[')) {
    const auto close = authority.find(']');
    if (close == std::string_view::npos)
      return false;
    host = authority.substr(1, close - 1);
    port = authority.substr(close + 1);
    return is_ip_literal(host) && (port.empty() || port.starts_with(':'));
  }
  const auto colon = authority.find(':');
  host = authority.substr(0, colon);
  port = colon == std::string_view::npos ? std::string_view{} : authority.substr(colon);
  return !host.empty() && port.rfind(':') == (port.empty() ? std::string_view::npos : 0);
}

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == ':';
}

bool is_path_character(char c) {
  return c > ' ' && c < 0x7f;
}

} // namespace

result<server_url> read_server_url(std::string_view text) {
  server_url out;
  auto rest = text;
  if (rest.empty())
    return failure{errc::invalid, "no server is named", {}, 0};
  if (!take_scheme(rest, out))
    return bad(text, "must begin with https:// (or http:// on this machine)");
  const auto slash = rest.find('/');
  out.authority = rest.substr(0, slash);
  if (slash != std::string_view::npos)
    out.prefix = rest.substr(slash);
  while (out.prefix.ends_with('/'))
    out.prefix.pop_back();
  if (out.authority.find('@') != std::string::npos)
    return bad("…", "must not hold a user or password; name a token or a client certificate instead");
  if (out.prefix.find_first_of("?#") != std::string::npos || !std::ranges::all_of(out.prefix, is_path_character))
    return bad(text, "must not hold a query, a fragment or spaces");
  std::string_view port;
  if (!split_authority(out.authority, out.host, port) || !std::ranges::all_of(out.host, is_host_character))
    return bad(text, "has no valid host; write host:port, an IPv6 address in brackets");
  out.port = out.tls ? 443 : 80;
  if (!port.empty()) {
    port.remove_prefix(1);
    const auto [end, failed] = std::from_chars(port.data(), port.data() + port.size(), out.port);
    if (failed != std::errc{} || end != port.data() + port.size() || out.port == 0)
      return bad(text, "has no valid port; write a number from 1 to 65535");
  }
  return out;
}

bool is_ip_literal(const std::string& host) {
  in6_addr scratch{};
  return inet_pton(AF_INET, host.c_str(), &scratch) == 1 || inet_pton(AF_INET6, host.c_str(), &scratch) == 1;
}

bool is_loopback(const std::string& host) {
  in_addr v4{};
  if (inet_pton(AF_INET, host.c_str(), &v4) == 1)
    return (ntohl(v4.s_addr) >> 24) == 127;
  in6_addr v6{};
  if (inet_pton(AF_INET6, host.c_str(), &v6) == 1)
    return IN6_IS_ADDR_LOOPBACK(&v6);
  return host == "localhost";
}

} // namespace sliceferry::k8s
