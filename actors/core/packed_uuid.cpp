#include "actors/core/packed_uuid.hpp"

namespace sliceferry::core {
namespace {

constexpr std::size_t text_size = 36;

constexpr bool is_dash_at(std::size_t at) {
  return at == 8 || at == 13 || at == 18 || at == 23;
}

std::optional<std::uint8_t> nibble_of(char digit) {
  if (digit >= '0' && digit <= '9')
    return static_cast<std::uint8_t>(digit - '0');
  if (digit >= 'a' && digit <= 'f')
    return static_cast<std::uint8_t>(digit - 'a' + 10);
  return std::nullopt;
}

} // namespace

std::optional<packed_uuid> pack_uuid(std::string_view text) {
  if (text.size() != text_size)
    return std::nullopt;
  packed_uuid out{};
  std::size_t nibbles = 0;
  for (std::size_t at = 0; at < text_size; ++at) {
    if (is_dash_at(at)) {
      if (text[at] != '-')
        return std::nullopt;
      continue;
    }
    const auto nibble = nibble_of(text[at]);
    if (!nibble)
      return std::nullopt;
    auto& byte = out[nibbles / 2];
    byte = static_cast<std::uint8_t>(nibbles % 2 == 0 ? *nibble << 4U : byte | *nibble);
    ++nibbles;
  }
  return out;
}

std::string spell(const packed_uuid& packed) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(text_size);
  for (const auto byte : packed) {
    if (is_dash_at(out.size()))
      out += '-';
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
  }
  return out;
}

} // namespace sliceferry::core
