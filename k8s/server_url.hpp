#pragma once
#include "k8s/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace sliceferry::k8s {

/// Where an API server is, taken apart from `cluster_access::server`.
struct server_url {
  bool tls = true;
  std::string host; ///< without brackets
  std::uint16_t port = 443;
  std::string authority; ///< for `Host`: as in the URL, brackets and port included
  std::string prefix;    ///< path before every target; never ends with `/`

  /// For people: scheme and authority, nothing secret.
  std::string text() const { return (tls ? "https://" : "http://") + authority; }
};

/// Reads `https://host[:port][/prefix]`, also with `http`. Like client-go, a bare `host:port` means HTTPS.
/// Fails as `invalid` with what is wrong; user info, query and fragment are refused.
result<server_url> read_server_url(std::string_view text);

/// Whether `host` is an IPv4 or IPv6 literal (those get no SNI and are verified as IP-SANs).
bool is_ip_literal(const std::string& host);

/// Whether `host` can only be this machine: `localhost`, 127.0.0.0/8, `::1`.
bool is_loopback(const std::string& host);

} // namespace sliceferry::k8s
