#include "test/storm/simulation/exporter_shell.hpp"

#include "actors/core/desired_export.hpp"
#include "messages/overloaded.hpp"
#include "test/storm/simulation/process.hpp"

#include <utility>

namespace sliceferry::storm {

exporter_shell::exporter_shell(process& whole, const std::string& slice_uid, core::memory held)
  : whole_(whole), machine_(whole.identity(), slice_uid, std::move(held)) {}

void exporter_shell::absorb(const observation& seen) {
  const auto step = machine_.observe(seen, whole_.wall());
  if (step.action)
    act(*step.action);
  if (!step.settled)
    return;
  if (whole_.has(defect::rewrites_on_echo))
    rewrite(seen);
  whole_.tell_dispatcher(retire_request{machine_.slice_uid(), machine_.seen(), machine_.held()});
}

void exporter_shell::act(const core::slot_action& action) {
  const auto& member = whole_.identity()->cluster;
  const auto writer = is_member_write(*machine_.out()) ? server::member : server::hub;
  std::visit(overloaded{
               [&](const core::submit_command& x) {
                 whole_.tell_writer(writer, submission{{member, machine_.slice_uid(), x.ticket, x.what}, x.replaces});
               },
               [&](const core::take_back_command& x) {
                 whole_.tell_writer(writer, take_back_request{{{member, machine_.slice_uid()}, x.ticket}});
               },
             },
             action);
}

/// The planted bug of that name.
void exporter_shell::rewrite(const observation& seen) {
  const auto& slice = seen.now.slice;
  if (!slice || seen.ended)
    return;
  for (const auto& each : seen.now.hub) {
    if (!each.mine || slice->ours.name != each.name)
      continue;
    auto [spec, digest] = core::desire(*whole_.identity(), machine_.held(), *slice);
    const apply_export again{each.name, hub_target{each.uid, each.resource_version}, spec, digest};
    whole_.tell_writer(server::hub,
                       submission{{whole_.identity()->cluster, slice->uid, seen.number, again}, std::nullopt});
  }
}

} // namespace sliceferry::storm
