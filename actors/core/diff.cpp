#include "actors/core/diff.hpp"

#include "actors/core/explain_words.hpp"
#include "actors/core/former_target.hpp"
#include "actors/core/keeper.hpp"
#include "actors/core/last_seen.hpp"
#include "actors/core/member_table.hpp"
#include "actors/core/project.hpp"
#include "actors/core/shadow_run.hpp"
#include "actors/core/target.hpp"
#include "messages/overloaded.hpp"
#include "messages/rfc3339.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace sliceferry::core {

namespace {

constexpr std::string_view name_key = "networking.fleet.azure.com/fleet-unique-name";
constexpr std::string_view generation_key = "networking.fleet.azure.com/last-seen-generation";
constexpr std::string_view timestamp_key = "networking.fleet.azure.com/last-seen-timestamp";
constexpr std::string_view new_time = "the time of the next write";

auto order_of(const difference& each) {
  return std::tie(each.kind, each.slice, each.export_name, each.slice_uid);
}

template <class T>
watch_batch<T> listed(const std::vector<T>& items, const std::string& version) {
  watch_batch<T> out;
  out.events.reserve(items.size() + 2);
  out.events.push_back({watch_change::init, {}});
  for (const T& each : items)
    out.events.push_back({watch_change::applied, each});
  out.events.push_back({watch_change::init_done, {}});
  out.events.back().object.resource_version = version;
  return out;
}

/// The differences of one slice, from what would be done about it.
class slice_judge {
public:
  slice_judge(const member_identity& identity, const std::map<std::string_view, const slice_export*>& exports,
              std::string uid, std::vector<difference>& out)
    : identity_{identity}, exports_{exports}, uid_{std::move(uid)}, out_{out} {}

  void judge(const inputs& seen, seconds_utc now) {
    const auto run = run_shadow(identity_, seen, now);
    was_ = &seen;
    const std::size_t before = out_.size();
    for (const auto& step : run.steps) {
      take(run, step);
      if (step.renames)
        return; // what else would be done follows from the new name
    }
    end(run, out_.size() == before);
  }

private:
  difference& add(difference_kind kind, std::string export_name, std::string why = {}) {
    return out_.emplace_back(difference{kind, was_->key, uid_, std::move(export_name), {}, std::move(why)});
  }

  void take(const shadow_run& run, const shadow_run::step& step) {
    std::visit(overloaded{
                 [&](const annotate_slice& x) { step.renames ? renamed(step) : annotated(x, run); },
                 [&](const apply_export& x) { applied(x, run); },
                 [&](const withdraw_export& x) { withdrawn(x, step); },
                 [&](const clear_annotations&) { cleared(step); },
               },
               step.owed);
  }

  void annotated(const annotate_slice& owed, const shadow_run& run) {
    std::vector<field_difference> fields;
    if (was_->slice->ours.name != owed.name)
      fields.push_back({std::string{name_key}, was_->slice->ours.name.value_or("absent"), owed.name});
    add_last_seen(owed, run.dates_anew, fields);
    add(difference_kind::annotations, owed.name).fields = std::move(fields);
  }

  /// A wrong generation makes a new time; the time is named only where it is wrong by itself.
  void add_last_seen(const annotate_slice& owed, bool dates_anew, std::vector<field_difference>& fields) const {
    const auto& ours = was_->slice->ours;
    if (!ours.generation || parse_generation(*ours.generation) != owed.generation)
      fields.push_back(
        {std::string{generation_key}, ours.generation.value_or("absent"), std::to_string(owed.generation)});
    const auto is = ours.timestamp ? parse_rfc3339(*ours.timestamp) : std::nullopt;
    if (is == owed.since || (is && dates_anew && !fields.empty()))
      return;
    fields.push_back({std::string{timestamp_key}, ours.timestamp.value_or("absent"),
                      dates_anew ? std::string{new_time} : format_rfc3339(owed.since)});
  }

