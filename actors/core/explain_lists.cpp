#include "actors/core/explain_lists.hpp"

#include "actors/core/explain.hpp"
#include "actors/core/member_table.hpp"

#include <memory>
#include <string_view>

namespace sliceferry::core {

namespace {

template <class T>
watch_batch<T> whole(std::vector<T> items, const std::string& version = {}) {
  watch_batch<T> out;
  out.events.push_back({watch_change::init, {}});
  for (auto& each : items)
    out.events.push_back({watch_change::applied, std::move(each)});
  T end;
  end.resource_version = version;
  out.events.push_back({watch_change::init_done, std::move(end)});
  return out;
}

template <class T>
std::vector<T> if_any(const std::optional<T>& one) {
  return one ? std::vector{*one} : std::vector<T>{};
}

/// The table takes all slices but the one for absent, since no other was read. Of the others nothing is asked.
void fill(member_table& table, const slice_readings& read) {
  table.leave(read.leaving);
  table.slices(whole(if_any(read.slice)));
  table.consents(whole(if_any(read.consent)));
  table.exports(whole(read.exports, read.exports_version));
  const auto uid = read.slice ? std::optional{read.slice->uid} : std::nullopt;
  for (const auto& suspect : table.take_leftovers(tick{}))
    if (suspect.slice == read.where)
      table.confirm(suspect, uid);
}

/// What was read tells nothing of orders, queues and the guard, and it isn't by complete lists that it was read.
void leave_open(explanation& told) {
  for (auto& each : told.rules) {
    if (each.rule == explained_rule::leaving && each.is == ruling::passes)
      each = {each.rule, ruling::unknown,
              "the settings don't say so, and only a running program knows whether an operator has member " +
                told.member + " leave the fleet"};
    if (each.rule == explained_rule::synced && each.is == ruling::passes)
      each = {each.rule, ruling::unknown,
              "only a running program lists all; read were this slice, its ServiceExport and the member's exports"};
    if (each.rule == explained_rule::leave && each.is != ruling::not_reached)
      each = {each.rule, ruling::unknown, "only a running program knows what its guard holds back"};
  }
  constexpr std::string_view claim = "being withdrawn: ";
  if (told.conclusion.starts_with(claim))
    told.conclusion.replace(0, claim.size(), "to be withdrawn: ");
}

} // namespace

std::vector<explanation> explain_readings(const member_identity& identity, const slice_readings& read,
                                          seconds_utc now) {
  auto who = std::make_shared<member_identity>(identity);
  who->orphan_grace = std::chrono::nanoseconds{0}; // grace is for the one who deletes
  member_table table{who};
  fill(table, read);
  std::vector<explanation> out;
  for (const auto& uid : table.search(read.where).uids) {
    auto told = explain(*who, {}, table.inputs_at(uid, read.where), nullptr, now);
    told.uid = uid;
    for (auto& each : told.exports)
      if (each.whose == owner_seen::foreign && table.is_claimed(each.name))
        each.whose = owner_seen::another_slice;
    leave_open(told);
    out.push_back(std::move(told));
  }
  return out;
}

} // namespace sliceferry::core
