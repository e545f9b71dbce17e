// The part of the dispatcher that carries out what the gatekeeper orders: checks, reads, and words for operators.
#include "actors/watch_dispatcher.hpp"

#include "actors/admin/control_desk.hpp"
#include "actors/admin/metrics.hpp"
#include "actors/core/guard_reading.hpp"
#include "actors/log.hpp"
#include "actors/wire.hpp"
#include "k8s/decode.hpp"
#include "k8s/resource.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry {

namespace {

/// Of an object with this UID, where one is named. Nothing: read it again.
std::optional<core::existence> existence_of(const http_reply& reply, const std::string& uid) {
  if (const auto failed = failure_of_read(reply.end))
    return core::existence_after(failed->code);
  const auto life = k8s::decode_life(reply.end->body);
  if (!life)
    return core::existence_after(life.error().code);
  if (!uid.empty() && life->uid != uid)
    return core::existence::missing;
  return life->terminating ? core::existence::terminating : core::existence::exists;
}

k8s::http_request get(std::string target) {
  k8s::http_request out;
  out.target = std::move(target);
  out.counted = true; // each turn is for one request
  return out;
}

} // namespace

void watch_dispatcher::obey(const core::guard::orders& told) {
  obey(gate_.absence_guard(), told);
}

/// `whose`: the member's guard, or that of one of its former names; they live as long as this does.
void watch_dispatcher::obey(core::guard& whose, const core::guard::orders& told) {
  const auto check = whose.number();
  const auto moment = clock().now();
  if (told.check)
    for (const auto which : {core::mirrored::slices, core::mirrored::consents, core::mirrored::exports})
      ports_.relist(which);
  if (told.check || told.read_kind)
    look_at({&whose,
             check,
             {},
             [] { return place{k8s::definition_path(k8s::service_exports)}; },
             [=, this, &whose](core::existence how) { return whose.kind_read(how, clock().now()); }});
  for (const auto& nspace : told.read_namespaces)
    look_at({&whose,
             check,
             {},
             [nspace] { return place{k8s::namespace_path(nspace)}; },
             [=, this, &whose](core::existence how) { return whose.namespace_read(nspace, how, clock().now()); }});
  for (const auto& uid : told.read_absent)
    look_at({&whose, check, uid, [=, this] { return what_is_absent(uid); },
             [=, this, &whose](core::existence how) { return whose.absence_read(uid, how, clock().now()); }});
  for (const auto& uid : told.notify)
    notify(uid, moment);
  show_standings();
  house_changed();
}

/// Most news concern no withdrawal.
void watch_dispatcher::obey_if_any(core::guard& whose, const core::guard::orders& told) {
  if (told != core::guard::orders{})
    obey(whose, told);
}

void watch_dispatcher::obey_if_any(const core::guard::orders& told) {
  obey_if_any(gate_.absence_guard(), told);
}

watch_dispatcher::place watch_dispatcher::what_is_absent(const std::string& slice_uid) const {
  if (!table_.knows(slice_uid))
    return what_is_absent_of_former(slice_uid);
  const auto seen = table_.inputs_of(slice_uid);
  if (!seen.slice)
    return {k8s::object_path(k8s::endpoint_slices, seen.key), slice_uid};
  if (seen.slice->service.value_or("").empty())
    return {};
  const object_key service{seen.key.nspace, *seen.slice->service};
  return {k8s::object_path(k8s::service_exports, service),
          {},
          k8s::object_path(k8s::service_exports_alpha, service),
          seen.says == consent::deleting};
}

void watch_dispatcher::look_at(const guard_read& what) {
  if (what.check != what.whose->number() || what.whose->state() == core::guard_state::open)
    return;
  if (!what.wish.empty() && !what.whose->waits(what.wish))
    return obey(*what.whose, what.tell_it(core::existence::unknown)); // It is dropped, and another picked in its place.
  const auto where = what.where();
  if (where.target.empty())
    return look_later(what, {});
  look_at(what, where);
}

void watch_dispatcher::look_at(const guard_read& what, const place& where) {
  in_turn([=, this] {
    ask(this, ports_.member_gateway, http_call{get(where.target)})
      .then([=, this](const http_reply& reply) { looked_at(what, where, reply); },
            [=, this](const caf::error&) { look_later(what, {}); });
  });
}

void watch_dispatcher::looked_at(const guard_read& what, const place& where, const http_reply& reply) {
  if (what.check != what.whose->number())
    return; // It was asked for an earlier check.
  const auto failed = failure_of_read(reply.end);
  if (failed && failed->code == errc::kind_missing && !where.or_at.empty())
    return look_at(what, {where.or_at, where.uid, {}, where.was_ending});
  const auto how = existence_of(reply, where.uid);
  if (!how)
    return look_later(what, failed ? failed->retry_after : std::nullopt);
  guard_delays_.reset();
  obey(*what.whose, what.tell_it(core::as_absence(*how, where.was_ending)));
}

