#pragma once
#include <map>
#include <string>

namespace sliceferry::k8s {

/// How to reach one API server and who we are there; immutable, one per cluster, no globals.
/// Certificates are PEM text; where only a file is named it is read when a connection is made, so
/// that a rotated file takes effect. Inline data wins over a file (as in client-go).
struct cluster_access {
  std::string server;          ///< https://host:port, http:// for loopback tests; path prefix allowed
  std::string tls_server_name; ///< for SNI and verification instead of the host
  bool insecure_skip_verify = false;
  std::string ca_data;
  std::string ca_file;    ///< without any CA the system's store is used
  std::string token;      ///< beside a token file: serves until that can be read
  std::string token_file; ///< read again at least every minute and after a 401; whitespace trimmed
  std::string client_certificate_data;
  std::string client_certificate_file;
  std::string client_key_data;
  std::string client_key_file;
  std::map<std::string, std::string> headers; ///< sent with each request
};

} // namespace sliceferry::k8s
