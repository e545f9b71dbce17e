#include "actors/core/gatekeeper.hpp"

#include "actors/core/target.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace sliceferry::core {

namespace {

void append(guard::orders& to, const guard::orders& more) {
  const auto add = [](auto& all, const auto& those) { all.insert(all.end(), those.begin(), those.end()); };
  to.check = to.check || more.check;
  add(to.read_namespaces, more.read_namespaces);
  add(to.read_absent, more.read_absent);
  add(to.notify, more.notify);
}

/// As `member_table::lacks_input`, of inputs that are at hand.
bool lacks_input(const inputs& seen) {
  return !seen.slice || (seen.slice->service && (seen.says == consent::absent || seen.says == consent::deleting));
}

} // namespace

void gatekeeper::notes::put(const std::string& name, std::string what) {
  if (!held_.insert_or_assign(name, std::move(what)).second)
    return;
  order_.push_back(name);
  while (order_.size() > remembered_max) {
    held_.erase(order_.front());
    order_.pop_front();
  }
}

std::string gatekeeper::notes::take(const std::string& name) {
  const auto found = held_.find(name);
  return found == held_.end() ? std::string{} : std::exchange(found->second, {});
}

guard::orders gatekeeper::consider(const member_table& table, const std::vector<std::string>& uids, tick now) {
  std::vector<guard::wish> wishes;
  std::vector<std::string> refuted;
  const auto sort = [&](const std::string& uid) {
    if (table.lacks_input(uid))
      if (const auto seen = table.inputs_of(uid); lacks_witness(seen))
        return wishes.push_back({uid, seen.key.nspace});
    if (guard_.knows(uid))
      refuted.push_back(uid);
  };
  std::ranges::for_each(uids, sort);
  // What is refuted goes first: it must not help to trip the guard.
  auto out = guard_.forget(refuted, now);
  if (!wishes.empty())
    append(out, guard_.ask(wishes, table.exports(), now));
  if (!out.notify.empty())
    std::erase_if(out.notify,
                  [told = std::set(uids.begin(), uids.end())](const auto& uid) { return told.contains(uid); });
  return out;
}

bool gatekeeper::concerns(const std::string& slice_uid, const inputs& seen) const {
  return lacks_input(seen) || guard_.knows(slice_uid);
}

void gatekeeper::complete(const std::string& slice_uid, inputs& seen) const {
  if (seen.slice && seen.slice->ours.name)
    seen.undone = hands_.times(*seen.slice->ours.name);
  if (lacks_input(seen))
    seen.leave = guard_.leave(slice_uid) && !(seen.leftover && hands_.alarmed());
}

void gatekeeper::saw(const watch_batch<slice_export>& seen) {
  for (const auto& [change, object] : seen.events) {
    if (change == watch_change::deleted)
      managers_.take(object.key.name);
    if (change == watch_change::applied && !object.last_manager.empty() && object.last_manager != own_manager)
      managers_.put(object.key.name, object.last_manager);
  }
}

void gatekeeper::answered(const member_table& table, const write_answer& answer, tick now) {
  if (answer.how != verdict::done)
    return;
  if (answer.repaired && answer.exported) {
    const auto& name = answer.exported->key.name;
    auto by = managers_.take(name);
    // A server records who changed an object; what it was changed by, if not noted, goes by our own name.
    if (by.empty() && !answer.hub_uid.empty())
      by = "another " + std::string{own_manager};
    hands_.undone(name, by, now);
  }
  // Where a finalizer holds it, as the hub's own controller does, a DELETE is answered with the object.
  const bool is_removed = !answer.exported || answer.exported->terminating;
  if (!answer.hub_uid.empty() && is_removed && table.inputs_of(answer.slice_uid).leftover)
    swept_away_.put(answer.slice_uid, answer.hub_uid);
}

void gatekeeper::suspected(const std::vector<leftover>& found, tick now) {
  for (const auto& each : found) {
    const auto before = swept_away_.take(each.slice_uid);
    if (!before.empty() && before != each.hub_uid)
      hands_.undone(each.name, managers_.take(each.name), now);
  }
}

std::vector<std::string> gatekeeper::review(const member_table& table, tick now) {
  std::vector<std::string> out;
  for (const auto& name : hands_.review(now))
    std::ranges::move(table.carrying(name), std::back_inserter(out));
  if (std::exchange(was_alarmed_, hands_.alarmed()) == hands_.alarmed())
    return out;
  for (const auto& uid : table.uids())
    if (table.inputs_of(uid).leftover)
      out.push_back(uid);
  return out;
}

/// Judged without memory, which only its exporter holds: a withdrawal that is sent already asks once more, in vain.
bool gatekeeper::lacks_witness(const inputs& seen) const {
  const auto [what, why] = choose_target(*who_, {}, seen);
  return what == goal::withdraw && needs_leave(why);
}

} // namespace sliceferry::core
