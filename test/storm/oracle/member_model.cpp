#include "test/storm/oracle/member_model.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::storm {
namespace {

constexpr std::size_t former_max = 6;
constexpr std::size_t pending_max = 16;
constexpr std::chrono::seconds grace{60};

std::int64_t held_generation(const life& whose) {
  std::int64_t out = -1;
  for (const auto* each : whose.exports)
    if (!each->seen.terminating)
      out = std::max(out, each->seen.generation);
  return out;
}

void change_name(life& whose, const std::optional<std::string>& next, run_time now) {
  const auto& name = whose.slice->ours.name;
  if (!name || name == next)
    return;
  std::erase_if(whose.former, [&](const auto& each) { return each.name == *name; });
  if (whose.former.size() == former_max)
    whose.former.erase(whose.former.begin());
  whose.former.push_back({*name, now});
}

} // namespace

member_model::member_model(const oracle_options::member& which, const oracle_options& options, storyteller& teller,
                           latencies& spread)
  : name_(which.name), options_(options), teller_(teller), spread_(spread) {}

life* member_model::slice_at(const object_key& key) {
  const auto found = slices_.find(key);
  return found == slices_.end() ? nullptr : found->second;
}

life* member_model::find_life(const std::string& uid) {
  const auto found = lives_.find(uid);
  return found == lives_.end() ? nullptr : &found->second;
}

export_record* member_model::export_at(const std::string& name) {
  const auto found = exports_.find(name);
  return found == exports_.end() ? nullptr : &found->second;
}

bool member_model::is_carried_by_another(const std::string& name, const life* than) const {
  return std::ranges::any_of(lives_, [&](const auto& entry) {
    const life& each = entry.second;
    const bool carries = each.slice && each.slice->ours.name == name;
    return &each != than &&
           (carries || std::ranges::find(each.former, name, &life::carried::name) != each.former.end());
  });
}

const consent_record* member_model::consent_at(const object_key& key) const {
  const auto found = services_.find(key);
  return found == services_.end() || found->second.says.empty() ? nullptr : &found->second.says;
}

life& member_model::life_at(const std::string& uid) {
  auto& out = lives_[uid];
  if (out.uid.empty())
    out.uid = uid;
  return out;
}

void member_model::see(seen_slice seen, const happening& what) {
  if (auto* other = slice_at(seen.key); other && other->uid != seen.uid)
    drop_slice(seen.key, what);
  life& whose = life_at(seen.uid);
  if (whose.slice) {
    change_name(whose, seen.ours.name, what.now.run);
    leave(whose);
  }
  // Slices and consents reach the program on streams of their own: it may see the consent of the old service go first.
  if (whose.slice && whose.slice->service != seen.service) {
    whose.called_since = what.now.run;
    whose.wavered = true;
  }
  const auto& ours = seen.ours;
  const bool half = !ours.name && (ours.generation || ours.timestamp);
  whose.half_cleared = half && (what.by_program || whose.half_cleared);
  const auto& before = whose.slice;
  const bool differs_now = !before || before->generation != seen.generation || before->ours != seen.ours;
  whose.key = seen.key;
  whose.slice = std::move(seen);
  whose.changed = {what.now, what.by_program};
  slices_[whose.key] = &whose;
  enter(whose);
  const bool was_called = whose.called == call::yes;
  settle(whose, what.now);
  if (differs_now && !what.by_program && was_called && whose.called == call::yes)
    ++changes_;
  await(whose, what.now.at);
  teller_.note(whose, what.entry, whose.slice->generation, whose.slice->ours.name.has_value());
}

void member_model::drop_slice(const object_key& key, const happening& what) {
  auto* whose = slice_at(key);
  if (!whose)
    return;
  change_name(*whose, {}, what.now.run);
  leave(*whose);
  const auto generation = whose->slice->generation;
  whose->slice.reset();
  whose->changed = {what.now, what.by_program};
  slices_.erase(key);
  settle(*whose, what.now);
  teller_.note(*whose, what.entry, generation, false);
  bury(*whose);
}

void member_model::enter(life& whose) {
  if (whose.slice->service)
    services_[{whose.key.nspace, *whose.slice->service}].slices.push_back(&whose);
}

void member_model::leave(life& whose) {
  if (!whose.slice->service)
    return;
  const auto found = services_.find({whose.key.nspace, *whose.slice->service});
  std::erase(found->second.slices, &whose);
  if (found->second.slices.empty() && found->second.says.empty())
    services_.erase(found);
}

