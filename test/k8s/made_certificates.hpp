#pragma once
#include <string>
#include <vector>

namespace sliceferry::k8s::test {

/// A certificate and its key, PEM.
struct identity {
  std::string certificate;
  std::string key;
};

/// What a certificate is made for.
struct wish {
  std::string common_name;
  std::vector<std::string> names; ///< as in OpenSSL's subjectAltName: `DNS:a`, `IP:127.0.0.1`
  bool ca = false;
  bool expired = false;
};

/// Signed by `issuer`, or by itself.
identity make_certificate(const wish& what, const identity* issuer = nullptr);

std::string base64(const std::string& text);

} // namespace sliceferry::k8s::test
