#pragma once
#include "messages/clock.hpp"

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace sliceferry {

/// Whether the threads that everything rests on still turn: each stamps its name from time to time.
///
/// Liveness looks at nothing else. A probe that fails with a remote server would restart every
/// agent in a hub outage, with all caches lost (pitfall of many controllers). Thread-safe.
class heartbeat {
public:
  static constexpr std::chrono::seconds every{5};
  static constexpr std::chrono::seconds silence_max{60};

  void beat(const std::string& part, tick now) {
    const std::lock_guard lock{guard_};
    beats_[part] = now;
  }

  /// Names of the parts that have been silent for too long.
  std::vector<std::string> silent(tick now) const {
    const std::lock_guard lock{guard_};
    std::vector<std::string> out;
    for (const auto& [part, last] : beats_)
      if (now - last > silence_max)
        out.push_back(part);
    return out;
  }

private:
  mutable std::mutex guard_;
  std::map<std::string, tick> beats_;
};

} // namespace sliceferry
