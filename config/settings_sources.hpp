#pragma once
#include "config/setting_error.hpp"
#include "config/setting_flags.hpp"
#include "config/settings.hpp"
#include "config/settings_draft.hpp"
#include "config/surroundings.hpp"

#include <string>

namespace sliceferry {

/// What a settings file says. Finds YAML that is none, unknown, repeated and empty settings.
settings_draft read_settings_file(const std::string& path, const std::string& text, setting_errors& errors);

/// Overlays the Go agent's variables, then the flags; then fills in the default ways to a cluster.
void overlay_sources(settings_draft& draft, const setting_flags& flags, const surroundings& around,
                     setting_errors& errors);

/// Judges how one server is reached and how hard it may be asked; not whether a way is given at all.
server_settings judge_server(const server_draft& draft, const surroundings& around, setting_errors& errors);

/// Judges the whole. What it returns is valid if no error was found.
settings judge_settings(const settings_draft& draft, const surroundings& around, setting_errors& errors);

} // namespace sliceferry
