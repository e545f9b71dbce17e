// The part of the dispatcher that carries out what the gatekeeper orders: checks, reads, and words for operators.
#include "actors/watch_dispatcher.hpp"

#include "actors/admin/control_desk.hpp"
#include "actors/admin/metrics.hpp"
#include "actors/log.hpp"
#include "actors/wire.hpp"
#include "k8s/decode.hpp"
#include "k8s/resource.hpp"

#include <utility>

namespace sliceferry {

namespace {

/// Of an object with this UID, where one is named.
core::existence existence_of(const http_reply& reply, const std::string& uid) {
  const auto failed = failure_of_read(reply.end);
  if (failed)
    return failed->code == errc::missing || failed->code == errc::namespace_missing ? core::existence::missing
                                                                                    : core::existence::unknown;
  const auto life = k8s::decode_life(reply.end->body);
  if (!life)
    return core::existence::unknown;
  if (!uid.empty() && life->uid != uid)
    return core::existence::missing;
  return life->terminating ? core::existence::terminating : core::existence::exists;
}

k8s::http_request get(std::string target) {
  k8s::http_request out;
  out.target = std::move(target);
  return out;
}

} // namespace

void watch_dispatcher::obey(const core::guard::orders& told) {
  obey(gate_.absence_guard(), told);
}

/// `whose`: the member's guard, or that of one of its former names; they live as long as this does.
void watch_dispatcher::obey(core::guard& whose, const core::guard::orders& told) {
  const auto moment = clock().now();
  if (told.check) {
    for (const auto which : {core::mirrored::slices, core::mirrored::consents, core::mirrored::exports})
      ports_.relist(which);
    look_at({k8s::definition_path(k8s::service_exports), {}},
            [this, &whose](core::existence how) { obey(whose, whose.kind_read(how, clock().now())); });
  }
  for (const auto& nspace : told.read_namespaces)
    look_at({k8s::namespace_path(nspace), {}}, [this, &whose, nspace](core::existence how) {
      obey(whose, whose.namespace_read(nspace, how, clock().now()));
    });
  for (const auto& uid : told.read_absent)
    look_at(what_is_absent(uid),
            [this, &whose, uid](core::existence how) { obey(whose, whose.absence_read(uid, how, clock().now())); });
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
  return {k8s::object_path(k8s::service_exports, {seen.key.nspace, seen.slice->service.value_or("")}), {}};
}

void watch_dispatcher::look_at(const place& where, std::function<void(core::existence)> tell_it) {
  if (where.target.empty())
    return tell_it(core::existence::unknown);
  in_turn([this, where, tell_it] {
    ask(this, ports_.member_gateway, http_call{get(where.target)})
      .then([tell_it, uid = where.uid](const http_reply& reply) { tell_it(existence_of(reply, uid)); },
            [tell_it](const caf::error&) { tell_it(core::existence::unknown); });
  });
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
  ports_.desk->guard_stands(member, {guard.held, guard.text});
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
  if (is_gone && !hub_writer_idle_)
    ask_whether_idle();
  leave_standing out{true, is_gone && hub_writer_idle_, now.exports + former, {}};
  if (out.done)
    out.text = "has left: the hub holds no export of it";
  else if (!now.hub_synced)
    out.text = "leaving: waiting for the hub's list of exports";
  else
    out.text = "leaving: " + std::to_string(out.exports) + " exports are left on the hub" + former_awaited();
  if (now.annotated != 0)
    out.text += ", " + std::to_string(now.annotated) + " slices still carry our annotations";
  ports_.desk->leave_stands(ports_.identity->cluster, std::move(out));
}

} // namespace sliceferry
