#include "test/storm/weather/fleet_names.hpp"

#include <array>

namespace sliceferry::storm {
namespace {

constexpr std::array<std::string_view, 12> words{"cart",   "search", "billing", "stock", "login", "mail",
                                                 "report", "media",  "orders",  "chat",  "maps",  "audit"};

std::string numbered(std::string_view word, std::uint32_t number) {
  std::string out{word};
  out += '-';
  out += std::to_string(number);
  return out;
}

void append_two_digits(std::string& out, std::uint32_t number) {
  out += static_cast<char>('0' + number / 10 % 10);
  out += static_cast<char>('0' + number % 10);
}

} // namespace

std::string nspace_name(std::uint32_t number) {
  return numbered(std::string{"team-"}.append(words[number % words.size()]), number);
}

std::string service_name(std::uint32_t number) {
  return numbered(words[number % words.size()], number);
}

std::string slice_name(std::uint32_t service_number, std::uint32_t ordinal) {
  constexpr std::uint64_t suffixes = 36ULL * 36 * 36 * 36 * 36;
  // 7919 shares no factor with the count of suffixes, so different ordinals have different ones.
  std::uint64_t code = (ordinal * 7919ULL * 1009 + service_number * 2'654'435'761ULL + 31'337) % suffixes;
  std::string out = service_name(service_number);
  out += '-';
  for (int i = 0; i < 5; ++i, code /= 36)
    out += "abcdefghijklmnopqrstuvwxyz0123456789"[code % 36];
  return out;
}

std::string taken_name(std::uint32_t number) {
  return numbered("tampered", number);
}

std::string foreign_export_name(std::uint32_t number) {
  return numbered("stranger-team-cart-0-cart", number);
}

std::string time_of(std::uint32_t changes) {
  const std::uint32_t seconds = changes / 100;
  std::string out = "2026-01-";
  append_two_digits(out, 1 + seconds / 86'400 % 28);
  out += 'T';
  append_two_digits(out, seconds / 3'600 % 24);
  out += ':';
  append_two_digits(out, seconds / 60 % 60);
  out += ':';
  append_two_digits(out, seconds % 60);
  out += 'Z';
  return out;
}

} // namespace sliceferry::storm
