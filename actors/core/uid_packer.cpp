#include "actors/core/uid_packer.hpp"

#include <cstring>

namespace sliceferry::core {

namespace {

/// The number in the last eight bytes, if the first eight are zero.
std::optional<std::uint64_t> number_in(const packed_uuid& packed) {
  std::uint64_t half[2];
  std::memcpy(half, packed.data(), sizeof half);
  return half[0] == 0 ? std::optional(half[1]) : std::nullopt;
}

packed_uuid with_number(std::uint64_t number) {
  packed_uuid out{};
  std::memcpy(out.data() + 8, &number, sizeof number);
  return out;
}

std::optional<packed_uuid> pack_proper(const std::string& uid) {
  const auto packed = pack_uuid(uid);
  return packed && !number_in(*packed) ? packed : std::nullopt;
}

} // namespace

packed_uuid uid_packer::pack(const std::string& uid) {
  if (const auto packed = pack_proper(uid))
    return *packed;
  const auto [found, is_new] = numbers_.try_emplace(uid, last_ + 1);
  if (is_new)
    odd_.emplace(++last_, uid);
  return with_number(found->second);
}

std::optional<packed_uuid> uid_packer::find(const std::string& uid) const {
  if (const auto packed = pack_proper(uid))
    return packed;
  const auto found = numbers_.find(uid);
  return found == numbers_.end() ? std::nullopt : std::optional(with_number(found->second));
}

std::string uid_packer::spell(const packed_uuid& packed) const {
  const auto number = number_in(packed);
  return number ? odd_.at(*number) : core::spell(packed);
}

void uid_packer::forget(const packed_uuid& packed) {
  const auto number = number_in(packed);
  if (!number)
    return;
  if (const auto found = odd_.find(*number); found != odd_.end()) {
    numbers_.erase(found->second);
    odd_.erase(found);
  }
}

} // namespace sliceferry::core
