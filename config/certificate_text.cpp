#include "config/certificate_text.hpp"

#include <cstdint>

namespace sliceferry {

namespace {

constexpr std::string_view blanks = " \t\r\n";

std::optional<std::string> decode_base64(std::string_view text) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  std::size_t digits = 0;
  std::size_t padding = 0;
  for (const char c : text) {
    if (blanks.find(c) != std::string_view::npos)
      continue;
    ++digits;
    if (c == '=') {
      ++padding;
      continue;
    }
    const std::size_t value = alphabet.find(c);
    if (value == std::string_view::npos || padding > 0)
      return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    if (digits % 4 != 1)
      out += static_cast<char>((bits >> (2 * (3 - (digits - 1) % 4))) & 0xff);
  }
  if (digits % 4 != 0 || padding > 2)
    return std::nullopt;
  return out;
}

} // namespace

std::optional<std::string> certificate_text(std::string_view text) {
  constexpr std::string_view begin = "-----BEGIN CERTIFICATE-----";
  std::optional<std::string> pem =
    text.find(begin) == std::string_view::npos ? decode_base64(text) : std::optional<std::string>{text};
  if (!pem || pem->find(begin) == std::string::npos)
    return std::nullopt;
  pem->erase(pem->find_last_not_of(blanks) + 1);
  return *pem + "\n";
}

} // namespace sliceferry
