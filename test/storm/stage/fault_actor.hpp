#pragma once
#include "k8s/http_client.hpp"
#include "test/storm/stage/program.hpp"
#include "test/storm/weather/fault.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace sliceferry::storm {

/// Whether servers lose objects without anybody's request: then the users' plan and the clusters part.
bool loses_objects(const std::vector<fault>& forecast);

/// Lets the forecast come true: tells the simulated servers, and does itself what befalls the program.
class fault_actor {
public:
  /// What the judges must know of the program.
  enum class program_event {
    ending,  ///< it is about to be killed
    stopped, ///< nothing of it runs any more, and nothing was done to its files yet
    started,
    paused,
    continued,
    torn,        ///< its journal was damaged while it was down
    disk_struck, ///< for as long as the fault lasts
  };
  struct program_news {
    program_event what;
    std::chrono::milliseconds lasts{};
  };

  fault_actor(std::vector<fault> forecast, k8s::http_client* control, program& target,
              std::function<void(program_news)> tell);

  /// Does what is due `since` the storm's begin.
  void act(std::chrono::milliseconds since);
  /// Ends all faults: the program runs, the servers are well.
  void clear();

  std::size_t done() const { return next_; }
  /// The program was killed or stopped, and isn't running again yet.
  bool holds_program() const { return revive_at_ != std::chrono::milliseconds::max(); }
  /// The kind of the newest fault, or empty.
  const std::string& latest() const { return latest_; }

private:
  void begin(const fault& each, std::chrono::milliseconds since);
  void strike_program(const fault& each, std::chrono::milliseconds since);
  bool strike_disk(const fault& each, std::chrono::milliseconds since);
  void heal_disk(std::chrono::milliseconds since);
  void revive();

  std::vector<fault> forecast_;
  k8s::http_client* control_;
  program& target_;
  std::function<void(program_news)> tell_;
  std::size_t next_ = 0;
  std::string latest_;
  std::map<std::string, std::chrono::milliseconds> disk_until_; ///< by the fault's kind
  std::chrono::milliseconds revive_at_ = std::chrono::milliseconds::max();
};

} // namespace sliceferry::storm
