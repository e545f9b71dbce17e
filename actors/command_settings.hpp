#pragma once
#include "config/setting_error.hpp"
#include "config/setting_flags.hpp"
#include "config/settings.hpp"

#include <string>
#include <variant>

namespace sliceferry {

// What commands need of the settings beside a program that runs, which has taken its own: without a file nothing else
// need be right.

/// Where the running program is to be found.
std::variant<std::string, setting_errors> address_of_running(const setting_flags& flags);

/// For those who read the journal: its directory, which is there, and where the program may be found.
std::variant<settings, setting_errors> settings_of_reader(const setting_flags& flags);

} // namespace sliceferry
