#include "actors/core/former_exports.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace sliceferry::core {

namespace {

std::shared_ptr<const member_identity> as_member(const former_identity& who) {
  member_identity out;
  out.cluster = who.cluster;
  out.hub_nspace = who.hub_nspace;
  return std::make_shared<const member_identity>(std::move(out));
}

} // namespace

former_exports::former_exports(former_identity who, std::chrono::nanoseconds orphan_grace)
  : orphan_grace_(orphan_grace), view_(as_member(who)) {}

void former_exports::exports(const watch_batch<slice_export>& seen) {
  const auto spare = [&] {
    for (const object_key& key : seen.unreadable)
      view_.spare(key);
  };
  spare();
  for (const auto& [change, object] : seen.events) {
    switch (change) {
      case watch_change::init:
        view_.init();
        ++list_;
        spare();
        break;
      case watch_change::applied:
        if (view_.concerns(object))
          note(view_.applied(object, false));
        break;
      case watch_change::deleted:
        if (view_.concerns(object))
          note(view_.deleted(object));
        break;
      case watch_change::init_done:
        for (const auto& [name, each] : entries_)
          if (!synced())
            left_behind_.insert(each.former.hub_uid);
        for (const hub_change& gone : view_.init_done(object.resource_version))
          note(gone);
        for (auto& [name, each] : entries_)
          if (each.is == phase::done && each.done_in < list_)
            each.is = phase::idle; // a list that began later holds it still
        break;
    }
  }
}

former_exports::plan former_exports::due(const judge& target_of, const has_leave& leave, tick now,
                                         std::size_t out_max) {
  plan out;
  out.take_back = std::exchange(retracted_, {});
  if (synced()) {
    for (const auto& [hub_uid, name] : out_) {
      entry& each = entries_.at(name);
      if (may_go(each, target_of(each.former), leave, now, out) || each.is == phase::taking_back)
        continue;
      each.is = phase::taking_back;
      out.take_back.push_back(hub_uid);
    }
    auto at = entries_.lower_bound(next_look_);
    for (std::size_t looks = std::min(looks_max, entries_.size()); looks > 0; --looks, ++at) {
      if (at == entries_.end())
        at = entries_.begin();
      entry& each = at->second;
      if (each.is != phase::idle || each.terminating)
        continue;
      const target to_do = target_of(each.former);
      if (!may_go(each, to_do, leave, now, out) || out_.size() >= out_max)
        continue;
      each.is = phase::out;
      out_.emplace(each.former.hub_uid, at->first);
      out.withdraw.push_back({at->first, each.former.hub_uid, to_do.why});
    }
    next_look_ = at == entries_.end() ? std::string{} : at->first;
  }
  std::erase_if(unwished_, [&](const std::string& uid) { return wishing_.contains(uid); });
  out.forget = std::exchange(unwished_, {});
  return out;
}

std::optional<object_key> former_exports::slice_of(const std::string& slice_uid) const {
  for (const auto& [name, each] : entries_)
    if (each.former.slice_uid == slice_uid)
      return each.former.slice;
  return std::nullopt;
}

const leftover* former_exports::find(const std::string& hub_uid) const {
  const auto at = out_.find(hub_uid);
  return at == out_.end() ? nullptr : &entries_.at(at->second).former;
}

void former_exports::ended(const std::string& hub_uid, verdict how) {
  const auto at = out_.find(hub_uid);
  if (at == out_.end() || how == verdict::too_late)
    return;
  entry& each = entries_.at(at->second);
  out_.erase(at);
  each.is = phase::idle;
  switch (how) {
    case verdict::done:
      each.is = phase::done;
      each.done_in = list_;
      break;
    case verdict::missing:
    case verdict::other_uid:
    case verdict::namespace_missing:
      note(view_.removed(std::string{each.former.slice_uid}, hub_uid));
      break;
    case verdict::conflict:
    case verdict::already_exists:
    case verdict::ambiguous:
    case verdict::refused: // the writer parks it
    case verdict::superseded:
    case verdict::taken_back:
    case verdict::too_late:
      break;
  }
}

void former_exports::note(const hub_change& change) {
  if (change.what == hub_change::extent::none)
    return;
  const auto held = view_.find(change.name);
  const bool is_ours = held && !held->owner.empty() && (!synced() || left_behind_.contains(held->seen.uid));
  auto at = entries_.find(change.name);
  if (at != entries_.end() && (!is_ours || at->second.former.hub_uid != held->seen.uid)) {
    let_go(at->second);
    entries_.erase(at);
  }
  if (!is_ours)
    return;
  entry& each = entries_[change.name];
  leftover now{change.name, held->seen.uid, held->slice, held->owner};
  if (each.former.slice_uid != now.slice_uid) {
    wish(each, false);
    each.absent_since.reset();
    each.seen_in = slice_list_;
  }
  each.former = std::move(now);
  each.terminating = held->seen.terminating;
  if (each.is == phase::done)
    each.is = phase::idle;
}

/// It is no longer there, or no longer ours: then what is out would hit a stranger.
void former_exports::let_go(entry& each) {
  wish(each, false);
  if (each.is == phase::out)
    retracted_.push_back(each.former.hub_uid);
  out_.erase(each.former.hub_uid);
}

void former_exports::wish(entry& each, bool on) {
  if (std::exchange(each.wishes, on) == on)
    return;
  const std::string& uid = each.former.slice_uid;
  if (on) {
    ++wishing_[uid];
  } else if (--wishing_[uid] == 0) {
    wishing_.erase(uid);
    unwished_.push_back(uid);
  }
}

bool former_exports::is_proven_absent(const entry& each, plan& out) {
  const bool must_ask = each.seen_in == slice_list_ && asked_after_ <= slice_list_;
  if (must_ask) {
    asked_after_ = slice_list_ + 1;
    out.relist = true;
  }
  return slices_listed_ > each.seen_in;
}

bool former_exports::may_go(entry& each, const target& to_do, const has_leave& leave, tick now, plan& out) {
  const bool withdraw = to_do.what == goal::withdraw;
  const bool is_absent = withdraw && to_do.why == proof::leftover;
  if (!is_absent)
    each.absent_since.reset();
  else if (!each.absent_since)
    each.absent_since = now;
  const bool is_due =
    withdraw && (!is_absent || (now - *each.absent_since >= orphan_grace_ && is_proven_absent(each, out)));
  wish(each, is_due && needs_leave(to_do.why));
  if (!each.wishes || leave(each.former.slice_uid))
    return is_due;
  out.wishes.push_back({each.former.slice_uid, each.former.slice.nspace});
  return false;
}

} // namespace sliceferry::core
