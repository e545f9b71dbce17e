#include "test/storm/server/rfc3339_time.hpp"

#include <cstdio>

namespace sliceferry::storm {

namespace {

/// Takes as many digits; -1 where there aren't as many.
int take_number(std::string_view& text, std::size_t digits) {
  if (text.size() < digits)
    return -1;
  int out = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    if (text[i] < '0' || text[i] > '9')
      return -1;
    out = out * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return out;
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos)
    return false;
  text.remove_prefix(1);
  return true;
}

bool in(int number, int least, int most) {
  return number >= least && number <= most;
}

bool is_zone(std::string_view text) {
  if (text == "Z" || text == "z")
    return true;
  return take(text, "+-") && in(take_number(text, 2), 0, 23) && take(text, ":") && in(take_number(text, 2), 0, 59) &&
         text.empty();
}

} // namespace

std::string rfc3339_text(instant when) {
  using namespace std::chrono;
  const auto whole = floor<seconds>(sys_time<microseconds>{when});
  const auto day = floor<days>(whole);
  const year_month_day date{day};
  const hh_mm_ss clock{whole - day};
  char out[64];
  const int size = std::snprintf(out, sizeof out, "%04d-%02u-%02uT%02d:%02d:%02dZ", int{date.year()},
                                 unsigned{date.month()}, unsigned{date.day()}, static_cast<int>(clock.hours().count()),
                                 static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()));
  return {out, static_cast<std::size_t>(size)};
}

bool is_rfc3339(std::string_view text) {
  const bool date = take_number(text, 4) >= 0 && take(text, "-") && in(take_number(text, 2), 1, 12) &&
                    take(text, "-") && in(take_number(text, 2), 1, 31);
  const bool time = date && take(text, "Tt") && in(take_number(text, 2), 0, 23) && take(text, ":") &&
                    in(take_number(text, 2), 0, 59) && take(text, ":") && in(take_number(text, 2), 0, 60);
  if (!time)
    return false;
  if (take(text, ".")) {
    if (take_number(text, 1) < 0)
      return false;
    while (take(text, "0123456789")) {
    }
  }
  return is_zone(text);
}

} // namespace sliceferry::storm
