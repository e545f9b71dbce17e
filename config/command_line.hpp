#pragma once
#include "config/commands.hpp"
#include "config/question.hpp"
#include "config/setting_error.hpp"
#include "config/setting_flags.hpp"

#include <string>
#include <variant>
#include <vector>

namespace sliceferry {

struct command_line {
  verb what = verb::help;
  setting_flags flags;
  std::string member{}; ///< of `guard_allow` and `leave`, never empty there
  question about{};     ///< of `explain`, `history`, `replay` and `diff`
  std::string topic{};  ///< of `help`: the first word of a command; empty: of all

  bool operator==(const command_line&) const = default;
};

/// Exit codes, as the help states them.
inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_wrong_settings = 2;

/// Reads the arguments after the program's name; every unknown one is an error of its own that names
/// the nearest known, as is a flag that the command doesn't take. A flag given twice counts as given last. Flags may
/// stand before the command. Each command takes the flags of settings.
std::variant<command_line, setting_errors> parse_command_line(const std::vector<std::string>& arguments);

/// Of the commands that begin with this word: usage, flags, examples. Without one: all commands, every flag, variable
/// and exit code.
std::string help_text(const std::string& topic = {});

} // namespace sliceferry
