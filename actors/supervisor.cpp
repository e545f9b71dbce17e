#include "actors/supervisor.hpp"

#include "actors/admin/heartbeat.hpp"
#include "actors/admin/readiness.hpp"
#include "actors/log.hpp"

namespace sliceferry {

supervisor::supervisor(caf::actor_config& config, std::shared_ptr<const fleet_plan> plan)
  : caf::event_based_actor(config), plan_(std::move(plan)), delays_(core::watch_backoff, plan_->seed) {}

caf::behavior supervisor::make_behavior() {
  beat();
  build();
  return {
    [this](const part_died& died) { rebuild(died); },
    [this](const beat_due&) { beat(); },
    [this](const build_due&) { build(); },
    [this](const stop_request& asked) { stop(asked); },
  };
}

void supervisor::beat() {
  plan_->pulse->beat("actor scheduler", clock().now());
  tell_after(this, heartbeat::every, caf::actor{this}, beat_due{});
}

void supervisor::build() {
  if (fleet_ || stopping_)
    return;
  built_ = clock().now();
  fleet_ = std::make_unique<fleet>(system(), plan_, [self = caf::actor{this}](std::string who, std::string why) {
    tell_from_thread(self, part_died{std::move(who), std::move(why)});
  });
}

void supervisor::rebuild(const part_died& died) {
  if (!fleet_ || stopping_)
    return;
  log::error("a part died, building everything anew", {{"part", died.who}, {"error", died.why}});
  fleet_.reset();
  plan_->board->reset();
  // One that lived for a while was sound; what killed it is no reason to wait long.
  if (clock().now() - built_ > std::chrono::minutes(5))
    delays_.reset();
  tell_after(this, delays_.next(), caf::actor{this}, build_due{});
}

void supervisor::stop(const stop_request& asked) {
  stopping_ = asked;
  if (!fleet_)
    return writer_ended();
  fleet_->stop_watching();
  draining_ = fleet_->writers().size();
  for (const auto& writer : fleet_->writers())
    ask(this, writer, drain_request{})
      .then([this](const drained&) { writer_ended(); }, [this](const caf::error&) { writer_ended(); });
}

void supervisor::writer_ended() {
  if (draining_ > 0 && --draining_ > 0)
    return;
  fleet_.reset();
  stopping_->done->set_value();
  quit();
}

} // namespace sliceferry
