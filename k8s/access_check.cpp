#include "k8s/access_check.hpp"

#include "k8s/pem.hpp"
#include "k8s/server_url.hpp"
#include "k8s/text_file.hpp"

#include <algorithm>
#include <cctype>

namespace sliceferry::k8s {

namespace {

/// A text that is given inline or in a file, and how to name it to people.
struct named_text {
  std::string what;
  std::string text;
  bool given = false;
};

named_text take(const char* what, const std::string& data, const std::string& file, std::vector<std::string>& faults) {
  if (!data.empty())
    return {what, data, true};
  if (file.empty())
    return {what, {}, false};
  named_text out{std::string{what} + " (" + file + ")", {}, false};
  auto text = read_text_file(file);
  if (text) {
    out.text = std::move(*text);
    out.given = true;
  } else {
    faults.push_back(std::string{what} + ": " + text.error().text + "; correct the path or the rights of the file");
  }
  return out;
}

void check_pair(const named_text& leaf, const named_text& key, std::vector<std::string>& faults) {
  const auto chain = read_certificates(leaf.text);
  const auto secret = read_private_key(key.text);
  if (leaf.given && !chain)
    faults.push_back(leaf.what + " " + chain.error().text);
  if (key.given && !secret)
    faults.push_back(key.what + " " + secret.error().text);
  if (chain && secret && !belong_together(chain->front(), *secret))
    faults.push_back(leaf.what + " and " + key.what + " don't belong together");
}

void check_certificates(const cluster_access& access, std::vector<std::string>& faults) {
  if (access.insecure_skip_verify && !(access.ca_data.empty() && access.ca_file.empty()))
    faults.emplace_back("insecure-skip-tls-verify is set beside a CA; remove one of them");
  const auto ca = take("the CA", access.ca_data, access.ca_file, faults);
  if (const auto trusted = read_certificates(ca.text); ca.given && !trusted)
    faults.push_back(ca.what + " " + trusted.error().text);

  const bool wants_leaf = !(access.client_certificate_data.empty() && access.client_certificate_file.empty());
  const bool wants_key = !(access.client_key_data.empty() && access.client_key_file.empty());
  if (wants_leaf != wants_key)
    faults.emplace_back(wants_leaf ? "a client certificate is named without its key; add client-key"
                                   : "a client key is named without its certificate; add client-certificate");
  const auto leaf =
    take("the client certificate", access.client_certificate_data, access.client_certificate_file, faults);
  const auto key = take("the client key", access.client_key_data, access.client_key_file, faults);
  check_pair(leaf, key, faults);
}

bool is_token(const std::string& name) {
  constexpr std::string_view also = "!#$%&'*+-.^_`|~";
  return !name.empty() && std::ranges::all_of(name, [also](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || also.find(c) != std::string_view::npos;
  });
}

bool is_header_text(const std::string& text) {
  return std::ranges::none_of(text, [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 0x7f; });
}

/// Headers that the client writes itself, or that would change what an answer looks like.
bool is_reserved(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::string_view reserved[] = {"host",
                                           "authorization",
                                           "user-agent",
                                           "accept",
                                           "accept-encoding",
                                           "content-length",
                                           "content-type",
                                           "connection",
                                           "upgrade",
                                           "transfer-encoding",
                                           "expect",
                                           "te"};
  return std::ranges::find(reserved, name) != std::end(reserved);
}

void check_headers(const cluster_access& access, std::vector<std::string>& faults) {
  for (const auto& [name, value] : access.headers) {
    if (!is_token(name) || !is_header_text(value))
      faults.push_back("the extra header \"" + name + "\" has a malformed name or value");
    else if (is_reserved(name))
      faults.push_back("the extra header \"" + name + "\" is one that sliceferry sets itself; remove it");
  }
}

} // namespace

std::vector<std::string> find_lasting_faults(const cluster_access& access) {
  std::vector<std::string> faults;
  if (const auto url = read_server_url(access.server); !url)
    faults.push_back(url.error().text);
  else if (!url->tls && !(access.token.empty() && access.token_file.empty()) && !is_loopback(url->host))
    faults.push_back("the server " + url->text() + " would get a token in the clear; use https://");
  if (!is_header_text(access.token))
    faults.emplace_back("the token holds control characters");
  check_headers(access, faults);
  return faults;
}

std::vector<std::string> find_faults(const cluster_access& access) {
  auto faults = find_lasting_faults(access);
  check_certificates(access, faults);
  return faults;
}

} // namespace sliceferry::k8s
