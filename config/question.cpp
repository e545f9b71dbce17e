#include "config/question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace sliceferry {

namespace {

std::optional<std::chrono::seconds> unit_of(char letter) {
  switch (letter) {
    case 's':
      return std::chrono::seconds{1};
    case 'm':
      return std::chrono::minutes{1};
    case 'h':
      return std::chrono::hours{1};
    case 'd':
      return std::chrono::days{1};
    case 'w':
      return std::chrono::weeks{1};
    default:
      return std::nullopt;
  }
}

/// Takes the parts of a time from the front; what doesn't fit spoils the whole.
class time_words {
public:
  explicit time_words(std::string_view text) : rest_(text) {}

  /// Exactly so many digits, and no more than this.
  int number(std::size_t digits, int most) {
    int out = 0;
    const char* const end = rest_.data() + std::min(digits, rest_.size());
    const auto [stop, problem] = std::from_chars(rest_.data(), end, out);
    fits_ = fits_ && problem == std::errc{} && rest_.front() != '-' && stop == rest_.data() + digits && out <= most;
    rest_.remove_prefix(std::min(digits, rest_.size()));
    return fits_ ? out : 0;
  }

  std::chrono::minutes time() {
    const std::chrono::hours hours{number(2, 23)};
    expect(':');
    return hours + std::chrono::minutes{number(2, 59)};
  }

  char next() const { return rest_.empty() ? '\0' : rest_.front(); }

  void expect(char which) {
    fits_ = fits_ && next() == which && !rest_.empty();
    rest_.remove_prefix(rest_.empty() ? 0 : 1);
  }

  void skip_fraction() {
    if (next() != '.')
      return;
    const auto end = std::min(rest_.find_first_not_of("0123456789", 1), rest_.size());
    fits_ = fits_ && end > 1;
    rest_.remove_prefix(end);
  }

  bool is_read() const { return fits_ && rest_.empty(); }

private:
  std::string_view rest_;
  bool fits_ = true;
};

} // namespace

std::optional<std::chrono::seconds> parse_duration(const std::string& text) {
  constexpr double longest = std::chrono::duration<double>{std::chrono::days{36'500}}.count();
  double sum = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    double count = 0;
    const auto [rest, problem] = std::from_chars(at, end, count, std::chars_format::fixed);
    const bool is_number = problem == std::errc{} && std::isdigit(static_cast<unsigned char>(*at)) != 0;
    const auto unit = is_number && rest != end ? unit_of(*rest) : std::nullopt;
    if (!unit)
      return std::nullopt;
    sum += count * static_cast<double>(unit->count());
    at = rest + 1;
  }
  if (!(sum >= 1 && sum <= longest))
    return std::nullopt;
  return std::chrono::seconds{std::llround(sum)};
}

std::optional<std::chrono::sys_seconds> parse_time(const std::string& text) {
  time_words rest{text};
  const std::chrono::year year{rest.number(4, 9999)};
  rest.expect('-');
  const std::chrono::month month{static_cast<unsigned>(rest.number(2, 12))};
  rest.expect('-');
  const std::chrono::year_month_day date{year, month, std::chrono::day{static_cast<unsigned>(rest.number(2, 31))}};
  rest.expect('T');
  const auto time = rest.time();
  rest.expect(':');
  const std::chrono::seconds seconds{rest.number(2, 59)};
  rest.skip_fraction();
  const bool is_ahead = rest.next() == '+';
  std::chrono::minutes offset{0};
  if (is_ahead || rest.next() == '-') {
    rest.expect(rest.next());
    offset = rest.time();
  } else {
    rest.expect('Z');
  }
  if (!rest.is_read() || !date.ok())
    return std::nullopt;
  return std::chrono::sys_days{date} + time + seconds - (is_ahead ? offset : -offset);
}

question judge_question(const question_words& said, setting_errors& errors) {
  question out;
  if (said.slice) {
    const auto slash = said.slice->find('/');
    out.nspace = said.slice->substr(0, slash);
    out.name = slash == std::string::npos ? "" : said.slice->substr(slash + 1);
    if (out.nspace.empty() || out.name.empty() || out.name.find('/') != std::string::npos)
      errors.push_back({*said.slice, "this doesn't name a slice", "write NAMESPACE/NAME, such as shop/web-x2x7k"});
  }
  out.member = said.member.value_or("");
  if (said.since && !(out.since = parse_duration(*said.since)) && !(out.since_time = parse_time(*said.since)))
    errors.push_back({"--since", fmt::format("\"{}\" is neither a time span nor a time", *said.since),
                      "write 90s, 10m, 1h30m, 1.5h, 2d or 1w, or a time as 2026-11-30T09:00:00Z"});
  if (said.after) {
    std::uint64_t position = 0;
    const char* const end = said.after->data() + said.after->size();
    const auto [rest, problem] = std::from_chars(said.after->data(), end, position);
    if (problem != std::errc{} || rest != end)
      errors.push_back({"--after", fmt::format("\"{}\" is not a position", *said.after), "give a whole number"});
    out.after = position;
  }
  if (said.output && *said.output != "text" && *said.output != "json")
    errors.push_back({"--output", fmt::format("\"{}\" is no choice", *said.output), "say text or json"});
  out.json = said.output == "json";
  return out;
}

} // namespace sliceferry
