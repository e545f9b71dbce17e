#include "k8s/tls_context.hpp"

#include "k8s/pem.hpp"
#include "k8s/server_url.hpp"
#include "k8s/text_file.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <utility>

namespace sliceferry::k8s {

namespace {

int owner_index() {
  static const int index = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

failure invalid(std::string text) {
  return {errc::invalid, std::move(text), {}, 0};
}

std::string use_ca(SSL_CTX* context, const std::string& pem) {
  if (pem.empty())
    return SSL_CTX_set_default_verify_paths(context) == 1 ? "" : "no CA is named and the system's store is unusable";
  const auto trusted = read_certificates(pem);
  if (!trusted)
    return "the CA " + trusted.error().text;
  X509_STORE* store = SSL_CTX_get_cert_store(context);
  for (const auto& one : *trusted)
    X509_STORE_add_cert(store, one.get());
  X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST);
  ERR_clear_error();
  return "";
}

std::string use_certificate(SSL_CTX* context, const tls_material& material) {
  const auto chain = read_certificates(material.certificate);
  if (!chain)
    return "the client certificate " + chain.error().text;
  const auto key = read_private_key(material.key);
  if (!key)
    return "the client key " + key.error().text;
  if (!belong_together(chain->front(), *key))
    return "the client certificate and key don't belong together";
  if (SSL_CTX_use_certificate(context, chain->front().get()) != 1 || SSL_CTX_use_PrivateKey(context, key->get()) != 1)
    return "the client certificate can't be used (" + take_openssl_error() + ")";
  for (std::size_t i = 1; i < chain->size(); ++i)
    SSL_CTX_add1_chain_cert(context, (*chain)[i].get());
  return "";
}

/// Empty only where neither is named: a file that someone rewrites in place is empty for a moment, and must
/// not pass for a CA or a certificate that nobody wants.
result<std::string> data_or_file(const std::string& data, const std::string& file) {
  if (!data.empty() || file.empty())
    return data;
  auto text = read_text_file(file);
  if (text && text->find_first_not_of(" \t\r\n") == std::string::npos)
    return failure{errc::unavailable, file + " is empty", {}, 0};
  return text;
}

} // namespace

result<tls_material> read_tls_material(const cluster_access& access) {
  tls_material out;
  const auto take = [](std::string& into, const std::string& data, const std::string& file) -> result<void> {
    auto text = data_or_file(data, file);
    if (!text)
      return text.error();
    into = std::move(*text);
    return {};
  };
  if (const auto ok = take(out.ca, access.ca_data, access.ca_file); !ok)
    return ok.error();
  if (const auto ok = take(out.certificate, access.client_certificate_data, access.client_certificate_file); !ok)
    return ok.error();
  if (const auto ok = take(out.key, access.client_key_data, access.client_key_file); !ok)
    return ok.error();
  return out;
}

tls_context::tls_context(std::string name, bool insecure)
  : context_{SSL_CTX_new(TLS_client_method())}, name_{std::move(name)}, insecure_{insecure} {
  SSL_CTX_set_min_proto_version(context_, TLS1_2_VERSION);
  SSL_CTX_set_verify(context_, insecure_ ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_ex_data(context_, owner_index(), this);
  SSL_CTX_set_session_cache_mode(context_, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context_, &tls_context::keep_session);
}

tls_context::~tls_context() {
  // A connection may keep the SSL_CTX alive, hence nothing in it may point back here.
  SSL_CTX_set_ex_data(context_, owner_index(), nullptr);
  SSL_SESSION_free(session_);
  SSL_CTX_free(context_);
}

int tls_context::keep_session(ssl_st* connection, ssl_session_st* session) {
  auto* self = static_cast<tls_context*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(connection), owner_index()));
  // A copy: OpenSSL spoils the session of a connection that is freed without close_notify.
  if (self != nullptr)
    SSL_SESSION_free(std::exchange(self->session_, SSL_SESSION_dup(session)));
  return 0;
}

result<std::shared_ptr<tls_context>> tls_context::make(const tls_material& material, std::string name, bool insecure) {
  std::shared_ptr<tls_context> out{new tls_context{std::move(name), insecure}};
  if (auto fault = insecure ? std::string{} : use_ca(out->context_, material.ca); !fault.empty())
    return invalid(std::move(fault));
  if (material.certificate.empty() && material.key.empty())
    return out;
  if (auto fault = use_certificate(out->context_, material); !fault.empty())
    return invalid(std::move(fault));
  return out;
}

ssl_st* tls_context::new_connection() {
  SSL* out = SSL_new(context_);
  if (out == nullptr)
    return nullptr;
  X509_VERIFY_PARAM* verify = SSL_get0_param(out);
  if (is_ip_literal(name_)) {
    X509_VERIFY_PARAM_set1_ip_asc(verify, name_.c_str()); // parses, then compares binary; no SNI (RFC 6066)
  } else {
    X509_VERIFY_PARAM_set_hostflags(verify, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
    X509_VERIFY_PARAM_set1_host(verify, name_.data(), name_.size());
    // What SSL_set_tlsext_host_name does, less its old-style cast.
    SSL_ctrl(out, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name_.data());
  }
  if (session_ != nullptr)
    SSL_set_session(out, session_);
  return out;
}

std::string tls_context::explain(const ssl_st* connection, const std::string& otherwise) const {
  const long verdict = insecure_ ? X509_V_OK : SSL_get_verify_result(connection);
  const std::string reason = X509_verify_cert_error_string(verdict);
  switch (verdict) {
    case X509_V_OK:
      return otherwise;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return "certificate is not valid for " + name_;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
      return "certificate signed by unknown authority (" + reason + ")";
    default:
      return "certificate refused (" + reason + ")";
  }
}

tls_source::tls_source(cluster_access access, std::string host)
  : access_{std::move(access)}, name_{access_.tls_server_name.empty() ? std::move(host) : access_.tls_server_name},
    context_{failure{errc::unavailable, "the certificates were not read", {}, 0}} {
  renew();
}

bool tls_source::renew() {
  const bool had_one = context_.has_value();
  auto fresh = read_tls_material(access_);
  if (!fresh) {
    if (!had_one)
      context_ = fresh.error();
    return false;
  }
  if (had_one && *fresh == material_)
    return false;
  auto made = tls_context::make(*fresh, name_, access_.insecure_skip_verify);
  if (!made && had_one)
    return false;
  material_ = std::move(*fresh);
  context_ = std::move(made);
  return had_one;
}

} // namespace sliceferry::k8s
