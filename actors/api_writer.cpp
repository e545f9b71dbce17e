#include "actors/api_writer.hpp"

#include "actors/admin/metrics.hpp"
#include "actors/admin/readiness.hpp"
#include "actors/log.hpp"
#include "actors/wire.hpp"

#include <algorithm>
#include <numeric>

namespace sliceferry {

namespace {

write_answer ended(verdict how) {
  write_answer end;
  end.how = how;
  return end;
}

} // namespace

api_writer::api_writer(caf::actor_config& config, writer_ports ports)
  : caf::event_based_actor(config), ports_(std::move(ports)), queue_(ports_.limits, ports_.seed),
    troubles_(ports_.server) {}

caf::behavior api_writer::make_behavior() {
  return {
    [this](const submission& asked) { admit(asked, asked.durable_at); },
    [this](const take_back_request& asked) { admit(asked); },
    [this](const forget_request& asked) { admit(asked); },
    [this](const journal_moved&) { journal_came(); },
    [this](const read_turn_request& asked) { give_turn(asked); },
    [this](const read_due& asked) { read(asked.asked, asked.how); },
    [this](const moment_due& moment) {
      if (reminder_ != moment.when)
        return; // An earlier one has come meanwhile, and asked for its own successor.
      reminder_.reset();
      pump();
    },
    [this](const idle_request& asked) -> caf::result<idle_reply> { return idle_reply{is_idle(asked.member)}; },
    [this](const stalled_request& asked) -> caf::result<stalled_reply> {
      return stalled_reply{queue_.stalled(asked.member, asked.at_most, clock().now())};
    },
    [this](const tale_request& asked) -> caf::result<tale_reply> { return tale_reply{tell_of(asked.whose)}; },
    [this](const drain_request&) -> caf::result<drained> { return drain(); },
  };
}

void api_writer::on_exit() {
  drain_.reset(); // A promise holds its actor, and so does held mail.
  gate_ = {};
  dispatchers_.clear();
  ports_.gateway = nullptr;
}

template <class Mail>
void api_writer::admit(const Mail& asked, std::uint64_t durable_at) {
  if (gate_.passes(durable_at, ports_.journal->durable())) {
    take(asked);
    return pump();
  }
  gate_.hold(durable_at, {asked, clock().now()});
  await_journal();
}

void api_writer::await_journal() {
  if (awaits_journal_ || !gate_.awaited())
    return;
  awaits_journal_ = true;
  ports_.journal->when_durable(*gate_.awaited(),
                               [self = caf::actor{this}] { tell_from_thread(self, journal_moved{}); });
}

/// Nothing is sent before all that came is in the queue: what was taken back meanwhile never leaves.
void api_writer::journal_came() {
  awaits_journal_ = false;
  while (const auto next = gate_.release(ports_.journal->durable()))
    std::visit([this](const auto& asked) { take(asked); }, next->what);
  await_journal();
  pump();
}

bool api_writer::is_idle(const std::string& member) const {
  const auto is_its = [&](const held_mail& held) {
    return std::visit([&](const auto& asked) { return asked.member == member; }, held.what);
  };
  return queue_.is_idle(member) && !gate_.any(is_its);
}

core::queue_tale api_writer::tell_of(const core::work_owner& whose) const {
  const auto now = clock().now();
  auto out = queue_.tell_of(whose, now);
  gate_.each([&](const held_mail& held) {
    const auto* const asked = std::get_if<submission>(&held.what);
    if (asked == nullptr || core::work_owner{asked->member, asked->slice_uid} != whose)
      return;
    core::wish_tale wish;
    wish.what = asked->what;
    wish.is = core::wish_state::behind_journal;
    wish.age = now - held.came_at;
    out.wishes.push_back(std::move(wish));
  });
  return out;
}

void api_writer::take(const submission& asked) {
  dispatchers_[asked.member] = asked.answer_to;
  const core::work wanted{asked.member, asked.slice_uid, asked.ticket, asked.what};
  const auto end = queue_.submit(wanted, asked.replaces, clock().now());
  if (!end.accepted)
    return answer(wanted, ended(verdict::too_late));
  ports_.figures->commanded(asked.what);
  if (end.superseded) {
    core::work gone = wanted;
    gone.ticket = *end.superseded;
    answer(gone, ended(verdict::superseded));
  }
}

void api_writer::take(const take_back_request& asked) {
  const core::work_id id{{asked.member, asked.slice_uid}, asked.ticket};
  const auto how = queue_.take_back(id, clock().now()) ? verdict::taken_back : verdict::too_late;
  answer({asked.member, asked.slice_uid, asked.ticket, {}}, ended(how));
}

/// Without an answer: there is nobody to hear it, and the dispatcher takes each answer for news that wakes an exporter.
void api_writer::take(const forget_request& asked) {
  if (const auto dropped = queue_.forget({asked.member, asked.slice_uid}, clock().now()))
    ports_.figures->ended(name_of(dropped->what), verdict::taken_back);
}

void api_writer::give_turn(const read_turn_request& asked) {
  const auto moment = clock().now();
  const auto when = queue_.reserve(moment);
  if (when <= moment)
    return tell(this, asked.answer_to, read_turn{asked.number});
  tell_after(this, when - moment, asked.answer_to, read_turn{asked.number});
}

void api_writer::pump() {
  if (drain_) {
    if (queue_.in_flight() == 0 && drain_->pending())
      drain_->deliver(drained{});
    return;
  }
  while (const auto next = queue_.next(clock().now())) {
    if (next->read)
      read(next->asked, verdict::ambiguous);
    else
      write(next->asked);
  }
  const auto moment = clock().now();
  if (const auto due = queue_.due(moment))
    remind_at(*due, moment);
  if (!troubles_.empty())
    for (const auto& change : troubles_.review(state()))
      show(change);
  report(moment);
}

void api_writer::write(const core::work& asked) {
  ask(this, ports_.gateway, http_call{write_request(asked, hub_nspace_of(asked))})
    .then([this, asked](const http_reply& reply) { judge(asked, reply); },
          [this, asked](const caf::error&) {
            judge(asked, {failure{errc::ambiguous, "the gateway ended", {}, 0}});
          });
}

void api_writer::judge(const core::work& asked, const http_reply& reply) {
  auto failed = failure_of_write(asked, reply.end);
  write_answer end;
  if (!failed && !take_object(asked, reply.end->body, end))
    failed = failure{errc::malformed, "the answer to the write is unreadable", {}, reply.end->status};
  if (!failed)
    return finish(asked, std::move(end));
  const auto reaction = core::react(asked.what, failed->code);
  end.how = reaction.how;
  end.why = *failed;
  switch (reaction.step) {
    case core::write_step::answer:
      return finish(asked, std::move(end));
    case core::write_step::refuse:
      queue_.refused(core::id_of(asked), *failed, clock().now());
      ports_.figures->refused(ports_.server, failed->code);
      note(asked, *failed);
      answer(asked, std::move(end));
      return pump();
    case core::write_step::retry:
      if (queue_.retry(core::id_of(asked), *failed, clock().now()))
        answer(asked, ended(verdict::taken_back));
      note(asked, *failed);
      return pump();
    case core::write_step::read: {
      note(asked, *failed);
      const auto moment = clock().now();
      const auto when = queue_.reserve(moment);
      if (when <= moment)
        return read(asked, reaction.how);
      return tell_after(this, when - moment, caf::actor{this}, read_due{asked, reaction.how});
    }
  }
}

void api_writer::read(const core::work& asked, verdict how) {
  ask(this, ports_.gateway, http_call{read_request(asked, hub_nspace_of(asked))})
    .then([this, asked, how](const http_reply& reply) { judge_read(asked, how, reply); },
          [this, asked, how](const caf::error&) {
            judge_read(asked, how, {failure{errc::unavailable, "the gateway ended", {}, 0}});
          });
}

void api_writer::judge_read(const core::work& asked, verdict how, const http_reply& reply) {
  auto failed = failure_of_read(reply.end);
  auto end = ended(how);
  end.read = true;
  if (!failed && !take_object(asked, reply.end->body, end))
    failed = failure{errc::malformed, "the object is unreadable", {}, reply.end->status};
  if (!failed || failed->code == errc::missing)
    return finish(asked, std::move(end));
  queue_.read_later(core::id_of(asked), *failed, clock().now());
  note(asked, *failed);
  pump();
}

void api_writer::finish(const core::work& asked, write_answer end) {
  queue_.finished(core::id_of(asked), end.how, clock().now());
  if (!troubles_.empty() && end.how == verdict::done)
    for (const auto& change : troubles_.succeeded(asked))
      show(change);
  answer(asked, std::move(end));
  pump();
}

void api_writer::answer(const core::work& asked, write_answer end) {
  end.slice_uid = asked.slice_uid;
  end.ticket = asked.ticket;
  end.hub_uid = hub_uid_of(asked.what);
  end.repaired = end.how == verdict::done && is_repair(asked.what) && !queue_.was_uprooted(asked.member, clock().now());
  ports_.figures->ended(name_of(asked.what), end.how);
  tell(this, dispatchers_[asked.member], std::move(end));
}

void api_writer::remind_at(tick when, tick moment) {
  if (reminder_ && *reminder_ <= when)
    return;
  reminder_ = when;
  tell_after(this, std::max(when - moment, tick::duration::zero()), caf::actor{this}, moment_due{when});
}

void api_writer::report(tick moment) {
  const auto& depth = queue_.depth();
  const auto waiting = std::accumulate(depth.begin(), depth.end(), std::size_t{0});
  if (waiting != 0 && moment - reported_ < std::chrono::milliseconds(100))
    return;
  reported_ = moment;
  ports_.figures->queue(ports_.server, {waiting, queue_.in_flight(), queue_.parked(), queue_.oldest_age(moment)});
  const auto& waits = queue_.waits();
  ports_.figures->limiter_waited(ports_.server, waits.count - reported_waits_.count,
                                 waits.total - reported_waits_.total);
  reported_waits_ = waits;
}

core::queue_state api_writer::state() const {
  const auto& depth = queue_.depth();
  const bool waiting = std::any_of(depth.begin(), depth.end(), [](std::size_t count) { return count != 0; });
  return {queue_.server_open(), queue_.namespaces_open(), !waiting && queue_.in_flight() == 0, queue_.parked() != 0};
}

/// A write didn't go through at once: said in the log, and on the board if it stands in the way.
void api_writer::note(const core::work& asked, const failure& why) {
  if (const auto begun = troubles_.failed(asked, hub_nspace_of(asked), why, state()))
    show(*begun);
  // Routine between writers of one object: read again, no word.
  if (why.code == errc::conflict || why.code == errc::already_exists || why.code == errc::other_uid)
    return;
  log::warning("write failed", {{"server", ports_.server},
                                {"member", asked.member},
                                {"command", std::string(name_of(asked.what))},
                                {"object", to_string(core::key_of(asked).object)},
                                {"error", to_string(why)}});
}

void api_writer::show(const core::write_troubles::change& change) {
  if (change.why)
    ports_.board->troubled(change.subject, *change.why);
  else
    ports_.board->healed(change.subject);
}

caf::typed_response_promise<drained> api_writer::drain() {
  drain_ = make_response_promise<drained>();
  auto promise = *drain_;
  pump();
  return promise;
}

const std::string& api_writer::hub_nspace_of(const core::work& asked) const {
  return ports_.hub_nspaces.at(asked.member);
}

} // namespace sliceferry
