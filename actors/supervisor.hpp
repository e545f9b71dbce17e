#pragma once
#include "actors/core/backoff.hpp"
#include "actors/fleet.hpp"
#include "actors/mail.hpp"

#include <cstddef>
#include <future>
#include <memory>
#include <optional>

namespace sliceferry {

/// Stop watching, let the writes in flight end, then tear everything down.
struct stop_request {
  std::shared_ptr<std::promise<void>> done;
};

/// The supervisor's own reminders: it is alive; the pause before building anew is over.
struct beat_due {};
struct build_due {};

/// Owns the fleet: builds it, builds it anew when a part that must live has died, and ends it in
/// order. Rebuilding loses nothing but warmth, since everything is derived from the clusters.
class supervisor : public caf::event_based_actor {
public:
  supervisor(caf::actor_config& config, std::shared_ptr<const fleet_plan> plan);

  const char* name() const override { return "supervisor"; }
  caf::behavior make_behavior() override;
  void on_exit() override { fleet_.reset(); }

private:
  void beat();
  void build();
  void rebuild(const part_died& died);
  void stop(const stop_request& asked);
  void writer_ended();

  std::shared_ptr<const fleet_plan> plan_;
  std::unique_ptr<fleet> fleet_;
  core::backoff delays_;
  tick built_{};
  std::optional<stop_request> stopping_;
  std::size_t draining_ = 0; ///< writers that haven't answered yet
};

} // namespace sliceferry

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::stop_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::beat_due)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::build_due)
