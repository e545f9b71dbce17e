#pragma once
#include "config/settings.hpp"

#include <string>

namespace sliceferry {

/// All settings as a settings file that would give them, defaults included. Values of headers are
/// replaced by `<hidden>`: they may be credentials. Tokens are never part of settings.
std::string print_settings(const settings& what);

} // namespace sliceferry
