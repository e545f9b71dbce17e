#include "actors/core/packed_uuid.hpp"

namespace sliceferry::core {
namespace {

constexpr std::size_t text_size = 36;

constexpr bool is_dash_at(std::size_t at) {
  return at == 8 || at == 13 || at == 18 || at == 23;
}

constexpr std::uint8_t no_nibble = 0xff;

/// By character. A million UIDs are read where a journal is recovered.
constexpr auto nibbles = [] {
  std::array<std::uint8_t, 256> out{};
  out.fill(no_nibble);
  for (std::uint8_t i = 0; i < 10; ++i)
    out[static_cast<std::size_t>('0') + i] = i;
  for (std::uint8_t i = 0; i < 6; ++i)
    out[static_cast<std::size_t>('a') + i] = static_cast<std::uint8_t>(10 + i);
  return out;
}();

} // namespace

std::optional<packed_uuid> pack_uuid(std::string_view text) {
  if (text.size() != text_size)
    return std::nullopt;
  for (const std::size_t dash : {8, 13, 18, 23})
    if (text[dash] != '-')
      return std::nullopt;
  packed_uuid out{};
  std::uint8_t seen = 0;
  std::size_t at = 0;
  for (auto& byte : out) {
    at += is_dash_at(at) ? 1 : 0; // dashes stand between bytes
    const auto high = nibbles[static_cast<unsigned char>(text[at])];
    const auto low = nibbles[static_cast<unsigned char>(text[at + 1])];
    seen |= high | low;
    byte = static_cast<std::uint8_t>(high << 4U | low);
    at += 2;
  }
  return seen > 0x0f ? std::nullopt : std::optional{out};
}

std::string spell(const packed_uuid& packed) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out(text_size, '-');
  std::size_t at = 0;
  for (const auto byte : packed) {
    at += is_dash_at(at) ? 1 : 0;
    out[at++] = digits[byte >> 4U];
    out[at++] = digits[byte & 15U];
  }
  return out;
}

} // namespace sliceferry::core
