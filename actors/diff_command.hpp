#pragma once
#include "actors/server_access.hpp"
#include "config/question.hpp"
#include "config/settings.hpp"

#include <functional>
#include <string>

namespace sliceferry {

/// `sliceferry diff`: of all members or one, what differs between their clusters as they are and as they should be.
///
/// Sends nothing but GETs. What differs is read once more after a moment, whole, and only what both readings show is
/// told: an agent may be at work. `tell` gets each member's report, in the order of the settings, `complain` what
/// could not be read. Returns the program's exit code: failed if anything differs or could not be read.
int diff_clusters(const settings& chosen, const server_access& access, const question& about,
                  const std::function<void(const std::string&)>& tell,
                  const std::function<void(const std::string&)>& complain);

} // namespace sliceferry
