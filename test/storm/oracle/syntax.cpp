#include "test/storm/oracle/syntax.hpp"

namespace sliceferry::storm {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_alphanumeric(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z');
}

/// Takes digits off the front; -1 where there aren't that many.
int take(std::string_view& text, std::size_t digits) {
  if (text.size() < digits)
    return -1;
  int out = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    if (!is_digit(text[i]))
      return -1;
    out = out * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return out;
}

bool skip(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted)
    return false;
  text.remove_prefix(1);
  return true;
}

std::chrono::microseconds take_fraction(std::string_view& text) {
  std::chrono::microseconds out{0};
  if (text.size() < 2 || text.front() != '.' || !is_digit(text[1]))
    return out;
  text.remove_prefix(1);
  for (std::int64_t worth = 100'000; !text.empty() && is_digit(text.front()); worth /= 10) {
    out += std::chrono::microseconds{worth * (text.front() - '0')};
    text.remove_prefix(1);
  }
  return out;
}

std::optional<std::chrono::minutes> take_offset(std::string_view& text) {
  if (skip(text, 'Z'))
    return std::chrono::minutes{0};
  const bool west = skip(text, '-');
  if (!west && !skip(text, '+'))
    return {};
  const int hours = take(text, 2);
  if (hours < 0 || !skip(text, ':'))
    return {};
  const int minutes = take(text, 2);
  if (minutes < 0)
    return {};
  const std::chrono::minutes out = std::chrono::hours{hours} + std::chrono::minutes{minutes};
  return west ? -out : out;
}

} // namespace

bool is_subdomain(std::string_view name) {
  if (name.empty() || name.size() > 253)
    return false;
  char before = '.';
  for (const char c : name) {
    const bool fits = is_alphanumeric(c) || (c == '-' && before != '.') || (c == '.' && is_alphanumeric(before));
    if (!fits)
      return false;
    before = c;
  }
  return is_alphanumeric(before);
}

std::optional<instant> read_time(std::string_view text) {
  const int year = take(text, 4);
  const bool a = skip(text, '-');
  const int month = take(text, 2);
  const bool b = skip(text, '-');
  const int day = take(text, 2);
  const bool c = skip(text, 'T');
  const int hour = take(text, 2);
  const bool d = skip(text, ':');
  const int minute = take(text, 2);
  const bool e = skip(text, ':');
  const int second = take(text, 2);
  const auto fraction = take_fraction(text);
  const auto offset = take_offset(text);
  const bool whole = a && b && c && d && e && offset && text.empty();
  if (!whole || year < 0 || month < 1 || day < 1 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 ||
      second > 59)
    return {};
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok())
    return {};
  return std::chrono::sys_days{date}.time_since_epoch() + std::chrono::hours{hour} + std::chrono::minutes{minute} +
         std::chrono::seconds{second} - *offset + fraction;
}

} // namespace sliceferry::storm
