#pragma once
#include <compare>
#include <cstddef>
#include <functional>
#include <string>

namespace sliceferry {

/// Where a namespaced object is found in its cluster. A name outlives the object that carries
/// it, so a key says where to look and never who is there: identity is the UID.
struct object_key {
  std::string nspace;
  std::string name;

  auto operator<=>(const object_key&) const = default;
};

/// `namespace/name`, as kubectl and the reference fields of an export write it.
inline std::string to_string(const object_key& key) {
  return key.nspace + '/' + key.name;
}

} // namespace sliceferry

template <>
struct std::hash<sliceferry::object_key> {
  std::size_t operator()(const sliceferry::object_key& key) const noexcept {
    const std::size_t left = std::hash<std::string>{}(key.nspace);
    return left ^ (std::hash<std::string>{}(key.name) + 0x9e3779b97f4a7c15U + (left << 6) + (left >> 2));
  }
};
