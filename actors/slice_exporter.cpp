#include "actors/slice_exporter.hpp"

#include "actors/admin/metrics.hpp"
#include "actors/core/decision.hpp"
#include "actors/wall_clock.hpp"
#include "messages/overloaded.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace sliceferry {

slice_exporter::slice_exporter(caf::actor_config& config, std::shared_ptr<const exporter_ports> ports,
                               std::string slice_uid, core::memory held, std::uint64_t decided_at)
  : caf::event_based_actor(config), ports_(std::move(ports)), slice_uid_(std::move(slice_uid)),
    log_(ports_->identity->cluster, held), begins_(held == core::memory{}), decided_at_(decided_at),
    machine_(ports_->identity, slice_uid_, std::move(held)) {
  set_exception_handler([this](std::exception_ptr& thrown) -> caf::error {
    std::string what = "unknown exception";
    try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& known) {
      what = known.what();
    }
    tell(this, ports_->dispatcher, exporter_failed{slice_uid_, std::move(what)});
    return caf::exit_reason::unhandled_exception;
  });
}

caf::behavior slice_exporter::make_behavior() {
  return {
    [this](const observation& seen) { absorb(seen); },
    [this](const progress_request&) -> caf::result<progress_reply> {
      return progress_reply{machine_.held(), machine_.out() ? std::optional{*machine_.out()} : std::nullopt};
    },
  };
}

void slice_exporter::absorb(const observation& seen) {
  const bool was_over = core::ended(machine_.held());
  auto step = machine_.observe(seen, wall_clock());
  if (!owed_since_ && !step.settled)
    owed_since_ = seen.seen_at;
  record(seen, step.events);
  const auto durable_at = remember(seen, step.events, was_over);
  if (step.action)
    act(*step.action, durable_at);
  if (step.settled) {
    owed_since_.reset();
    tell(this, ports_->dispatcher, retire_request{slice_uid_, machine_.seen(), machine_.held(), decided_at_});
  }
}

void slice_exporter::record(const observation& seen, const std::vector<event>& events) {
  for (const auto& told : events) {
    ports_->figures->told(told);
    log_.write(seen.now, machine_.held().name, told);
    if (std::holds_alternative<export_applied>(told) && owed_since_) {
      ports_->figures->propagated(clock().now() - *owed_since_);
      owed_since_.reset();
    }
  }
}

/// Where in the journal the last decision is, for which the command must wait. What only the clusters told is written
/// too, and waits for nobody.
std::uint64_t slice_exporter::remember(const observation& seen, const std::vector<event>& events, bool was_over) {
  if (events.empty())
    return decided_at_;
  const journal::stream_id whose{ports_->identity->cluster, slice_uid_};
  const auto position =
    ports_->journal->append({whose, seen.now.key, events, machine_.held(), std::exchange(begins_, false), was_over});
  if (std::ranges::any_of(events, core::is_decision))
    decided_at_ = position;
  return decided_at_;
}

void slice_exporter::act(const core::slot_action& action, std::uint64_t durable_at) {
  const auto& member = ports_->identity->cluster;
  // What is out while a wish is unanswered is still the command that the wish is about.
  const auto& writer = is_member_write(*machine_.out()) ? ports_->member_writer : ports_->hub_writer;
  std::visit(overloaded{
               [&](const core::submit_command& x) {
                 tell(this, writer,
                      submission{member, slice_uid_, x.ticket, x.replaces, x.what, ports_->dispatcher, durable_at});
               },
               [&](const core::take_back_command& x) {
                 tell(this, writer, take_back_request{member, slice_uid_, x.ticket, ports_->dispatcher});
               },
             },
             action);
}

} // namespace sliceferry