  void renamed(const shadow_run::step& step) {
    const auto& name = was_->slice->ours.name;
    const auto* taken = name ? find_named(*was_, *name) : nullptr;
    if (taken)
      add(difference_kind::name_taken, *name, holder(*name));
    else if (name)
      add(difference_kind::annotations, {}).fields = {
        {std::string{name_key}, *name, "a new name: this one is invalid"}};
    if (!keeper(step.held, *was_))
      add(difference_kind::missing, {}, "not exported, though " + evidence());
  }

  std::string holder(const std::string& name) const {
    const auto at = exports_.find(name);
    if (at == exports_.end())
      return {};
    const auto& from = at->second->spec.reference;
    return "that export names " + from.cluster + ' ' + to_string(from.slice) + " of uid " + from.uid;
  }

  void applied(const apply_export& owed, const shadow_run& run) {
    const auto at = exports_.find(owed.name);
    if (!owed.target || at == exports_.end()) {
      add(difference_kind::missing, owed.name, "not exported, though " + evidence());
      return;
    }
    auto fields = differing_fields(at->second->spec, *owed.spec, identity_.refresh_resource_version_always);
    if (run.dates_anew)
      std::erase_if(fields, [](const auto& each) { return each.field == "endpointSliceReference.exportedSince"; });
    if (!fields.empty())
      add(difference_kind::content, owed.name).fields = std::move(fields);
  }

  void withdrawn(const withdraw_export& owed, const shadow_run::step& step) {
    switch (owed.why) {
      case proof::superseded:
        add(difference_kind::duplicate, owed.name, "the slice's export is " + step.held.name);
        return;
      case proof::leftover:
        add(difference_kind::leftover, owed.name, "the member holds no such slice");
        return;
      case proof::seen:
      case proof::gone:
      case proof::ending:
      case proof::leaving:
        add(difference_kind::unwanted, owed.name, evidence());
        return;
    }
  }

  void cleared(const shadow_run::step& step) {
    auto& made = add(difference_kind::uncleared, {}, evidence());
    const auto& ours = step.seen.slice->ours;
    for (const auto& [key, text] :
         {std::pair{name_key, &ours.name}, {generation_key, &ours.generation}, {timestamp_key, &ours.timestamp}})
      if (*text)
        made.fields.push_back({std::string{key}, **text, "absent"});
  }

  /// Where nothing can be done, or nothing needs to be.
  void end(const shadow_run& run, bool is_right) {
    const auto aim = choose_target(identity_, run.held, run.seen).what;
    if (aim == goal::wait)
      add(difference_kind::undecided, run.held.name, evidence());
    if (aim != goal::export_it)
      return;
    const auto* object = find_named(run.seen, run.held.name);
    if (object == nullptr || !is_live(run.held, *object)) {
      add(difference_kind::missing, run.held.name, "its export is terminating: somebody else deleted it");
      return;
    }
    const auto at = exports_.find(run.held.name);
    if (is_right && at != exports_.end())
      compare_versions(at->second->spec.reference.resource_version);
  }

  void compare_versions(const std::string& is) {
    if (is != was_->slice->resource_version)
      add(difference_kind::older_version, was_->slice->ours.name.value_or("")).fields = {
        {"endpointSliceReference.resourceVersion", is, was_->slice->resource_version}};
  }

  std::string evidence() const { return evidence_of(reason_target(identity_, {}, *was_).by, identity_, *was_); }

