#pragma once
#include "config/question.hpp"
#include "config/setting_error.hpp"
#include "config/setting_flags.hpp"

#include <string>
#include <variant>
#include <vector>

namespace sliceferry {

/// What the program is told to do.
enum class verb {
  run,          ///< mirror until stopped
  check,        ///< judge the settings, contact nothing
  guard_status, ///< ask the running program how its guards stand
  guard_allow,  ///< tell it that the withdrawals which its guard holds are meant
  leave,        ///< have it withdraw all exports of a member
  explain,      ///< why a slice is or isn't exported
  history,      ///< what the journal tells of a slice or of a time
  replay,       ///< fold the journal anew and compare
  diff,         ///< what differs between the clusters and what should be; writes nothing
  version,      ///< say which program this is
  help,         ///< print `help_text()`
};

struct command_line {
  verb what = verb::help;
  setting_flags flags;
  std::string member{}; ///< of `guard_allow` and `leave`, never empty there
  question about{};     ///< of `explain`, `history`, `replay` and `diff`

  bool operator==(const command_line&) const = default;
};

/// Exit codes, as the help states them.
inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_wrong_settings = 2;

/// Reads the arguments after the program's name; every unknown one is an error of its own that names
/// the nearest known. A flag given twice counts as given last. Flags may stand before the command.
std::variant<command_line, setting_errors> parse_command_line(const std::vector<std::string>& arguments);

/// Synopsis, examples, every flag, variable and exit code.
std::string help_text();

} // namespace sliceferry
