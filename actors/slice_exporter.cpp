#include "actors/slice_exporter.hpp"

#include "actors/admin/metrics.hpp"
#include "messages/overloaded.hpp"

#include <chrono>
#include <exception>

namespace sliceferry {

namespace {

seconds_utc wall_clock() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

} // namespace

slice_exporter::slice_exporter(caf::actor_config& config, std::shared_ptr<const exporter_ports> ports,
                               std::string slice_uid, core::memory held)
  : caf::event_based_actor(config), ports_(std::move(ports)), slice_uid_(std::move(slice_uid)),
    machine_(ports_->identity, slice_uid_, std::move(held)), log_(ports_->identity->cluster) {
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
  return {[this](const observation& seen) { absorb(seen); }};
}

void slice_exporter::absorb(const observation& seen) {
  auto step = machine_.observe(seen, wall_clock());
  record(seen, step.events);
  if (step.action && ports_->journal.append(slice_uid_, step.events))
    act(*step.action);
  if (step.settled) {
    owed_since_.reset();
    tell(this, ports_->dispatcher, retire_request{slice_uid_, machine_.seen(), machine_.held()});
  }
}

void slice_exporter::record(const observation& seen, const std::vector<event>& events) {
  for (const auto& told : events) {
    log_.write(seen.now, told);
    if (std::holds_alternative<export_applied>(told) && owed_since_) {
      ports_->metrics->propagated(std::chrono::steady_clock::now() - *owed_since_);
      owed_since_.reset();
    }
  }
}

void slice_exporter::act(const core::slot_action& action) {
  const auto writer = [this](const command& what) {
    return is_member_write(what) ? ports_->member_writer : ports_->hub_writer;
  };
  std::visit(overloaded{
               [&](const core::submit& x) {
                 tell(this, writer(x.what),
                      submission{ports_->identity->cluster, slice_uid_, x.ticket, x.replaces, x.what, ports_->dispatcher});
               },
               [&](const core::take_back& x) {
                 tell(this, writer(x.what), take_back_request{slice_uid_, x.ticket, ports_->dispatcher});
               },
             },
             action);
}

} // namespace sliceferry
