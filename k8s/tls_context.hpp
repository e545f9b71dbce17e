#pragma once
#include "k8s/credentials.hpp"
#include "k8s/result.hpp"

#include <memory>
#include <string>

struct ssl_ctx_st;
struct ssl_st;
struct ssl_session_st;

namespace sliceferry::k8s {

/// The PEM texts that TLS with one server is made from.
struct tls_material {
  std::string ca;          ///< empty: none is named, so the system's store
  std::string certificate; ///< empty: none
  std::string key;

  bool operator==(const tls_material&) const = default;
};

/// Inline data, else the files as they are now. Fails with the path of what can't be read or is empty.
result<tls_material> read_tls_material(const cluster_access& access);

/// TLS with one server under one identity, from TLS 1.2 on; remembers the last session for a
/// quicker next handshake.
class tls_context {
public:
  /// Verifies against `material.ca` for `name` (host or IP literal), unless `insecure`.
  /// A CA that is no root is trusted too, as in Go. Fails as `invalid` when the certificate and key
  /// are broken or don't belong together, as happens when files are read in mid-rotation.
  static result<std::shared_ptr<tls_context>> make(const tls_material& material, std::string name, bool insecure);

  ~tls_context();
  tls_context(const tls_context&) = delete;
  tls_context& operator=(const tls_context&) = delete;

  /// A client's TLS state for one connection, with SNI and verification set; nothing on failure.
  ssl_st* new_connection();

  /// Why a handshake failed, for people; `otherwise` if it wasn't the server's certificate.
  std::string explain(const ssl_st* connection, const std::string& otherwise) const;

private:
  tls_context(std::string name, bool insecure);
  static int keep_session(ssl_st* connection, ssl_session_st* session);

  ssl_ctx_st* context_;
  ssl_session_st* session_ = nullptr;
  std::string name_;
  bool insecure_;
};

/// The TLS context as the files are now.
class tls_source {
public:
  /// `host` is verified where the access has no `tls_server_name`.
  tls_source(cluster_access access, std::string host);

  /// Reads the files again; true if they changed and a new context took an old one's place.
  /// What is broken or mid-rotation keeps the old one (client-go's transport/cert_rotation.go).
  bool renew();

  /// A failure only while there never was a usable one.
  const result<std::shared_ptr<tls_context>>& current() const { return context_; }

private:
  cluster_access access_;
  std::string name_;
  tls_material material_;
  result<std::shared_ptr<tls_context>> context_;
};

} // namespace sliceferry::k8s
