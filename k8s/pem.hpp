#pragma once
#include "k8s/result.hpp"

#include <memory>
#include <string>
#include <vector>

struct x509_st;
struct evp_pkey_st;

namespace sliceferry::k8s {

struct openssl_free {
  void operator()(x509_st* object) const;
  void operator()(evp_pkey_st* object) const;
};

using certificate = std::unique_ptr<x509_st, openssl_free>;
using private_key = std::unique_ptr<evp_pkey_st, openssl_free>;

/// All certificates of a PEM text, in order. Fails as `invalid` if there is none or one is broken.
result<std::vector<certificate>> read_certificates(const std::string& pem);

/// The private key of a PEM text. Fails as `invalid`, also for an encrypted one: nobody is there to ask.
result<private_key> read_private_key(const std::string& pem);

/// Whether `key` is the one that `leaf` was issued for.
bool belong_together(const certificate& leaf, const private_key& key);

/// Takes the reason out of OpenSSL's error queue and leaves that empty.
std::string take_openssl_error();

} // namespace sliceferry::k8s