void member_model::see(const seen_consent& seen, const happening& what) {
  auto& found = services_[seen.key];
  const auto before = found.says.says();
  found.says.see(seen, what.now, options_.lag);
  if (found.says.says() == before)
    return;
  for (auto* each : found.slices) {
    settle(*each, what.now);
    await(*each, what.now.at);
    teller_.note(*each, what.entry, each->slice->generation, each->slice->ours.name.has_value());
  }
}

void member_model::drop_consent(const object_key& key, const happening& what) {
  const auto found = services_.find(key);
  if (found == services_.end())
    return;
  found->second.says.vanish(what.now);
  for (auto* each : found->second.slices) {
    settle(*each, what.now);
    teller_.note(*each, what.entry, each->slice->generation, each->slice->ours.name.has_value());
  }
  if (found->second.slices.empty())
    services_.erase(found);
}

call member_model::judge(const life& whose) const {
  if (suspended_)
    return call::maybe;
  if (!whose.slice || !may_be_exported(*whose.slice, options_.imports_nspace))
    return call::no;
  const auto found = services_.find({whose.key.nspace, *whose.slice->service});
  return found == services_.end() ? call::no : found->second.says.says();
}

standing member_model::standing_of(const life& whose) const {
  standing out;
  out.slice = whose.slice ? &*whose.slice : nullptr;
  for (const auto* each : whose.exports) {
    out.exports.push_back(&each->seen);
    if (each->mutated)
      out.mutated.push_back(&each->seen);
  }
  out.called = whose.called;
  out.versions_compare = versions_compare_;
  out.half_cleared = whose.half_cleared;
  return out;
}

void member_model::settle(life& whose, moment now) {
  if (const call next = judge(whose); next != whose.called) {
    whose.wavered = whose.wavered || whose.called == call::yes;
    changes_ += next == call::yes || whose.called == call::yes ? 1U : 0U;
    whose.called = next;
    whose.called_since = now.run;
    if (next != call::yes)
      whose.pending.clear();
  }
  const bool owed = differs(standing_of(whose));
  if (owed && !whose.owed) {
    owed_.insert(&whose);
    whose.progress = now.run;
    whose.starved = false;
  } else if (!owed && whose.owed) {
    owed_.erase(&whose);
  }
  whose.owed = owed;
  if (!owed)
    whose.righted = now.at;
  const bool is_doubled = whose.live() > 1;
  if (is_doubled && doubled_.insert(&whose).second) {
    whose.doubled = now.run;
    whose.doubled_told = false;
  } else if (!is_doubled) {
    doubled_.erase(&whose);
  }
}

void member_model::await(life& whose, instant at) {
  if (whose.called != call::yes)
    return;
  const auto wanted = whose.slice->generation;
  std::erase_if(whose.pending, [&](const auto& each) { return each.generation > wanted; });
  const bool is_known = !whose.pending.empty() && whose.pending.back().generation == wanted;
  if (!is_known && held_generation(whose) < wanted && whose.pending.size() < pending_max)
    whose.pending.push_back({wanted, at});
}

void member_model::arrive(life& whose, instant at) {
  const auto held = held_generation(whose);
  std::erase_if(whose.pending, [&](const auto& each) {
    if (each.generation > held)
      return false;
    spread_.add(at - each.since);
    return true;
  });
}

void member_model::resettle_all(moment now) {
  for (auto& [uid, each] : lives_)
    settle(each, now);
}

void member_model::suspend(bool suspended, moment now) {
  if (suspended)
    for (auto& [uid, each] : lives_)
      each.was_called = suspended_ ? each.was_called : each.called == call::yes;
  if (suspended && !suspended_) {
    held_ = live_exports();
    lost_ = 0;
  }
  suspended_ = suspended;
  resettle_all(now);
}

bool member_model::loses_one_more() {
  constexpr std::size_t few = 50;
  ++lost_;
  return lost_ == std::max(few, held_ * 3 / 10) + 1;
}

void member_model::program_started(moment now) {
  for (auto& [key, each] : services_)
    each.says.forget();
  resettle_all(now);
}

std::size_t member_model::live_exports() const {
  return static_cast<std::size_t>(std::count_if(exports_.begin(), exports_.end(), [](const auto& each) {
    return each.second.of && !each.second.seen.terminating;
  }));
}

void member_model::bury(life& whose) {
  if (whose.over())
    graves_.emplace_back(whose.last, whose.uid);
}

void member_model::prune(instant at) {
  for (; !graves_.empty() && graves_.front().first + grace < at; graves_.pop_front()) {
    const auto found = lives_.find(graves_.front().second);
    if (found == lives_.end() || !found->second.over() || found->second.last + grace >= at)
      continue;
    owed_.erase(&found->second);
    doubled_.erase(&found->second);
    lives_.erase(found);
  }
}

} // namespace sliceferry::storm
