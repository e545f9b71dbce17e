#include "test/storm/weather/storm_table.hpp"

#include "test/storm/weather/targets.hpp"

#include <algorithm>

namespace sliceferry::storm {
namespace {

deeds roll_deployments(const fleet& all, dice& chance) {
  const targets here{all, chance};
  const auto rolling = here.some_services(8);
  const std::uint32_t pods = chance.between(1, 12);
  deeds out;
  for (std::uint32_t i = 0; i < pods; ++i)
    for (const deed_kind step : {deed_kind::retire_pod, deed_kind::finish_pod})
      for (const auto& each : rolling)
        here.add_slices(out, step, each);
  for (const auto& each : rolling)
    if (chance.chance(10))
      here.add_slices(out, deed_kind::change_ports, each);
    else
      here.add_repacking(out, each);
  return out;
}

deeds scale_services(const fleet& all, dice& chance) {
  const targets here{all, chance};
  const auto scaled = here.some_services(12);
  deeds out;
  for (const deed_kind step : {deed_kind::empty_slice, deed_kind::refill_slice})
    for (const auto& each : scaled)
      here.add_slices(out, step, each);
  return out;
}

deeds lose_node(const fleet& all, dice& chance) {
  const targets here{all, chance};
  const std::uint32_t node = chance.below(here.member().nodes);
  deeds out;
  for (const deed_kind step : {deed_kind::lose_node, deed_kind::regain_node})
    for (const std::uint32_t each : here.slices_on(node))
      out.push_back(here.to(step, each, node));
  return out;
}

deeds recreate_slices(const fleet& all, dice& chance) {
  const targets here{all, chance};
  deeds out;
  const auto chosen = here.slices_of(here.live_nspace());
  for (const deed_kind step : {deed_kind::delete_slice, deed_kind::create_slice})
    for (const std::uint32_t each : chosen)
      out.push_back(here.to(step, each));
  return out;
}

deeds delete_nspaces(const fleet& all, dice& chance) {
  const targets here{all, chance};
  deeds out;
  if (const auto doomed = here.live_nspace()) {
    here.add_end(out, *doomed);
    here.add_rebirth(out, *doomed);
  }
  return out;
}

deeds flap_consents(const fleet& all, dice& chance) {
  const targets here{all, chance};
  const auto flapping = here.some_services(12);
  deeds out;
  for (const auto& each : flapping)
    here.add_spoiling(out, each);
  for (const auto& each : flapping)
    here.add_mending(out, each);
  return out;
}

deeds move_labels(const fleet& all, dice& chance) {
  const targets here{all, chance};
  const auto moved = here.some_slices(10);
  deeds out;
  for (const std::uint32_t each : moved)
    out.push_back(here.to(deed_kind::relabel_slice, each, here.another_label(each)));
  for (const std::uint32_t each : moved)
    out.push_back(here.to(deed_kind::relabel_slice, each, here.member().slices[each].service));
  return out;
}

/// A deletion and a creation where a slice changes its family at once: real servers let nobody edit `addressType`.
deeds change_families(const fleet& all, dice& chance) {
  const targets here{all, chance};
  deeds out;
  for (const std::uint32_t each : here.some_of(here.member().families, 4)) {
    out.push_back(here.to(deed_kind::delete_slice, each));
    if (!here.member().slices[each].present || chance.chance(50))
      out.push_back(here.to(deed_kind::create_slice, each));
    out.push_back(here.to(deed_kind::churn_slice, each));
  }
  return out;
}

deeds tamper_annotations(const fleet& all, dice& chance) {
  const targets here{all, chance};
  deeds out;
  for (const std::uint32_t each : here.some_slices(1))
    out.push_back(here.to(deed_kind::tamper, each));
  return out;
}

deeds import_again(const fleet& all, dice& chance) {
  const targets here{all, chance};
  deeds out;
  for (const std::uint32_t each : here.some_of(here.member().imports, 4)) {
    out.push_back(here.to(deed_kind::create_slice, each));
    out.push_back(here.to(deed_kind::churn_slice, each));
    if (chance.chance(30))
      out.push_back(here.to(deed_kind::delete_slice, each));
  }
  // Somebody's slice that looks imported for a while.
  if (chance.chance(25))
    for (const std::uint32_t is_imported : {1U, 0U})
      for (const std::uint32_t each : here.some_slices(2))
        out.push_back(here.to(deed_kind::claim_slice, each, is_imported));
  return out;
}

deeds bump_metadata(const fleet& all, dice& chance) {
  const targets here{all, chance};
  deeds out;
  for (const std::uint32_t each : here.some_slices(1))
    out.push_back(here.to(deed_kind::touch_slice, each));
  return out;
}

deeds never_rest(const fleet& all, dice&) {
  if (!all.restless)
    return {};
  return {{.what = deed_kind::churn_slice, .member = 0, .object = *all.restless}};
}

/// One export after the other, so that none has its second turn for long: who undoes several again and again is taken
/// for another agent of the same name, whose leftovers stay.
deeds tamper_with_exports(const fleet& all, dice& chance) {
  constexpr std::uint32_t pace = 15; ///< requests for each that tampers
  const targets here{all, chance};
  const std::uint32_t turn = (all.changes - all.changes_of_setup) / pace;
  deeds out{
    here.to(deed_kind::meddle, turn % static_cast<std::uint32_t>(here.member().slices.size()), turn % tamperings)};
  for (std::uint32_t i = 1; i < pace; ++i)
    for (const std::uint32_t each : here.some_slices(1))
      out.push_back(here.to(deed_kind::touch_slice, each));
  return out;
}

/// Always the same few exports of the first member, for half of the storm at its usual rate; then it gives up.
deeds contest_exports(const fleet& all, dice& chance) {
  constexpr std::uint32_t changes = 2'000;
  constexpr std::size_t contested = 4;
  deeds out;
  if (all.changes > all.changes_of_setup + changes)
    return bump_metadata(all, chance);
  const auto& member = all.members.front();
  for (std::uint32_t i = 0; i < member.slices.size() && out.size() < contested; ++i) {
    const slice& each = member.slices[i];
    const bool is_exported =
      each.role == slice_role::ordinary && each.label == each.service && member.home(each).judged == verdict::valid;
    // The last one is deleted again and again, the others are edited.
    const auto how = out.size() + 1 == contested ? export_deed::snatch : export_deed::revert;
    if (is_exported && each.present)
      out.push_back({deed_kind::meddle, 0, i, static_cast<std::uint32_t>(how)});
  }
  return out;
}

/// The steps wait in their lane, so that the storm's end leaves none of them out; meanwhile slices change.
deeds remake_hub_nspaces(const fleet& all, dice& chance) {
  constexpr int changes = 900;
  const targets here{all, chance};
  deeds out;
  for (const auto step : {deed_kind::delete_hub_nspace, deed_kind::empty_hub_nspace, deed_kind::finalize_hub_nspace,
                          deed_kind::create_hub_nspace})
    out.push_back(here.to(step, 0));
  for (int i = 0; i < changes; ++i)
    for (const std::uint32_t each : here.some_slices(1))
      out.push_back(here.to(deed_kind::churn_slice, each));
  return out;
}

constexpr storm_kind table[]{
  {"rolling", "Rolling restarts: readiness flips pod after pod, slices are repacked.", 30, 1, roll_deployments},
  {"scaling", "Services scale to zero and back: slices emptied and their annotations wiped.", 10, 1, scale_services},
  {"node_loss", "A node dies: all its endpoints aren't ready at once, and later are again.", 12, 1, lose_node},
  {"recreation", "All slices of a namespace are deleted and made again under their names.", 10, 1, recreate_slices},
  {"namespaces", "A namespace is deleted with all that is in it, and later made again.", 8, 10, delete_nspaces},
  {"flapping", "ServiceExports turn invalid or conflicted, are deleted, made again, judged again.", 8, 1,
   flap_consents},
  {"labels", "Slices move to other services, exported or not, or lose their service label.", 6, 1, move_labels},
  {"families", "IPv6 and headless slices come and go, some under one name.", 4, 10, change_families},
  {"tampering", "Somebody edits the exporter's annotations.", 4, 1, tamper_annotations},
  {"imports", "The importer's slices come, change and go; none may be exported.", 4, 1, import_again},
  {"metadata", "Annotations change that mean nothing to the export.", 6, 1, bump_metadata},
  {"restless", "One slice changes without pause.", 10, 1, never_rest},
  {"hub_tampering", "Somebody edits, deletes, replaces, holds and doubles exports on the hub.", 30, 1,
   tamper_with_exports, true},
  {"rival", "Another agent undoes a few exports again and again, and then gives up.", 20, 10, contest_exports, true},
  {"hub_namespaces", "A member's namespace on the hub terminates, is gone for a while and made again.", 30, 1,
   remake_hub_nspaces, true},
};

} // namespace

std::span<const storm_kind> storms() {
  return table;
}

const storm_kind* find_storm(std::string_view name) {
  const auto* found = std::find_if(std::begin(table), std::end(table), [&](const auto& x) { return x.name == name; });
  return found == std::end(table) ? nullptr : found;
}

} // namespace sliceferry::storm
