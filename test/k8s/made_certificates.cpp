#include "test/k8s/made_certificates.hpp"

#include "k8s/pem.hpp"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <atomic>

namespace sliceferry::k8s::test {

namespace {

template <class Write>
std::string to_pem(Write write) {
  BIO* bio = BIO_new(BIO_s_mem());
  write(bio);
  BUF_MEM* held = nullptr;
  BIO_ctrl(bio, BIO_C_GET_BUF_MEM_PTR, 0, &held);
  std::string out{held->data, held->length};
  BIO_free(bio);
  return out;
}

void extend(X509* subject, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context{};
  X509V3_set_ctx(&context, issuer, subject, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  X509_add_ext(subject, extension, -1);
  X509_EXTENSION_free(extension);
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names)
    out += (out.empty() ? "" : ",") + name;
  return out;
}

} // namespace

identity make_certificate(const wish& what, const identity* issuer) {
  static std::atomic<long> serial{1};
  const private_key key{EVP_EC_gen("P-256")};
  const certificate leaf{X509_new()};
  X509_set_version(leaf.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(leaf.get()), serial++);
  X509_gmtime_adj(X509_getm_notBefore(leaf.get()), -7200);
  X509_gmtime_adj(X509_getm_notAfter(leaf.get()), what.expired ? -3600 : 3600);
  X509_set_pubkey(leaf.get(), key.get());
  X509_NAME* subject = X509_get_subject_name(leaf.get());
  const std::basic_string<unsigned char> name(what.common_name.begin(), what.common_name.end());
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name.c_str(), -1, -1, 0);
  if (what.ca)
    extend(leaf.get(), leaf.get(), NID_basic_constraints, "critical,CA:TRUE");
  extend(leaf.get(), leaf.get(), NID_subject_key_identifier, "hash");
  if (!what.names.empty())
    extend(leaf.get(), leaf.get(), NID_subject_alt_name, joined(what.names));
  if (issuer != nullptr) {
    const auto signer = read_certificates(issuer->certificate);
    const auto secret = read_private_key(issuer->key);
    X509_set_issuer_name(leaf.get(), X509_get_subject_name(signer->front().get()));
    extend(leaf.get(), signer->front().get(), NID_authority_key_identifier, "keyid");
    X509_sign(leaf.get(), secret->get(), EVP_sha256());
  } else {
    X509_set_issuer_name(leaf.get(), subject);
    X509_sign(leaf.get(), key.get(), EVP_sha256());
  }
  return {to_pem([&](BIO* bio) { PEM_write_bio_X509(bio, leaf.get()); }),
          to_pem([&](BIO* bio) { PEM_write_bio_PrivateKey(bio, key.get(), nullptr, nullptr, 0, nullptr, nullptr); })};
}

std::string base64(const std::string& text) {
  const std::vector<unsigned char> plain(text.begin(), text.end());
  std::vector<unsigned char> coded(4 * ((text.size() + 2) / 3) + 1);
  const int size = EVP_EncodeBlock(coded.data(), plain.data(), static_cast<int>(plain.size()));
  return {coded.begin(), coded.begin() + size};
}

} // namespace sliceferry::k8s::test
