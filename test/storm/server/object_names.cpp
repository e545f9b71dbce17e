#include "test/storm/server/object_names.hpp"

#include <algorithm>

namespace sliceferry::storm {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_lower(char c) {
  return (c >= 'a' && c <= 'z') || is_digit(c);
}

bool is_alphanumeric(char c) {
  return is_lower(c) || (c >= 'A' && c <= 'Z');
}

bool is_label(std::string_view name) {
  return !name.empty() && is_lower(name.front()) && is_lower(name.back()) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_lower(c) || c == '-'; });
}

bool is_subdomain(std::string_view name) {
  while (true) {
    const auto dot = name.find('.');
    if (!is_label(name.substr(0, dot)))
      return false;
    if (dot == std::string_view::npos)
      return true;
    name.remove_prefix(dot + 1);
  }
}

/// `(alphanumeric, then -_. within)`
bool is_loose(std::string_view name) {
  return !name.empty() && is_alphanumeric(name.front()) && is_alphanumeric(name.back()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

std::string too_long(std::size_t most) {
  return "must be no more than " + std::to_string(most) + " bytes";
}

constexpr std::string_view subdomain_words =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
  "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view label_words =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
  "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view loose_words =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view value_words =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
  "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/// splitmix64: enough for names that only have to differ and to repeat.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

} // namespace

std::string problem_of_dns_subdomain(std::string_view name) {
  if (name.size() > 253)
    return too_long(253);
  return is_subdomain(name) ? std::string{} : std::string{subdomain_words};
}

std::string problem_of_dns_label(std::string_view name) {
  if (name.size() > 63)
    return too_long(63);
  return is_label(name) ? std::string{} : std::string{label_words};
}

std::string problem_of_qualified_name(std::string_view name) {
  const auto slash = name.find('/');
  if (slash != std::string_view::npos) {
    const auto prefix = name.substr(0, slash);
    name.remove_prefix(slash + 1);
    if (prefix.empty())
      return "prefix part must be non-empty";
    if (const auto problem = problem_of_dns_subdomain(prefix); !problem.empty())
      return "prefix part " + problem;
  }
  if (name.empty())
    return "name part must be non-empty";
  if (name.size() > 63)
    return "name part " + too_long(63);
  return is_loose(name) ? std::string{} : "name part " + std::string{loose_words};
}

std::string problem_of_label_value(std::string_view value) {
  if (value.size() > 63)
    return too_long(63);
  return value.empty() || is_loose(value) ? std::string{} : std::string{value_words};
}

std::string name_suffix(std::uint64_t number) {
  constexpr std::string_view letters = "bcdfghjklmnpqrstvwxz2456789";
  std::uint64_t left = mixed(number);
  std::string out;
  for (int i = 0; i < 5; ++i, left /= letters.size())
    out += letters[left % letters.size()];
  return out;
}

std::string made_uid(std::uint64_t seed, std::uint64_t number) {
  constexpr std::string_view digits = "0123456789abcdef";
  const std::uint64_t halves[] = {mixed(seed ^ mixed(number)), mixed(mixed(seed) + number)};
  std::string out;
  out.reserve(36);
  for (unsigned i = 0; i < 32; ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20)
      out += '-';
    out += digits[(halves[i / 16] >> (4U * (i % 16))) & 15U];
  }
  out[14] = '4'; // the version that API servers use
  out[19] = digits[8U + static_cast<unsigned>(halves[1] & 3U)];
  return out;
}

} // namespace sliceferry::storm
