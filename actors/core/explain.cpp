#include "actors/core/explain.hpp"

#include "actors/core/decide.hpp"
#include "actors/core/desired_export.hpp"
#include "actors/core/evolve.hpp"
#include "actors/core/explain_words.hpp"
#include "actors/core/keeper.hpp"
#include "actors/core/outstanding.hpp"
#include "actors/core/progress.hpp"

#include <utility>

namespace sliceferry::core {

namespace {

/// What an exporter would hold once it had concluded all that this picture tells.
memory concluded(const member_identity& identity, memory held, const inputs& seen, seconds_utc now) {
  constexpr int rounds_max = 16; // as an exporter's
  for (int round = 0; round < rounds_max; ++round) {
    const auto events = decide(identity, held, seen, now);
    if (events.empty())
      break;
    for (const auto& each : events)
      held = evolve(std::move(held), each);
  }
  return held;
}

explained_rule as_explained(target_rule by) {
  switch (by) {
    case target_rule::leaving:
      return explained_rule::leaving;
    case target_rule::synced:
      return explained_rule::synced;
    case target_rule::presence:
      return explained_rule::presence;
    case target_rule::imported:
      return explained_rule::imported;
    case target_rule::address_type:
      return explained_rule::address_type;
    case target_rule::service:
      return explained_rule::service;
    case target_rule::deleting:
      return explained_rule::deleting;
    case target_rule::consent:
      return explained_rule::consent;
  }
  return explained_rule::synced;
}

constexpr target_rule table[] = {
  target_rule::leaving,      target_rule::synced,  target_rule::presence, target_rule::imported,
  target_rule::address_type, target_rule::service, target_rule::deleting, target_rule::consent,
};

ruling ruling_of(const target& aim, target_rule by, const inputs& seen) {
  if (aim.what == goal::export_it)
    return ruling::passes;
  const bool is_unjudged = by == target_rule::consent && seen.says == consent::pending;
  return aim.what == goal::wait || is_unjudged ? ruling::unknown : ruling::fails;
}

/// Needed only by withdrawals that rest on an absence.
finding leave_finding(const target& aim, const inputs& seen) {
  finding out{explained_rule::leave, ruling::not_reached, {}};
  if (aim.what != goal::withdraw || !needs_leave(aim.why))
    return out;
  out.is = seen.leave ? ruling::passes : ruling::fails;
  out.evidence = seen.leave ? "the guard lets withdrawals go ahead that rest on an absence"
                            : "the guard holds withdrawals that rest on an absence until their cause is confirmed";
  return out;
}

std::vector<finding> findings(const member_identity& identity, const reasoned_target& by, const inputs& seen) {
  std::vector<finding> out;
  bool is_reached = true;
  for (const auto rule : table) {
    finding each{as_explained(rule), ruling::not_reached, {}};
    if (is_reached) {
      each.is = rule == by.by ? ruling_of(by.aim, rule, seen) : ruling::passes;
      each.evidence = evidence_of(rule, identity, seen);
    }
    is_reached = is_reached && rule != by.by;
    out.push_back(std::move(each));
  }
  out.push_back(leave_finding(by.aim, seen));
  return out;
}

standing standing_of(const member_identity& identity, const memory& held, const inputs& seen, const target& aim) {
  switch (aim.what) {
    case goal::wait:
      return standing::undecided;
    case goal::ignore:
      return standing::not_exported;
    case goal::withdraw:
      return needs_leave(aim.why) && !seen.leave ? standing::held : standing::withdrawing;
    case goal::export_it:
      return is_exported(identity, held, seen) ? standing::exported : standing::exporting;
  }
  return standing::undecided;
}

std::vector<export_seen> exports_of(const member_identity& identity, const memory& held, const inputs& seen,
                                    bool is_wanted) {
  std::vector<export_seen> out;
  for (const auto& each : seen.hub) {
    export_seen shown{each.name,  each.uid, each.resource_version, each.generation,
                      each.since, {},       each.terminating,      std::nullopt};
    const bool mine = is_mine(held, each);
    shown.whose = mine ? owner_seen::this_slice : owner_seen::foreign;
    if (mine && is_wanted)
      shown.equivalent = holds(held, each, desire(identity, held, *seen.slice).digest);
    out.push_back(std::move(shown));
  }
  return out;
}

} // namespace

explanation explain(const member_identity& identity, const memory& held, const inputs& seen, const command* out,
                    seconds_utc now) {
  const auto by = reason_target(identity, held, seen);
  const auto after = out ? held : concluded(identity, held, seen, now);
  const bool is_wanted = by.aim.what == goal::export_it;
  explanation told;
  told.member = identity.cluster;
  told.slice = seen.slice ? seen.slice->key : seen.key;
  told.uid = seen.slice ? seen.slice->uid : "";
  told.rules = findings(identity, by, seen);
  told.stands = standing_of(identity, after, seen, by.aim);
  told.by = told.stands == standing::held ? explained_rule::leave : as_explained(by.by);
  if (by.aim.what == goal::withdraw)
    told.why = by.aim.why;
  told.owed = outstanding(identity, after, seen);
  told.name_is_made_up = after.names_chosen != held.names_chosen;
  if (is_wanted) {
    const auto [rule, name] = choose_name(held, seen);
    told.name = name_found{rule, name, evidence_of(rule, held, seen)};
    told.since = since_found{seen.slice->generation, after.since, evidence_of_last_seen(*seen.slice)};
  }
  told.exports = exports_of(identity, after, seen, is_wanted);
  told.conclusion = conclude(told, after, seen);
  return told;
}

} // namespace sliceferry::core
