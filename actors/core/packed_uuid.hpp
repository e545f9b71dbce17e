#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace sliceferry::core {

/// A UUID as sixteen bytes instead of the 36 characters that spell it.
using packed_uuid = std::array<std::uint8_t, 16>;

/// Only what `spell` gives back unchanged is packed: lower-case hexadecimal with dashes, as Kubernetes makes its UIDs.
/// They are opaque by contract (anyone may serve others), so whoever packs one keeps a way for those that are not
/// UUIDs.
std::optional<packed_uuid> pack_uuid(std::string_view text);

std::string spell(const packed_uuid& packed);

/// UUIDs are random already: any eight of their bytes do. Not for UIDs of one's own making.
struct packed_uuid_hash {
  std::size_t operator()(const packed_uuid& packed) const noexcept {
    std::uint64_t half[2];
    std::memcpy(half, packed.data(), sizeof half);
    return half[0] ^ (half[1] * 0x9e3779b97f4a7c15U);
  }
};

} // namespace sliceferry::core
