#include "test/storm/server/http_tls.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace sliceferry::storm {

struct http_tls::impl {
  SSL_CTX* context = SSL_CTX_new(TLS_server_method());
  ~impl() { SSL_CTX_free(context); }
};

http_tls::http_tls(const std::string& certificate_file, const std::string& key_file) : impl_{std::make_unique<impl>()} {
  if (SSL_CTX_use_certificate_chain_file(impl_->context, certificate_file.c_str()) != 1)
    throw std::runtime_error{certificate_file + " holds no certificate that can be used"};
  if (SSL_CTX_use_PrivateKey_file(impl_->context, key_file.c_str(), SSL_FILETYPE_PEM) != 1)
    throw std::runtime_error{key_file + " holds no key that fits the certificate"};
}

http_tls::~http_tls() = default;

struct http_tls::session::impl {
  SSL* ssl;
  BIO* from_peer = BIO_new(BIO_s_mem());
  BIO* to_peer = BIO_new(BIO_s_mem());

  explicit impl(SSL_CTX* context) : ssl{SSL_new(context)} {
    SSL_set_bio(ssl, from_peer, to_peer); // which owns both from here on
    SSL_set_accept_state(ssl);
  }
  ~impl() { SSL_free(ssl); }
};

http_tls::session::session(const http_tls& server) : impl_{std::make_unique<impl>(server.impl_->context)} {}

http_tls::session::~session() = default;

bool http_tls::session::ready() const {
  return SSL_is_init_finished(impl_->ssl) == 1;
}

void http_tls::session::drain(std::string& wire) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(impl_->to_peer, &bytes);
  if (size <= 0)
    return;
  wire.append(bytes, static_cast<std::size_t>(size));
  BIO_reset(impl_->to_peer);
}

bool http_tls::session::receive(std::string_view from_peer, std::string& plain, std::string& wire) {
  ERR_clear_error();
  if (!from_peer.empty() && BIO_write(impl_->from_peer, from_peer.data(), static_cast<int>(from_peer.size())) <= 0)
    return false;
  std::array<char, 16 << 10> piece; // one record at most
  int got = 0;
  while ((got = SSL_read(impl_->ssl, piece.data(), static_cast<int>(piece.size()))) > 0)
    plain.append(piece.data(), static_cast<std::size_t>(got));
  const int why = SSL_get_error(impl_->ssl, got);
  drain(wire);
  return why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE;
}

bool http_tls::session::send(std::string_view plain, std::string& wire) {
  constexpr std::size_t record = 16 << 10;
  ERR_clear_error();
  while (!plain.empty()) {
    const std::size_t size = std::min(plain.size(), record);
    if (SSL_write(impl_->ssl, plain.data(), static_cast<int>(size)) <= 0)
      return false;
    plain.remove_prefix(size);
  }
  drain(wire);
  return true;
}

} // namespace sliceferry::storm