  const member_identity& identity_;
  const std::map<std::string_view, const slice_export*>& exports_;
  std::string uid_;
  std::vector<difference>& out_;
  const inputs* was_ = nullptr; ///< what the clusters show
};

void add_former(const member_identity& identity, const member_table& table, const member_lists& are,
                std::vector<difference>& out) {
  for (const auto& [cluster, exports] : are.former)
    for (const auto& each : exports) {
      const auto& from = each.spec.reference;
      if (each.terminating || from.cluster != cluster)
        continue;
      const auto [aim, why] = former_target(identity, table, {each.key.name, each.uid, from.slice, from.uid});
      if (aim == goal::withdraw)
        out.push_back({difference_kind::former,
                       from.slice,
                       from.uid,
                       each.key.name,
                       {},
                       "under the former name " + cluster + ": " + std::string{to_string(why)}});
    }
}

void add_unreadable(const member_lists& are, std::vector<difference>& out) {
  using kind = member_lists::unreadable::kind;
  std::set<std::string> exports;
  for (const auto& [what, key, text] : are.broken) {
    difference made{difference_kind::unreadable, {}, {}, {}, {}, {}};
    if (what == kind::exported) {
      made.export_name = key.name;
      exports.insert(key.name);
    } else {
      made.slice = key;
    }
    made.why = (what == kind::slice     ? "EndpointSlice: "
                : what == kind::consent ? "ServiceExport: "
                                        : "export: ") +
               text;
    out.push_back(std::move(made));
  }
  // It is there, whatever it holds.
  std::erase_if(
    out, [&](const auto& each) { return each.kind == difference_kind::missing && exports.contains(each.export_name); });
}

/// The table as it is once the three lists are complete, and what they prove is gone is on record.
void fill(member_table& table, const member_lists& are, bool leaving) {
  auto slices = listed(are.slices, are.slices_version);
  auto consents = listed(are.consents, are.consents_version);
  auto exports = listed(are.exports, are.exports_version);
  for (const auto& [what, key, text] : are.broken)
    (what == member_lists::unreadable::kind::slice     ? slices.unreadable
     : what == member_lists::unreadable::kind::consent ? consents.unreadable
                                                       : exports.unreadable)
      .push_back(key);
  table.slices(slices);
  table.consents(consents);
  table.exports(exports);
  table.leave(leaving);
  for (const auto& suspect : table.take_leftovers({}))
    table.confirm(suspect, table.uid_listed(suspect));
}

} // namespace

bool is_harmless(difference_kind kind) {
  return kind == difference_kind::undecided || kind == difference_kind::older_version;
}

std::string_view to_string(difference_kind kind) {
  switch (kind) {
    case difference_kind::missing:
      return "missing";
    case difference_kind::content:
      return "content";
    case difference_kind::unwanted:
      return "unwanted";
    case difference_kind::leftover:
      return "leftover";
    case difference_kind::duplicate:
      return "duplicate";
    case difference_kind::name_taken:
      return "name-taken";
    case difference_kind::annotations:
      return "annotations";
    case difference_kind::uncleared:
      return "uncleared";
    case difference_kind::former:
      return "former";
    case difference_kind::unreadable:
      return "unreadable";
    case difference_kind::undecided:
      return "undecided";
    case difference_kind::older_version:
      return "older-version";
  }
  return "";
}

comparison compare(const member_identity& identity, const member_lists& are, bool leaving, seconds_utc now) {
  auto who = std::make_shared<member_identity>(identity);
  who->orphan_grace = std::chrono::nanoseconds{0}; // grace is for the one who deletes
  member_table table{who};
  fill(table, are, leaving);

  std::map<std::string_view, const slice_export*> exports;
  for (const auto& each : are.exports)
    exports.emplace(each.key.name, &each);
  comparison out;
  out.slices = are.slices.size();
  out.exports = table.exports();
  out.foreign = out.exports - table.leave_progress().exports;
  for (const auto& uid : table.uids()) {
    const auto seen = table.inputs_of(uid);
    out.wanted += choose_target(*who, {}, seen).what == goal::export_it ? 1U : 0U;
    slice_judge{*who, exports, uid, out.found}.judge(seen, now);
  }
  add_former(*who, table, are, out.found);
  add_unreadable(are, out.found);
  std::ranges::sort(out.found, {}, order_of);
  return out;
}

std::vector<difference> lasting(const std::vector<difference>& first, const std::vector<difference>& second) {
  std::vector<difference> out;
  std::ranges::copy_if(second, std::back_inserter(out), [&](const difference& each) {
    const auto [from, to] = std::ranges::equal_range(first, order_of(each), {}, order_of);
    return std::find(from, to, each) != to;
  });
  return out;
}

} // namespace sliceferry::core
