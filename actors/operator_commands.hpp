#pragma once
#include <chrono>
#include <functional>
#include <string>

namespace sliceferry {

// Commands for the program that runs on this machine and listens at this address (`settings::listen`).

/// What the running program said, or why it couldn't be asked.
struct command_end {
  bool done = false;
  std::string text; ///< whole lines
};

command_end show_guards(const std::string& listen);

/// Tells it that what the guard of this member holds back is meant.
command_end allow_withdrawals(const std::string& listen, const std::string& member);

/// Has it withdraw all exports of this member. Each line that `tell` gets says how far it has come; ends when the hub
/// holds none. The order stands whatever becomes of this command.
command_end leave_fleet(const std::string& listen, const std::string& member,
                        const std::function<void(const std::string&)>& tell);

/// What it answered to a GET.
struct program_answer {
  unsigned status = 0; ///< 0: none answers there, and `body` says why
  std::string body;
};

/// `patience`: how long it may take in all.
program_answer ask_running(const std::string& listen, const std::string& target,
                           std::chrono::milliseconds patience = std::chrono::seconds{35});

} // namespace sliceferry
