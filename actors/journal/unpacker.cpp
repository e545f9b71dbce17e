#include "actors/journal/unpacker.hpp"

#include "actors/core/packed_uuid.hpp"

#include <cstring>

namespace sliceferry::journal {

void unpacker::fail() {
  good_ = false;
  rest_ = {};
}

std::string_view unpacker::take_bytes(std::uint64_t size) {
  if (size > rest_.size()) {
    fail();
    return {};
  }
  const auto out = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return out;
}

std::uint64_t unpacker::take_fixed(std::size_t size) {
  const auto bytes = take_bytes(size);
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    out |= std::uint64_t{static_cast<std::uint8_t>(bytes[i])} << (8 * i);
  return out;
}

std::uint64_t unpacker::take_varint() {
  constexpr unsigned last_shift = 63; // the tenth byte holds one bit
  std::uint64_t out = 0;
  for (unsigned shift = 0; shift <= last_shift; shift += 7) {
    const std::uint8_t byte = take_u8();
    if (shift == last_shift && byte > 1)
      break;
    out |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte <= 0x7f)
      return out;
  }
  fail();
  return 0;
}

std::int64_t unpacker::take_signed() {
  const std::uint64_t folded = take_varint();
  return static_cast<std::int64_t>((folded >> 1U) ^ ((folded & 1U) != 0 ? ~std::uint64_t{0} : 0));
}

std::string unpacker::take_uid() {
  if (const std::uint64_t size = take_varint(); size > 0)
    return std::string{take_bytes(size - 1)};
  core::packed_uuid packed{};
  const auto bytes = take_bytes(packed.size());
  if (!good_)
    return {};
  std::memcpy(packed.data(), bytes.data(), packed.size());
  return core::spell(packed);
}

} // namespace sliceferry::journal
