#pragma once
#include "config/question.hpp"
#include "config/setting_error.hpp"
#include "config/settings.hpp"

#include <functional>
#include <string>
#include <variant>

namespace sliceferry {

/// Where the words of a command go.
struct command_voices {
  std::function<void(const std::string&)> tell;     ///< gets the answer, with the ends of its lines
  std::function<void(const std::string&)> complain; ///< gets one line without its end
};

/// `sliceferry explain`: asks the program that listens here. If none answers, it reads the clusters of all members or
/// one: GETs and nothing else, and what only a running program knows is left out. `load` yields the settings for
/// that. Returns the program's exit code.
int explain_slice(const std::string& listen, const question& about,
                  const std::function<std::variant<settings, setting_errors>()>& load, const command_voices& voices);

} // namespace sliceferry
