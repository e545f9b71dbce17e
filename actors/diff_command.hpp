#pragma once
#include "actors/server_access.hpp"
#include "config/question.hpp"
#include "config/settings.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace sliceferry {

/// Whom `diff_clusters` speaks to, and how patient it is.
struct diff_ports {
  std::function<void(const std::string&)> tell;     ///< gets reports, with the ends of their lines
  std::function<void(const std::string&)> complain; ///< gets one line without its end
  /// Before the second reading. An agent that writes at once is done by then.
  std::chrono::milliseconds pause{2'000};
};

/// `sliceferry diff`: of all members or one, what differs between their clusters as they are and as they should be.
///
/// Sends nothing but GETs. What differs is read once more after a pause, whole, and only what both readings show is
/// told: an agent may be at work. Each member's report is told in the order of the settings, what could not be read is
/// complained of. Returns the program's exit code: failed if anything differs or could not be read.
int diff_clusters(const settings& chosen, const server_access& access, const question& about, const diff_ports& ports);

} // namespace sliceferry
