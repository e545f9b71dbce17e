#pragma once
#include "actors/core/exporter.hpp"
#include "actors/export_log.hpp"
#include "actors/journal/journal_port.hpp"
#include "actors/mail.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sliceferry {

class metrics;

/// Whom the exporters of one member talk to; shared by all of them.
struct exporter_ports {
  std::shared_ptr<const core::member_identity> identity;
  caf::actor dispatcher;
  caf::actor member_writer;
  caf::actor hub_writer;
  journal::journal_port* journal = nullptr; ///< these outlive the actor system
  metrics* figures = nullptr;
};

/// One EndpointSlice's export, for as long as anything about it is unsettled.
///
/// The shell of `core::exporter`: takes observations, logs and journals the events, sends the one
/// command that is owed, asks to retire when nothing is. It decides nothing.
class slice_exporter : public caf::event_based_actor {
public:
  /// `decided_at`: where in the journal the decisions end that `held` may come from.
  slice_exporter(caf::actor_config& config, std::shared_ptr<const exporter_ports> ports, std::string slice_uid,
                 core::memory held, std::uint64_t decided_at);

  const char* name() const override { return "slice_exporter"; }
  caf::behavior make_behavior() override;

private:
  void absorb(const observation& seen);
  void record(const observation& seen, const std::vector<event>& events);
  std::uint64_t remember(const observation& seen, const std::vector<event>& events, bool was_over);
  void act(const core::slot_action& action, std::uint64_t durable_at);

  std::shared_ptr<const exporter_ports> ports_;
  std::string slice_uid_;
  export_log log_;
  bool begins_;              ///< memory was blank, and no event was journaled since
  std::uint64_t decided_at_; ///< of the last decision, in the journal
  core::exporter machine_;
  std::optional<tick> owed_since_; ///< when the news that isn't on the hub yet reached us
};

} // namespace sliceferry
