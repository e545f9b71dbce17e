#include "k8s/resource.hpp"

namespace sliceferry::k8s {

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (unreserved.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
  }
  return out;
}

std::string collection_path(const resource& of, std::string_view nspace) {
  std::string path = "/apis/";
  path.append(of.group).append("/").append(of.version);
  if (!nspace.empty())
    path.append("/namespaces/").append(percent_encoded(nspace));
  return path.append("/").append(of.plural);
}

std::string object_path(const resource& of, const object_key& key) {
  return collection_path(of, key.nspace).append("/").append(percent_encoded(key.name));
}

std::string namespace_path(std::string_view name) {
  return "/api/v1/namespaces/" + percent_encoded(name);
}

std::string definition_path(const resource& of) {
  std::string path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
  return path.append(of.plural).append(".").append(of.group);
}

} // namespace sliceferry::k8s
