#pragma once
// The only test file that knows CAF's deterministic scheduler, which 0.17 has in its core library
// and 1.x in its test library.
#include "actors/caf_seam.hpp"
#include "messages/clock.hpp"

#include <caf/actor_registry.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace sliceferry {

/// An actor system in one thread and in virtual time: nothing happens but by `step`, `run` and
/// `next_moment`. All actors that it spawned end with it.
class staged_system {
public:
  staged_system() : system_(config_) {}
  ~staged_system() { end(); }
  staged_system(const staged_system&) = delete;
  staged_system& operator=(const staged_system&) = delete;

  template <class Actor, class... Args>
  caf::actor spawn(Args&&... args) {
    return spawned_.emplace_back(system_.spawn<Actor>(std::forward<Args>(args)...));
  }

  /// Ends all actors; what they refer to must still be there.
  void end() {
    for (const auto& actor : spawned_)
      tell_to_exit(actor);
    spawned_.clear();
    run();
  }

  /// Lets one actor take one message; false when none has any.
  bool step() { return stage().try_run_once(); }
  void run() {
    while (step()) {
    }
  }

  /// The actor that takes the next message, if it is one of this name; else null.
  caf::actor next(std::string_view name) {
    auto* who = stage().has_job() ? dynamic_cast<caf::scheduled_actor*>(stage().jobs.front()) : nullptr;
    return who && who->name() == name ? caf::actor_cast<caf::actor>(who) : nullptr;
  }

  /// Actors that live.
  std::size_t running() { return system_.registry().running(); }

  tick now() { return stage().clock().now(); }
  /// When the next delayed message is due.
  std::optional<tick> due() {
    const auto& moments = stage().clock().schedule();
    return moments.empty() ? std::nullopt : std::optional(moments.begin()->first);
  }
  /// Moves time to that moment and delivers the message.
  void next_moment() { stage().trigger_timeout(); }
  void advance(std::chrono::nanoseconds by) { stage().advance_time(by); }

private:
  struct staging : caf::actor_system_config {
    staging() { set("scheduler.policy", caf::atom("testing")); }
  };

  caf::scheduler::test_coordinator& stage() {
    return dynamic_cast<caf::scheduler::test_coordinator&>(system_.scheduler());
  }

  staging config_;
  caf::actor_system system_;
  std::vector<caf::actor> spawned_;
};

} // namespace sliceferry
