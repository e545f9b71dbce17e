#pragma once
#include "test/storm/server/server_state.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace sliceferry::storm {

/// Plays the hub's controller of exports: puts its finalizer on each new export some milliseconds later, and takes it
/// from terminating ones some time after. All of it in `tick`, with delays that follow from the seed.
class hub_controller {
public:
  static constexpr std::string_view user = "system:hub-controller";
  static constexpr std::string_view finalizer = "networking.fleet.azure.com/endpointsliceexport-cleanup";
  static constexpr std::string_view plural = "endpointsliceexports";

  explicit hub_controller(std::uint64_t seed) : state_(seed | 1U) {}

  /// To be told of each change of an export.
  void saw(const logged_event& event, instant now);
  /// Looks at all exports anew, as after a restored backup.
  void look_again(server_state& state);
  void tick(server_state& state);

private:
  struct task {
    std::string nspace;
    std::string name;
    bool release = false; ///< else: adopt
  };

  void plan(const std::string& nspace, const std::string& name, const revision& object, instant now);
  void act(server_state& state, const task& due) const;
  /// Uniform in the bounds, in milliseconds.
  instant delay(std::uint64_t least_ms, std::uint64_t most_ms);

  std::multimap<instant, task> due_;
  std::uint64_t state_;
};

} // namespace sliceferry::storm
