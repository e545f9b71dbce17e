#pragma once
#include "actors/core/evolve.hpp"
#include "actors/journal/journal_port.hpp"
#include "test/bench/settled_fleet.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace sliceferry::bench {

/// What the exporters of a fleet's slices hand to the journal, made beforehand: so that a measurement of the journal
/// holds nothing else.
class slice_lives {
public:
  /// One step of an exporter, with the memory that it leads to.
  struct step {
    std::vector<event> told;
    core::memory after;
    bool begins = false;
  };
  static constexpr std::size_t steps_of_export = 3;
  static constexpr std::size_t events_of_export = 4;

  /// The slices with numbers in [first, first + count).
  slice_lives(std::size_t first, std::size_t count) {
    const settled_fleet fleet;
    lives_.reserve(count);
    for (std::size_t i = first; i < first + count; ++i)
      lives_.push_back(life_of(fleet, i));
  }

  std::size_t size() const { return lives_.size(); }

  /// The slice is seen and named, annotated, exported: step 0, 1, 2. Returns the journal's position.
  std::uint64_t append(journal::journal_port& to, std::size_t slice, std::size_t number) const {
    const auto& whose = lives_[slice];
    const auto& next = whose.steps[number];
    return to.append({whose.id, whose.key, next.told, next.after, next.begins});
  }

  /// What a start without a journal adds for a slice in sync: one event, and that its stream begins.
  std::uint64_t append_adoption(journal::journal_port& to, std::size_t slice) const {
    const auto& whose = lives_[slice];
    const auto& last = whose.steps.back().after;
    const std::array<event, 1> told{adopted{last.name, last.generation, last.since, last.hub_uids, last.digest}};
    return to.append({whose.id, whose.key, told, last, true});
  }

  /// One event of a slice that was exported before.
  std::uint64_t append_change(journal::journal_port& to, std::size_t slice) const {
    const auto& whose = lives_[slice];
    return to.append({whose.id, whose.key, whose.steps.back().told, whose.steps.back().after, false});
  }

private:
  struct life {
    journal::stream_id id;
    object_key key;
    std::array<step, steps_of_export> steps;
  };

  static life life_of(const settled_fleet& fleet, std::size_t i) {
    const auto slice = fleet.slice(i, true);
    life out{{fleet.who()->cluster, fleet.uid(i, 1)}, slice.key, {}};
    out.steps[0].told = {generation_seen{slice.generation, fleet.since(i)}, name_chosen{*slice.ours.name}};
    out.steps[0].begins = true;
    out.steps[1].told = {annotated{slice.generation}};
    const std::uint64_t digest = 0x9e3779b97f4a7c15U * (i + 1);
    out.steps[2].told = {export_applied{*slice.ours.name, fleet.uid(i, 3), digest, digest}};
    core::memory held;
    for (auto& each : out.steps) {
      for (const auto& told : each.told)
        held = core::evolve(std::move(held), told);
      each.after = held;
    }
    return out;
  }

  std::vector<life> lives_;
};

} // namespace sliceferry::bench
