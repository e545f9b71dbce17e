#include "actors/core/exporter.hpp"

#include "actors/core/decide.hpp"
#include "actors/core/evolve.hpp"
#include "actors/core/facts.hpp"
#include "actors/core/outstanding.hpp"
#include "actors/core/target.hpp"
#include "messages/overloaded.hpp"

#include <iterator>
#include <utility>

namespace sliceferry::core {

exporter::exporter(std::shared_ptr<const member_identity> identity, std::string slice_uid, memory held)
  : identity_{std::move(identity)}, slice_uid_{std::move(slice_uid)}, held_{std::move(held)} {}

exporter::step exporter::observe(const observation& seen, seconds_utc now) {
  inputs_ = seen.now;
  seen_ = seen.number;
  step out;
  if (seen.ended)
    judge(out.events, *seen.ended);
  if (!slot_.out())
    decide_all(out.events, now);
  if (seen.rest) {
    out.action = slot_.want(std::nullopt, seen.number);
    out.settled = !slot_.out();
    return out;
  }
  if (choose_target(*identity_, held_, inputs_).what == goal::wait) {
    // Nothing is concluded, neither that something is owed nor that what is out is wrong; but for a withdrawal that an
    // operator asked for and asks for no longer.
    const auto* withdrawing = slot_.out() ? std::get_if<withdraw_export>(slot_.out()) : nullptr;
    if (withdrawing && withdrawing->why == proof::leaving && !inputs_.leaving)
      out.action = slot_.want(std::nullopt, seen.number);
    out.settled = !slot_.out() && !is_member_silent();
    return out;
  }
  const auto owed = outstanding(*identity_, held_, inputs_);
  const bool is_held_back = owed && is_member_write(*owed) && is_member_silent();
  out.action = slot_.want(aim(is_held_back ? std::nullopt : owed), seen.number);
  // An exporter's successor wouldn't know that the slice is missing.
  out.settled = !slot_.out() && !is_member_silent();
  return out;
}

void exporter::tell(std::vector<event>& told, std::vector<event> events) {
  for (const auto& each : events)
    held_ = evolve(std::move(held_), each);
  told.insert(told.end(), std::make_move_iterator(events.begin()), std::make_move_iterator(events.end()));
}

void exporter::judge(std::vector<event>& told, const outcome& end) {
  const auto ended = slot_.take(end);
  if (!ended)
    return;
  // A read after a lost answer that doesn't show this slice says the same as a 404.
  const bool is_missing =
    end.how == verdict::missing || end.how == verdict::other_uid || (end.read && !end.slice_answered);
  if (is_member_write(*ended) && is_missing && inputs_.slice)
    missing_at_ = inputs_.slice->resource_version;
  tell(told, facts_of(*identity_, held_, inputs_, *ended, end));
}

void exporter::decide_all(std::vector<event>& told, seconds_utc now) {
  // No picture needs more rounds than these; the bound only keeps a mistake in a rule from spinning.
  constexpr int rounds_max = 16;
  for (int round = 0; round < rounds_max; ++round) {
    auto events = decide(*identity_, held_, inputs_, now);
    if (events.empty())
      return;
    tell(told, std::move(events));
  }
}

bool exporter::is_member_silent() const {
  return missing_at_ && inputs_.slice && inputs_.slice->resource_version == *missing_at_;
}

/// What the slot should aim at: what is owed, except that a command under way is left alone where it can do no harm.
/// Its own echo often comes before its outcome, and would else make each write be taken back in vain.
std::optional<command> exporter::aim(std::optional<command> owed) const {
  const command* out = slot_.out();
  if (!out)
    return owed;
  const auto what = choose_target(*identity_, held_, inputs_).what;
  // What the server refuses is parked, and nothing is decided before it ends: newer generations would wait with it.
  const bool is_stale = what == goal::export_it && held_.annotate_refused &&
                        std::holds_alternative<annotate_slice>(*out) && inputs_.slice->generation != held_.generation;
  if (is_stale)
    return std::nullopt;
  const bool is_kept =
    std::visit(overloaded{
                 [&](const annotate_slice&) { return what == goal::export_it && !(held_.annotate_refused && owed); },
                 [&](const clear_annotations&) { return what == goal::withdraw; },
                 [&](const apply_export&) { return what == goal::export_it && !owed; },
                 [](const withdraw_export&) { return false; },
               },
               *out);
  return is_kept ? std::optional{*out} : owed;
}

} // namespace sliceferry::core
