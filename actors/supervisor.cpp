#include "actors/supervisor.hpp"

#include "actors/log.hpp"

namespace sliceferry {

supervisor::supervisor(caf::actor_config& config, std::shared_ptr<const fleet_plan> plan)
  : caf::event_based_actor(config), plan_(std::move(plan)), delays_(core::watch_backoff, plan_->seed) {}

caf::behavior supervisor::make_behavior() {
  build();
  return {
    [this](const part_died& died) { rebuild(died); },
    [this](const moment_due&) { build(); },
    [this](const stop_request& asked) { stop(asked); },
  };
}

void supervisor::build() {
  if (fleet_ || stopping_)
    return;
  fleet_ = std::make_unique<fleet>(system(), plan_, [self = caf::actor{this}](std::string who, std::string why) {
    tell_from_thread(self, part_died{std::move(who), std::move(why)});
  });
}

void supervisor::rebuild(const part_died& died) {
  if (!fleet_ || stopping_)
    return;
  log::error("a part died, building everything anew", {{"part", died.who}, {"error", died.why}});
  fleet_.reset();
  tell_after(this, delays_.next(), caf::actor{this}, moment_due{});
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
