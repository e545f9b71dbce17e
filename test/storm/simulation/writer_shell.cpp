#include "test/storm/simulation/writer_shell.hpp"

#include "actors/core/write_reaction.hpp"
#include "messages/overloaded.hpp"
#include "test/storm/simulation/process.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace sliceferry::storm {
namespace {

write_answer ended(verdict how) {
  write_answer end;
  end.how = how;
  return end;
}

/// What `take_object` of actors/wire.cpp makes of the body.
void take_object(const reply& from, write_answer& into) {
  into.slice = from.slice;
  into.exported = from.exported;
}

} // namespace

writer_shell::writer_shell(process& whole, server which, const core::write_limits& limits)
  : whole_(whole), which_(which), queue_(whole.has(defect::ignores_limits) ? core::write_limits{} : limits,
                                         whole.number() * 2 + static_cast<std::uint64_t>(which)) {}

void writer_shell::take(const writer_mail& mail) {
  std::visit(overloaded{
               [this](const submission& x) { submit(x); },
               [this](const take_back_request& x) { take_back(x); },
               [this](const forget_request& x) { forget(x); },
               [this](const read_turn_request& x) { give_turn(x); },
               [this](const read_due& x) { call(request::call::read, x.asked, x.how); },
               [this](const moment_due& x) { wake(x); },
               [this](const call_ended& x) {
                 if (x.asked.what == request::call::read)
                   judge_read(x.asked.asked, x.asked.how, x.end);
                 else
                   judge(x.asked.asked, x.end);
               },
             },
             mail);
}

bool writer_shell::is_idle() const {
  return queue_.in_flight() == 0 && std::ranges::all_of(queue_.depth(), [](auto count) { return count == 0; });
}

void writer_shell::submit(const submission& asked) {
  whole_.note_submitted(asked.asked);
  if (whole_.has(defect::skips_queue))
    call(request::call::write, asked.asked, {});
  const auto end = queue_.submit(asked.asked, asked.replaces, whole_.now());
  if (!end.accepted)
    return answer(asked.asked, ended(verdict::too_late));
  if (end.superseded) {
    core::work gone = asked.asked;
    gone.ticket = *end.superseded;
    answer(gone, ended(verdict::superseded));
  }
  pump();
}

void writer_shell::take_back(const take_back_request& asked) {
  const bool is_in_time = whole_.has(defect::ignores_take_back) || queue_.take_back(asked.id, whole_.now());
  answer({asked.id.owner.member, asked.id.owner.slice_uid, asked.id.ticket, {}},
         ended(is_in_time ? verdict::taken_back : verdict::too_late));
  pump();
}

void writer_shell::forget(const forget_request& asked) {
  queue_.forget(asked.owner, whole_.now());
  pump();
}

void writer_shell::give_turn(const read_turn_request& asked) {
  const auto when = queue_.reserve(whole_.now());
  if (when <= whole_.now())
    return whole_.tell_dispatcher(read_turn{asked.suspect});
  whole_.tell_dispatcher_at(when, read_turn{asked.suspect});
}

void writer_shell::wake(const moment_due& moment) {
  if (reminder_ != moment.when)
    return;
  reminder_.reset();
  pump();
}

void writer_shell::pump() {
  const auto moment = whole_.now();
  while (const auto next = queue_.next(moment))
    call(next->read ? request::call::read : request::call::write, next->asked, verdict::ambiguous);
  if (const auto due = queue_.due(moment))
    remind_at(*due);
}

void writer_shell::call(request::call what, const core::work& asked, verdict how) {
  request out;
  out.to = which_;
  out.what = what;
  out.asked = asked;
  out.how = how;
  whole_.send(std::move(out));
}

void writer_shell::judge(const core::work& asked, const reply& told) {
  write_answer end;
  if (!told.failed) {
    take_object(told, end);
    return finish(asked, std::move(end));
  }
  auto reaction = core::react(asked.what, told.failed->code);
  if (whole_.has(defect::repeats_lost_write) && reaction.how == verdict::ambiguous)
    reaction.step = core::write_step::retry;
  end.how = reaction.how;
  end.why = *told.failed;
  switch (reaction.step) {
    case core::write_step::answer:
      return finish(asked, std::move(end));
    case core::write_step::refuse:
      queue_.refused(core::id_of(asked), *told.failed, whole_.now());
      answer(asked, std::move(end));
      return pump();
    case core::write_step::retry:
      if (queue_.retry(core::id_of(asked), *told.failed, whole_.now()))
        answer(asked, ended(verdict::taken_back));
      return pump();
    case core::write_step::read: {
      const auto when = queue_.reserve(whole_.now());
      if (when <= whole_.now())
        return call(request::call::read, asked, reaction.how);
      return whole_.tell_writer_at(when, which_, read_due{asked, reaction.how});
    }
  }
}

void writer_shell::judge_read(const core::work& asked, verdict how, const reply& told) {
  auto end = ended(how);
  end.read = true;
  if (!told.failed)
    take_object(told, end);
  if (!told.failed || told.failed->code == errc::missing)
    return finish(asked, std::move(end));
  queue_.read_later(core::id_of(asked), *told.failed, whole_.now());
  pump();
}

void writer_shell::finish(const core::work& asked, write_answer end) {
  queue_.finished(core::id_of(asked), end.how, whole_.now());
  answer(asked, std::move(end));
  pump();
}

void writer_shell::answer(const core::work& asked, write_answer end) {
  end.slice_uid = asked.slice_uid;
  end.ticket = asked.ticket;
  end.hub_uid = hub_uid_of(asked.what);
  end.repaired = end.how == verdict::done && is_repair(asked.what);
  whole_.tell_dispatcher(std::move(end));
}

void writer_shell::remind_at(tick when) {
  if (reminder_ && *reminder_ <= when)
    return;
  reminder_ = when;
  // The timer goes off at `when` or, if that has passed, at once; either way the message names `when`.
  whole_.tell_writer_at(when, which_, moment_due{when});
}

} // namespace sliceferry::storm
