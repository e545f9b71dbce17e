#include "config/question.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

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
    default:
      return std::nullopt;
  }
}

} // namespace

std::optional<std::chrono::seconds> parse_duration(const std::string& text) {
  constexpr std::chrono::seconds longest = std::chrono::days{36'500};
  std::chrono::seconds sum{0};
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::uint32_t count = 0;
    const auto [rest, problem] = std::from_chars(at, end, count);
    const auto unit = problem == std::errc{} && rest != end ? unit_of(*rest) : std::nullopt;
    if (!unit || count > longest / *unit)
      return std::nullopt;
    sum += count * *unit;
    at = rest + 1;
  }
  return sum.count() > 0 && sum <= longest ? std::optional{sum} : std::nullopt;
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
  if (said.since && !(out.since = parse_duration(*said.since)))
    errors.push_back(
      {"--since", fmt::format("\"{}\" is not a time span", *said.since), "write it as 90s, 10m, 1h30m or 2d"});
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
