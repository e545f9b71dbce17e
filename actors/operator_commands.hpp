#pragma once
#include <string>

namespace sliceferry {

// Commands for the program that runs on this machine and listens at this address (`settings::listen`). Each prints
// what that program answers and returns an exit code.

int show_guards(const std::string& listen);

/// Tells it that what the guard of this member holds back is meant.
int allow_withdrawals(const std::string& listen, const std::string& member);

/// Has it withdraw all exports of this member, and tells how far it has come until the hub holds none.
int leave_fleet(const std::string& listen, const std::string& member);

} // namespace sliceferry
