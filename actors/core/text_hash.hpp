#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace sliceferry::core {

/// Hashes for the indexes of this process; never stored or sent.
inline std::uint32_t text_hash(std::string_view text) {
  const std::uint64_t hash = std::hash<std::string_view>{}(text);
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}
inline std::uint32_t text_hash(std::string_view nspace, std::string_view name) {
  const std::uint64_t hash =
    std::hash<std::string_view>{}(name) + 0x9e3779b97f4a7c15U * std::hash<std::string_view>{}(nspace);
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

} // namespace sliceferry::core
