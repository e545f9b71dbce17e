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

/// `90s`, `10m`, `1h30m`, `2d`; nothing if it isn't one, or nothing at all, or longer than a century.
std::optional<std::chrono::seconds> parse_duration(const std::string& text);

} // namespace sliceferry