/// All that fail meanwhile are read again together: one outage is one failure.
void watch_dispatcher::look_later(const guard_read& what, std::optional<std::chrono::seconds> retry_after) {
  const auto due =
    clock().now() + core::honour(retry_after, unread_.empty() ? guard_delays_.next() : std::chrono::nanoseconds{0});
  look_again_ = unread_.empty() ? due : std::max(look_again_, due);
  unread_.push_back(what);
  house_changed();
}

void watch_dispatcher::look_again() {
  if (unread_.empty() || clock().now() < look_again_)
    return;
  for (const auto& each : std::exchange(unread_, {}))
    look_at(each);
}

/// A list ends for the guard only once what it shows was asked for. One that had begun before the guard ordered it
/// says nothing to it, and of two in one batch the first one doesn't count.
void watch_dispatcher::end_list(core::mirrored which, bool ends) {
  if (!ends)
    return;
  obey(gate_.absence_guard().list_done(which, table_.is_without_slices(), clock().now()));
  former_list_ended(which);
}

void watch_dispatcher::take(operator_order told) {
  switch (told) {
    case operator_order::allow:
      log::warning("an operator allows what the guard held back", {{"member", ports_.identity->cluster}});
      obey(gate_.absence_guard().allow(clock().now()));
      return allow_former();
    case operator_order::leave:
      log::warning("an operator has the member leave the fleet", {{"member", ports_.identity->cluster}});
      return leave();
  }
}

void watch_dispatcher::leave() {
  notify(table_.leave(true), clock().now());
  show_leave();
  house_changed();
}

void watch_dispatcher::show_standings() {
  const auto guard = guards();
  const auto& member = ports_.identity->cluster;
  const auto subject = "guard of " + member;
  const bool is_open = guard.state == core::guard_state::open;
  const bool is_contested = gate_.hands().alarmed(); // which no leave of an operator overrules
  ports_.desk->guard_stands(member, {guard.held, is_contested
                                                   ? guard.text + "; exports without a slice stay as long as somebody "
                                                                  "else undoes exports, see /readyz"
                                                   : guard.text});
  ports_.figures->guard(member, !is_open, guard.held);
  if (is_open)
    ports_.board->member_healed(subject);
  else
    ports_.board->member_troubled(subject, guard.text);
  if (std::exchange(guard_was_, guard.state) != guard.state) {
    if (is_open)
      log::info("the guard lets withdrawals go", {{"member", member}});
    else
      log::warning("the guard holds withdrawals back", {{"member", member}, {"reason", guard.text}});
  }
  show_hands();
}

void watch_dispatcher::show_hands() {
  const auto& hands = gate_.hands();
  const auto& member = ports_.identity->cluster;
  const auto subject = "exports of " + member;
  ports_.figures->contested(member, hands.alarmed());
  ports_.board->member_healed(subject);
  if (hands.alarmed())
    ports_.board->member_troubled(subject, hands.text());
  else if (hands.is_repeated())
    ports_.board->noted(subject, hands.text());
  if (std::exchange(was_alarmed_, hands.alarmed()) == hands.alarmed())
    return;
  if (hands.alarmed())
    log::warning("somebody else undoes exports", {{"member", member}, {"text", hands.text()}});
  else
    log::info("nobody undoes exports any more", {{"member", member}});
}

/// A create that was on its way when the order came may still land: only the writer knows that nothing is.
void watch_dispatcher::ask_whether_idle() {
  ask(this, ports_.hub_writer, idle_request{ports_.identity->cluster})
    .then(
      [this](const idle_reply& told) {
        hub_writer_idle_ = told.is;
        show_leave();
      },
      [](const caf::error&) {});
}

void watch_dispatcher::show_leave() {
  const auto now = table_.leave_progress();
  if (!now.leaving)
    return;
  std::size_t former = 0;
  for (const auto& [nspace, each] : former_)
    former += each.exports.left();
  const bool is_gone = now.done && !has_former_left();
  leave_standing out{true, is_gone && hub_writer_idle_, now.exports + former, {}};
  if (out.done)
    out.text = "has left: the hub holds no export of it";
  else if (!now.hub_synced)
    out.text = "leaving: waiting for the hub's list of exports";
  else if (is_gone)
    out.text = "leaving: waiting for a write that may be on its way";
  else
    out.text = "leaving: " + std::to_string(out.exports) + " exports are left on the hub" + former_awaited();
  if (now.annotated != 0)
    out.text += ", " + std::to_string(now.annotated) + " slices still carry our annotations";
  ports_.board->noted("member " + ports_.identity->cluster, out.text);
  ports_.desk->leave_stands(ports_.identity->cluster, std::move(out));
}

} // namespace sliceferry
