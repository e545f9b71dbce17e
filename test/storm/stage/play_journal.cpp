#include "test/storm/stage/ask.hpp"
#include "test/storm/stage/play.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sliceferry::storm {
namespace {

using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

constexpr std::chrono::seconds round_every{10};
/// A disk that is well again is tried at once or a little later; and how the program stands is seen that often.
constexpr milliseconds announced_for{1'000};

instant now() {
  return std::chrono::duration_cast<instant>(std::chrono::system_clock::now().time_since_epoch());
}

bool strikes_disk(const fault& each) {
  return each.kind == "torn_journal" || each.kind.find("disk") != std::string::npos;
}

} // namespace

void play::watch_journal() {
  if (!options_.journal) {
    std::erase_if(verdict_.forecast, strikes_disk);
    return;
  }
  watched_journal where{
    options_.program, place_.folder() / "journal", place_.folder() / "journal-reader", servers_.program_user, {}};
  for (const auto& name : servers_.members())
    where.member_of_hub_nspace["fleet-member-" + name] = name;
  journal_ = std::make_unique<journal_watch>(std::move(where));
}

void play::note(fault_actor::program_news what) {
  using event = fault_actor::program_event;
  const auto tell = [&](void (oracle::*told)(instant)) {
    const std::scoped_lock lock{mutex_};
    (oracle_.get()->*told)(now());
  };
  switch (what.what) {
    case event::ending:
      return ask_program();
    case event::stopped:
      tell(&oracle::program_stopped);
      if (auto broken = inspect_journal(); journal_broken_.empty())
        journal_broken_ = std::move(broken);
      return;
    case event::started:
      return tell(&oracle::program_started);
    case event::paused:
      return tell(&oracle::program_paused);
    case event::continued:
      return tell(&oracle::program_continued);
    case event::torn:
      if (journal_)
        journal_->forget();
      return;
    case event::disk_struck:
      if (journal_)
        journal_->excuse(now(), now() + what.lasts + announced_for);
      return;
  }
}

std::string play::inspect_journal() {
  if (!journal_)
    return {};
  if (auto broken = catch_up(); !broken.empty())
    return broken;
  return journal_->final_round();
}

void play::ask_program() {
  // A process that is just starting doesn't answer yet, and what it said before counts on.
  status_.program.journal_degraded = false; // unless it says so
  if (const auto answer = get(*admin_, "/metrics"); answer.status == 200)
    status_.program = read_figures(answer.body);
  // A disk that stalls on its own is no fault of the program either.
  if (journal_ && status_.program.journal_degraded)
    journal_->excuse(now() - announced_for, now() + announced_for);
}

void play::look_at_journal() {
  if (!journal_ || !program_ || !program_->process().alive())
    return;
  if (storm_began_ == clock::time_point{} || clock::now() - journal_read_ < round_every)
    return;
  journal_read_ = clock::now();
  journal_->begin_round();
  journal_broken_ = journal_->broken();
}

void play::judge_journal() {
  if (!journal_)
    return;
  for (const auto& each : journal_->violations())
    verdict_.reasons.push_back(
      fmt::format("in the journal, {}: {} {}\n{}", each.rule, each.member, each.object, each.story));
  for (const auto& [rule, count] : journal_->counts())
    verdict_.by_rule[rule] += count;
  verdict_.journal = journal_->figures();
  if (const auto unreadable = verdict_.journal->unreadable; unreadable != 0)
    verdict_.reasons.push_back(fmt::format("{} lines of the journal's history are unreadable", unreadable));
}

std::string play::program_ended_itself() {
  auto& running = *program_;
  if ((faults_ && faults_->holds_program()) || running.process().alive())
    return {};
  return fmt::format("the program ended by itself (exit code {}): {}",
                     running.process().wait(milliseconds{0}).value_or(-1), running.process().tail());
}

} // namespace sliceferry::storm
