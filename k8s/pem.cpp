#include "k8s/pem.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

namespace sliceferry::k8s {

namespace {

struct bio_free {
  void operator()(BIO* bio) const { BIO_free(bio); }
};

std::unique_ptr<BIO, bio_free> reader(const std::string& pem) {
  return std::unique_ptr<BIO, bio_free>{BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))};
}

/// Without this OpenSSL would ask on the terminal.
int no_password(char*, int, int, void*) {
  return -1;
}

failure invalid(std::string text) {
  return {errc::invalid, std::move(text), {}, 0};
}

bool ended() {
  return ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
}

} // namespace

void openssl_free::operator()(x509_st* object) const {
  X509_free(object);
}

void openssl_free::operator()(evp_pkey_st* object) const {
  EVP_PKEY_free(object);
}

result<std::vector<certificate>> read_certificates(const std::string& pem) {
  ERR_clear_error();
  const auto bio = reader(pem);
  std::vector<certificate> out;
  while (X509* next = PEM_read_bio_X509(bio.get(), nullptr, no_password, nullptr))
    out.emplace_back(next);
  if (!ended())
    return invalid("holds a broken certificate (" + take_openssl_error() + ")");
  ERR_clear_error();
  if (out.empty())
    return invalid("holds no PEM certificate");
  return out;
}

result<private_key> read_private_key(const std::string& pem) {
  ERR_clear_error();
  const auto bio = reader(pem);
  private_key out{PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr)};
  if (out)
    return out;
  // OpenSSL 3 calls all of this "unsupported", so the text has to tell.
  const bool encrypted = pem.find("ENCRYPTED") != std::string::npos;
  if (encrypted || pem.find("PRIVATE KEY-----") == std::string::npos) {
    ERR_clear_error();
    return invalid(encrypted ? "holds an encrypted private key; store it decrypted" : "holds no PEM private key");
  }
  return invalid("holds a broken private key (" + take_openssl_error() + ")");
}

bool belong_together(const certificate& leaf, const private_key& key) {
  const bool match = X509_check_private_key(leaf.get(), key.get()) == 1;
  ERR_clear_error();
  return match;
}

std::string take_openssl_error() {
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  std::string out = reason != nullptr ? reason : "unknown cause";
  ERR_clear_error();
  return out;
}

} // namespace sliceferry::k8s
