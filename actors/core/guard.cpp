#include "actors/core/guard.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::core {

guard::orders guard::ask(const std::vector<wish>& wishes, std::size_t exports, tick now) {
  orders out;
  count_.pass(now);
  count_.exports(exports, now);
  std::vector<std::string> asking;
  std::vector<std::string> namespaces;
  for (const auto& each : wishes) {
    if (!known_.try_emplace(each.slice_uid, entry{each.nspace, std::nullopt}).second)
      continue;
    held_.insert(each.slice_uid);
    asking.push_back(each.slice_uid);
    namespaces.push_back(each.nspace);
  }
  if (asking.empty())
    return out;
  if (state_ == guard_state::open) {
    admit(asking, now, out);
    return out;
  }
  base_ = std::max(base_, count_.most_exports());
  if (state_ == guard_state::checking) {
    out.read_namespaces = check_.add(std::move(namespaces));
    if (check_.is_sampled())
      late_.insert(asking.begin(), asking.end());
  }
  explain(asking, out);
  ease(now);
  return out;
}

guard::orders guard::forget(const std::vector<std::string>& slice_uids, tick now) {
  orders out;
  count_.pass(now);
  for (const auto& uid : slice_uids) {
    const auto found = known_.find(uid);
    if (found == known_.end())
      continue;
    if (held_.erase(uid) != 0) {
      let_go_before_ += found->second.counted ? 1 : 0;
      wait_for_quiet(now);
    }
    late_.erase(uid);
    known_.erase(found);
  }
  ease(now);
  return out;
}

bool guard::leave(const std::string& slice_uid) const {
  return known_.count(slice_uid) != 0 && held_.count(slice_uid) == 0;
}

void guard::list_began(mirrored which) {
  if (state_ == guard_state::checking)
    check_.list_began(which);
}

guard::orders guard::list_done(mirrored which, bool is_empty, tick now) {
  orders out;
  out.read_kind = which == mirrored::consents && holds_for_kind();
  if (state_ != guard_state::checking)
    return out;
  check_.list_done(which, is_empty);
  judge(now, out);
  return out;
}

guard::orders guard::namespace_read(const std::string& nspace, existence how, tick now) {
  orders out;
  if (state_ != guard_state::checking)
    return out;
  check_.namespace_read(nspace, how);
  judge(now, out);
  return out;
}

guard::orders guard::kind_read(existence how, tick now) {
  orders out;
  if (holds_for_kind()) {
    if (how == existence::missing)
      why_ = guard_check::verdict::kind_missing;
    else if (how == existence::terminating)
      why_ = guard_check::verdict::kind_going;
    else
      found_kind(now);
  } else if (state_ == guard_state::checking) {
    check_.kind_read(how);
    judge(now, out);
  }
  return out;
}

guard::orders guard::absence_read(const std::string& slice_uid, existence how, tick now) {
  orders out;
  if (state_ != guard_state::checking)
    return out;
  if (held_.count(slice_uid) != 0)
    check_.absence_read(slice_uid, how);
  else
    check_.drop_from_sample(slice_uid);
  judge(now, out);
  return out;
}

guard::orders guard::allow(tick now) {
  orders out;
  if (state_ == guard_state::open)
    return out;
  count_.pass(now);
  late_.clear();
  open_for_good(out);
  return out;
}

guard::orders guard::review(tick now) {
  orders out;
  count_.pass(now);
  if (state_ == guard_state::holding && now >= recheck_at_)
    begin_check(out);
  return out;
}

std::optional<tick> guard::due() const {
  return state_ == guard_state::holding ? std::optional(recheck_at_) : std::nullopt;
}

bool guard::exceeds(std::size_t withdrawals) const {
  return withdrawals > limits_.count && withdrawals * 100 > base_ * limits_.share_percent;
}

bool guard::holds_for_kind() const {
  return state_ == guard_state::holding && !kind_is_back_ &&
         (why_ == guard_check::verdict::kind_missing || why_ == guard_check::verdict::kind_going);
}

void guard::admit(const std::vector<std::string>& asking, tick now, orders& out) {
  base_ = count_.most_exports();
  if (exceeds(count_.let_go() + asking.size()))
    return trip(now, out);
  count_.add(asking.size(), now);
  for (const auto& uid : asking)
    grant(uid, now, out);
}

void guard::trip(tick now, orders& out) {
  std::size_t revoked = 0;
  for (const auto& [uid, each] : known_)
    if (each.counted && now - *each.counted < limits_.window && held_.insert(uid).second) {
      out.notify.push_back(uid);
      ++revoked;
    }
  const std::size_t let_go = count_.let_go();
  let_go_before_ = let_go - std::min(let_go, revoked);
  tripped_at_ = now;
  begin_check(out);
}

