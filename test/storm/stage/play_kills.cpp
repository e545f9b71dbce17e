#include "test/storm/stage/ask.hpp"
#include "test/storm/stage/interruption.hpp"
#include "test/storm/stage/play.hpp"

#include <csignal>
#include <fmt/format.h>
#include <random>

namespace sliceferry::storm {
namespace {

using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

constexpr milliseconds beat{5};
constexpr milliseconds status_every{500};
constexpr unsigned life_ms_max = 700;        ///< of a process, until it is killed or the trap in its disk is set
constexpr std::int64_t commits_max = 20;     ///< until that trap shuts
constexpr milliseconds trap_patience{3'000}; ///< a process that commits nothing is killed all the same
constexpr std::size_t replay_every = 5;

/// How a process dies: from without at any time, or in a commit.
struct death {
  milliseconds life{};
  std::optional<commit_step> step;
  std::int64_t commits = 0;
};

death draw(std::uint64_t seed) {
  std::mt19937_64 chance{seed};
  death out;
  out.life = milliseconds{chance() % life_ms_max};
  if (chance() % 2 == 0)
    return out;
  out.step = static_cast<commit_step>(chance() % 3);
  out.commits = 1 + static_cast<std::int64_t>(chance() % commits_max);
  return out;
}

const char* name_of(commit_step step) {
  switch (step) {
    case commit_step::pages_written:
      return "before a sync";
    case commit_step::pages_synced:
      return "after a sync";
    case commit_step::meta_written:
      return "after a commit";
  }
  return "";
}

} // namespace

std::string play::killing_storm() {
  storm_began_ = clock::now();
  std::uint64_t offered = 0;
  for (std::size_t moment = 1; moment <= options_.kills; ++moment) {
    if (auto broken = die_once(options_.seed * 1'000'003 + moment, offered); !broken.empty())
      return broken;
    if (journal_ && (moment % replay_every == 0 || moment == options_.kills))
      if (auto wrong = journal_->replay(); !wrong.empty())
        verdict_.reasons.push_back(fmt::format("after {} kills, {}", moment, wrong));
    if (!program_->start())
      return "the program could not be started again";
    note({fault_actor::program_event::started});
  }
  return {};
}

/// One life of the process under the storm, and what its journal must say at its end.
std::string play::die_once(std::uint64_t seed, std::uint64_t& offered) {
  const auto how = draw(seed);
  auto* const disk = how.step ? program_->disk() : nullptr;
  const auto kills_before = disk ? disk->control().kills.load() : 0;
  const auto began = clock::now();
  auto shown = began;
  bool armed = false;
  while (clock::now() - began < how.life + (disk ? trap_patience : milliseconds{0})) {
    offer(storm_began_, offered);
    if (disk && !armed && clock::now() - began >= how.life) {
      disk->kill_at(*how.step, how.commits);
      armed = true;
    }
    if (wait_unless_interrupted(beat))
      return "interrupted";
    if (!program_->process().alive())
      break;
    if (clock::now() - shown < status_every)
      continue;
    shown = clock::now();
    report_status("kills");
  }
  const bool fell = disk && disk->control().kills.load() != kills_before;
  if (!fell && !program_->process().alive())
    return program_ended_itself();
  if (disk)
    disk->heal();
  if (!fell)
    note({fault_actor::program_event::ending});
  program_->kill();
  ++verdict_.kills[fell ? name_of(*how.step) : "at any time"];
  note({fault_actor::program_event::stopped});
  return journal_broken_;
}

/// Once more, when all is right: a process that starts on clusters in sync has nothing to write.
std::string play::restart_in_sync() {
  constexpr std::chrono::seconds patience{30};
  constexpr milliseconds calm{2'000};
  const auto writes = [this] {
    const std::scoped_lock lock{mutex_};
    return oracle_->figures().accepted_writes;
  };
  if (!is_settled())
    return {}; // the verdict says so
  program_->stop();
  note({fault_actor::program_event::stopped});
  const auto before = writes();
  if (!journal_broken_.empty() || !program_->start())
    return journal_broken_.empty() ? "the program could not be started again" : journal_broken_;
  note({fault_actor::program_event::started});
  const auto began = clock::now();
  while (get(*admin_, "/readyz").status != 200) {
    if (wait_unless_interrupted(milliseconds{20}))
      return "interrupted";
    if (clock::now() - began > patience) {
      verdict_.reasons.emplace_back("after its last restart the program wasn't ready");
      return {};
    }
  }
  if (wait_unless_interrupted(calm))
    return "interrupted";
  if (auto broken = catch_up(); !broken.empty())
    return broken;
  if (const auto more = writes() - before; more != 0)
    verdict_.reasons.push_back(fmt::format("a restart in sync made {} writes", more));
  return {};
}

} // namespace sliceferry::storm
