#pragma once
#include "actors/mail.hpp"

#include <map>
#include <string>

namespace sliceferry {

/// Passes what is seen of the hub's exports to the dispatcher of the member whose hub namespace
/// they live in. Holds nothing but that routing.
class hub_dispatcher : public caf::event_based_actor {
public:
  /// `members`: the members' dispatchers by hub namespace.
  hub_dispatcher(caf::actor_config& config, std::map<std::string, caf::actor> members)
    : caf::event_based_actor(config), members_(std::move(members)) {}

  const char* name() const override { return "hub_dispatcher"; }

  caf::behavior make_behavior() override {
    return {[this](const exports_read& seen) {
      if (const auto found = members_.find(seen.hub_nspace); found != members_.end())
        tell(this, found->second, seen);
    }};
  }

  void on_exit() override { members_.clear(); }

private:
  std::map<std::string, caf::actor> members_;
};

} // namespace sliceferry
