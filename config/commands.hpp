#pragma once
#include "config/question.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// What stands behind a command's own words, besides flags.
enum class follows {
  nothing,
  member,      ///< its name
  slice,       ///< NAMESPACE/NAME
  maybe_slice, ///< that, or a flag that says what of
  topic,       ///< a command, in one or two words, or nothing
};

/// A command in one or two words, and all that the command line and the help know of it.
struct command_entry {
  const char* first;
  const char* second; ///< or null
  verb what;
  follows next;
  const char* usage;    ///< what stands behind its words
  const char* sentence; ///< what it does, for people; it fits in a line
  const char* flags;    ///< names of those that its page shows, with spaces between; `*`: all settings
  const char* examples; ///< for its page; several lines, or nothing
};

/// In the order of the help; those of one first word follow each other.
std::span<const command_entry> known_commands();

/// A flag that belongs to some commands alone: those whose entry names it.
struct question_flag {
  const char* name;   ///< with its dashes
  const char* letter; ///< the same in short, or null
  const char* value;  ///< what stands for the value in the help
  const char* what;
  std::optional<std::string> question_words::*field;
};

std::span<const question_flag> question_flags();

bool takes(const command_entry& command, std::string_view flag_name);
std::string name_of(const command_entry& command); ///< `guard allow`
std::vector<std::string> first_words();            ///< of all commands, each once

} // namespace sliceferry
