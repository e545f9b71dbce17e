#pragma once
#include "actors/log_line.hpp"
#include "config/settings.hpp"

#include <string_view>

/// The program's only log: one line per fact on standard error, for people (`text`) or machines
/// (`json`: one object per line with ts, level, msg and the fields). Callable from any thread.
///
///     log::info("exported", {{"member", m}, {"namespace", key.nspace}, {"name", key.name}});
///
/// Lines never hold credentials: everything passes through `redact`. Equal warnings and errors are
/// printed once a minute, then with `repeated`, the number of those left out.
namespace sliceferry::log {

/// Fixes form and level; before it lines are text from info on. `automatic`: text on a terminal.
void open(log_format format, log_level level);

void debug(std::string_view message, fields values = {});
void info(std::string_view message, fields values = {});
void warning(std::string_view message, fields values = {});
void error(std::string_view message, fields values = {});

} // namespace sliceferry::log
