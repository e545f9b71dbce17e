#pragma once
#include "actors/core/packed_uuid.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace sliceferry::core {

/// Sixteen bytes for any UID, for as long as it is not forgotten. What is no UUID gets a number of its own and is
/// spelled out here; the UUIDs that look like such numbers (their first eight bytes are zero) count as none.
class uid_packer {
public:
  packed_uuid pack(const std::string& uid);
  /// Nothing, if it would need a number and has none.
  std::optional<packed_uuid> find(const std::string& uid) const;
  /// Of what was packed and not forgotten.
  std::string spell(const packed_uuid& packed) const;
  void forget(const packed_uuid& packed);

private:
  std::unordered_map<std::string, std::uint64_t> numbers_; ///< of those that are no UUIDs
  std::unordered_map<std::uint64_t, std::string> odd_;     ///< the same by number
  std::uint64_t last_ = 0;
};

} // namespace sliceferry::core