void guard::begin_check(orders& out) {
  state_ = guard_state::checking;
  check_ = {};
  ++number_;
  held_many_ = exceeds(held_.size() + let_go_before_);
  late_.clear();
  std::vector<std::string> namespaces;
  for (const auto& uid : held_)
    namespaces.push_back(known_.at(uid).nspace);
  out.check = true;
  out.read_namespaces = check_.add(std::move(namespaces));
}

void guard::grant(const std::string& uid, std::optional<tick> counted, orders& out) {
  known_.at(uid).counted = counted;
  held_.erase(uid);
  late_.erase(uid);
  out.notify.push_back(uid);
}

template <class Uids>
void guard::explain(const Uids& slice_uids, orders& out) {
  std::vector<std::string> explained;
  for (const auto& uid : slice_uids)
    if (check_.explains(known_.at(uid).nspace))
      explained.push_back(uid);
  for (const auto& uid : explained)
    grant(uid, std::nullopt, out);
}

void guard::judge(tick now, orders& out) {
  explain(held_, out);
  ease(now);
  if (state_ != guard_state::checking)
    return;
  const auto verdict = check_.now();
  switch (verdict) {
    case guard_check::verdict::open:
      return;
    case guard_check::verdict::confirmed:
      return sample_or_confirm(now, out);
    case guard_check::verdict::kind_missing:
    case guard_check::verdict::kind_going:
    case guard_check::verdict::nothing_is_there:
    case guard_check::verdict::lists_lack_some:
      state_ = guard_state::holding;
      why_ = verdict;
      kind_is_back_ = false;
      recheck_at_ = now + recheck_after;
      return;
  }
}

void guard::sample_or_confirm(tick now, orders& out) {
  auto in_time = held_;
  for (const auto& uid : late_)
    in_time.erase(uid);
  out.read_absent = check_.pick_sample(in_time);
  if (!out.read_absent.empty())
    return;
  open_for_good(out);
  count_.pass(now);
  if (!late_.empty())
    admit({late_.begin(), late_.end()}, now, out);
}

void guard::open_for_good(orders& out) {
  for (const auto& uid : std::vector(held_.begin(), held_.end()))
    if (late_.count(uid) == 0)
      grant(uid, std::nullopt, out);
  count_.clear();
  state_ = guard_state::open;
}

void guard::ease(tick now) {
  if (state_ == guard_state::open || !held_.empty())
    return;
  count_.clear();
  count_.add(let_go_before_, tripped_at_);
  count_.pass(now);
  state_ = guard_state::open;
}

/// What went with the kind is put back after it.
void guard::found_kind(tick now) {
  kind_is_back_ = true;
  recheck_at_ = now + limits_.window;
}

void guard::wait_for_quiet(tick now) {
  if (state_ != guard_state::holding)
    return;
  const tick quiet = now + limits_.window;
  const bool is_easier = held_many_ && !exceeds(held_.size() + let_go_before_);
  recheck_at_ = is_easier ? quiet : std::max(recheck_at_, quiet);
}

std::string guard::text() const {
  const auto window = std::chrono::duration_cast<std::chrono::seconds>(limits_.window).count();
  const std::string bound = std::to_string(limits_.share_percent) + " % of the exports and more than " +
                            std::to_string(limits_.count) + " within " + std::to_string(window) + " s";
  if (state_ == guard_state::open)
    return "nothing is held back; withdrawals are once more than " + bound +
           " would go because their slices or ServiceExports are absent or being deleted";
  std::string out =
    std::to_string(held_.size()) + " withdrawals are held back, as more than " + bound +
    " would go because their slices or ServiceExports are absent or being deleted (the member has up to " +
    std::to_string(base_) + " exports); ";
  const std::string meant = "; if this is meant, `sliceferry guard allow MEMBER` lets them go";
  if (state_ == guard_state::checking)
    return out + "waiting for " + check_.awaited() + meant;
  if (kind_is_back_)
    return out + "the CRD of ServiceExports is back, and what went with it may follow; looked at once none has for " +
           std::to_string(window) + " s" + meant;
  switch (why_) {
    case guard_check::verdict::kind_missing:
      out += "the CRD of ServiceExports is missing";
      break;
    case guard_check::verdict::kind_going:
      out += "the CRD of ServiceExports is being deleted";
      break;
    case guard_check::verdict::nothing_is_there:
      out += "the member shows not one EndpointSlice, where a live cluster has that of default/kubernetes";
      break;
    case guard_check::verdict::lists_lack_some:
      out += "the lists lack objects that are there when they are read one by one";
      break;
    case guard_check::verdict::open:
    case guard_check::verdict::confirmed:
      break;
  }
  return out + "; looked at again every 5 min" + meant;
}

} // namespace sliceferry::core
