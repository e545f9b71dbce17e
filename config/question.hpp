#pragma once
#include "config/setting_error.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace sliceferry {

/// What `explain`, `history`, `replay` or `diff` is about, and how it is answered.
struct question {
  std::string nspace{}; ///< of the slice; both or none
  std::string name{};
  std::string member{};                        ///< empty: all members
  std::optional<std::chrono::seconds> since{}; ///< how far back
  std::optional<std::uint64_t> after{};        ///< only records of the journal beyond this position; of `history`
  bool json = false;
  std::optional<std::chrono::sys_seconds> since_time{}; ///< the same as `since`, as a time; not both

  bool operator==(const question&) const = default;
};

/// The same as words of the command line, unjudged.
struct question_words {
  std::optional<std::string> slice{}; ///< NAMESPACE/NAME
  std::optional<std::string> member{};
  std::optional<std::string> since{};
  std::optional<std::string> after{};
  std::optional<std::string> output{};
};

/// Appends an error for each word that makes no sense.
question judge_question(const question_words& said, setting_errors& errors);

/// `90s`, `10m`, `1h30m`, `1.5h`, `2d`, `1w`; nothing if it isn't one, or shorter than a second, or longer than a
/// century.
std::optional<std::chrono::seconds> parse_duration(const std::string& text);

/// RFC 3339, such as `2026-11-30T13:05:09Z` or `2026-11-30T14:05:09.5+01:00`; fractions of a second are cut off.
std::optional<std::chrono::sys_seconds> parse_time(const std::string& text);

} // namespace sliceferry
