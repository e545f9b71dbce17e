#include "messages/rfc3339.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>

namespace sliceferry {
namespace {

/// Reads a text from the left; after the first mismatch `failed` stays true.
class reader {
public:
  explicit reader(std::string_view text) : rest_(text) {}

  bool failed() const { return failed_; }
  bool at_end() const { return rest_.empty(); }
  bool next_is_digit(std::size_t at = 0) const { return at < rest_.size() && rest_[at] >= '0' && rest_[at] <= '9'; }

  bool skip(char wanted) {
    if (rest_.empty() || rest_.front() != wanted)
      return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) { failed_ = !skip(wanted) || failed_; }

  int number(std::size_t digits) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!next_is_digit()) {
        failed_ = true;
        return 0;
      }
      value = value * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }

  void cut_fraction() {
    // Go takes a comma as well as a period, and neither without a digit behind it.
    if (rest_.empty() || (rest_.front() != '.' && rest_.front() != ',') || !next_is_digit(1))
      return;
    rest_.remove_prefix(1);
    while (next_is_digit())
      rest_.remove_prefix(1);
  }

private:
  std::string_view rest_;
  bool failed_ = false;
};

std::chrono::minutes offset_from_utc(reader& text, bool& in_range) {
  if (text.skip('Z'))
    return std::chrono::minutes{0};
  const bool west = text.skip('-');
  if (!west)
    text.expect('+');
  const int hours = text.number(2);
  text.expect(':');
  const int minutes = text.number(2);
  // Inclusive as in Go: some people write offsets of 24 hours or 60 minutes.
  in_range = hours <= 24 && minutes <= 60;
  const std::chrono::minutes offset = std::chrono::hours{hours} + std::chrono::minutes{minutes};
  return west ? -offset : offset;
}

void write_digits(char* to, std::size_t count, unsigned value) {
  for (; count > 0; value /= 10)
    to[--count] = static_cast<char>('0' + value % 10);
}

} // namespace

std::string format_rfc3339(seconds_utc time) {
  // Beyond what a calendar of the library can say, seconds count as its ends: no arithmetic on them overflows.
  constexpr seconds_utc first{std::chrono::sys_days{std::chrono::year::min() / 1 / 1}};
  constexpr seconds_utc last{std::chrono::sys_days{std::chrono::year::max() / 12 / 31}};
  time = std::clamp(time, first, last);
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  const int year{date.year()};
  if (year >= 0 && year <= 9999) { // printf takes ten times as long, and tables full of slices ask for this
    std::string text = "0000-00-00T00:00:00Z";
    write_digits(text.data(), 4, static_cast<unsigned>(year));
    write_digits(text.data() + 5, 2, unsigned{date.month()});
    write_digits(text.data() + 8, 2, unsigned{date.day()});
    write_digits(text.data() + 11, 2, static_cast<unsigned>(clock.hours().count()));
    write_digits(text.data() + 14, 2, static_cast<unsigned>(clock.minutes().count()));
    write_digits(text.data() + 17, 2, static_cast<unsigned>(clock.seconds().count()));
    return text;
  }
  std::array<char, 64> out{};
  const int length =
    std::snprintf(out.data(), out.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ", year, unsigned{date.month()},
                  unsigned{date.day()}, static_cast<int>(clock.hours().count()),
                  static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()));
  return {out.data(), static_cast<std::size_t>(length)};
}

std::optional<seconds_utc> parse_rfc3339(std::string_view text) {
  reader in{text};
  const int year = in.number(4);
  in.expect('-');
  const int month = in.number(2);
  in.expect('-');
  const int day = in.number(2);
  in.expect('T');
  // Go takes an hour of one digit here (golang/go#54580), though neither month nor minute.
  const int hour = in.number(in.next_is_digit(1) ? 2 : 1);
  in.expect(':');
  const int minute = in.number(2);
  in.expect(':');
  const int second = in.number(2);
  in.cut_fraction();
  bool offset_in_range = true;
  const auto offset = offset_from_utc(in, offset_in_range);
  if (in.failed() || !in.at_end() || !offset_in_range || hour > 23 || minute > 59 || second > 59)
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok())
    return std::nullopt;
  return std::chrono::sys_days{date} + std::chrono::hours{hour} + std::chrono::minutes{minute} +
         std::chrono::seconds{second} - offset;
}

} // namespace sliceferry
