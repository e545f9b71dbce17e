#include "actors/core/facts.hpp"

#include "actors/core/keeper.hpp"
#include "actors/core/unique_name.hpp"
#include "messages/overloaded.hpp"

#include <string>

namespace sliceferry::core {
namespace {

using events = std::vector<event>;

events facts_of_annotate(const annotate_slice& asked, const outcome& end) {
  // Without the slice in the answer it isn't known that the inputs show our annotations yet.
  if (end.how == verdict::done && end.slice_answered)
    return {annotated{asked.generation}};
  return {};
}

events facts_of_apply(const memory& held, const apply_export& asked, const outcome& end) {
  const bool is_done = end.how == verdict::done;
  std::string uid = asked.target ? asked.target->uid : std::string{};
  std::uint64_t stored = asked.digest;
  if (end.exported) {
    const auto& object = *end.exported;
    // After a lost answer or a conflict the object itself tells whether an attempt of ours went through.
    if (!is_done && (!is_mine(held, object) || object.terminating || object.digest != asked.digest))
      return {};
    uid = object.uid;
    stored = object.digest;
  }
  if (uid.empty() || (!is_done && !end.exported))
    return {};
  events out;
  if (held.digest == asked.digest)
    out.emplace_back(drift_repaired{asked.target ? "the export had been changed" : "the export had been removed"});
  out.emplace_back(export_applied{asked.name, uid, asked.digest, stored});
  return out;
}

/// A foreign object holds the name: another one is needed, whatever the slice says (C48, after a read).
events renamed(const member_identity& identity, const memory& held, const inputs& seen, const std::string& name) {
  if (!seen.slice || held.name != name)
    return {};
  return {contradiction{"the name is taken by a foreign export: " + name},
          name_chosen{unique_name(identity, seen.slice->key, seen.slice->uid, held.names_chosen)}};
}

events facts_of_withdraw(const withdraw_export& asked, const outcome& end) {
  switch (end.how) {
    case verdict::done:
    case verdict::missing:
    case verdict::other_uid:
    case verdict::namespace_missing:
      return {export_withdrawn{asked.hub_uid}};
    case verdict::conflict:
    case verdict::already_exists:
    case verdict::ambiguous:
      if (end.read && (!end.exported || end.exported->uid != asked.hub_uid || end.exported->terminating))
        return {export_withdrawn{asked.hub_uid}};
      return {};
    case verdict::refused:
    case verdict::superseded:
    case verdict::taken_back:
    case verdict::too_late:
      return {};
  }
  return {};
}

} // namespace

std::vector<event> facts_of(const member_identity& identity, const memory& held, const inputs& seen,
                            const command& asked, const outcome& end) {
  if (end.how == verdict::refused)
    return {refused{std::string{name_of(asked)}, end.why.text}};
  return std::visit(
    overloaded{
      [&](const annotate_slice& x) { return facts_of_annotate(x, end); },
      [&](const clear_annotations&) { return end.how == verdict::done ? events{annotations_cleared{}} : events{}; },
      [&](const apply_export& x) {
        if (end.how != verdict::done && end.exported && end.exported->name == x.name && !is_mine(held, *end.exported))
          return renamed(identity, held, seen, x.name);
        return facts_of_apply(held, x, end);
      },
      [&](const withdraw_export& x) { return facts_of_withdraw(x, end); },
    },
    asked);
}

} // namespace sliceferry::core
