#pragma once
#include "config/settings.hpp"

#include <string>

namespace sliceferry {

// Commands for the program that runs on this machine and listens where the settings say. Each prints what that
// program answers and returns an exit code.

int show_guards(const settings& chosen);

/// Tells it that what the guard of this member holds back is meant.
int allow_withdrawals(const settings& chosen, const std::string& member);

/// Has it withdraw all exports of this member, and tells how far it has come until the hub holds none.
int leave_fleet(const settings& chosen, const std::string& member);

} // namespace sliceferry
