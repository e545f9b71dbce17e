#include "actors/core/jitter.hpp"
#include "actors/journal/journal.hpp"
#include "test/journal/journal_place.hpp"

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>

namespace sliceferry::journal {
namespace {

/// Told by the process that will be killed: so many steps of each stream are durable.
struct durable_step {
  unsigned stream;
  std::int64_t generation;
};

constexpr unsigned streams_count = 50;

/// Appends until it is killed. Streams go on from what was recovered, as exporters would.
[[noreturn]] void live(const journal_options& options, int report, bool snapshots) {
  const auto made = open_or_die(options);
  std::vector<told_stream> streams;
  for (unsigned i = 0; i < streams_count; ++i)
    streams.emplace_back("member-1", i);
  const recovered before = recover_all(*made);
  for (auto& each : streams)
    if (const auto found = before.streams.find(each.whose()); found != before.streams.end())
      each.go_on(found->second);
  for (;;) {
    if (snapshots)
      made->snapshot_now();
    std::uint64_t last = 0;
    for (unsigned i = 0; i < streams_count; ++i) {
      last = streams[i].tell(*made);
      const durable_step step{i, streams[i].held().generation};
      made->when_durable(last, [=] {
        if (write(report, &step, sizeof step) < 0)
          _exit(1);
      });
    }
    if (!wait_durable(*made, last))
      _exit(2);
  }
}

TEST(KilledJournal, HoldsAllThatWasDurableWheneverItDies) {
  temporary_directory place;
  moved_clock clock;
  journal_options options;
  options.directory = place.path();
  options.now = [&] { return clock.wall(); };
  const std::uint64_t seed = 7;
  core::jitter random(seed);
  std::vector<std::int64_t> durable(streams_count, 0);
  for (int life = 0; life < 20; ++life) {
    SCOPED_TRACE(life);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0)
      live(options, ends[1], life % 3 != 0);
    close(ends[1]);
    std::uint64_t left = random.next() % 600;
    durable_step step{};
    bool killed = false;
    // What it still says while it dies counts.
    while (read(ends[0], &step, sizeof step) == sizeof step) {
      durable[step.stream] = std::max(durable[step.stream], step.generation);
      if (left-- == 0 || killed) {
        kill(child, SIGKILL);
        killed = true;
        left = 0;
      }
    }
    close(ends[0]);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << status;

    const auto made = open_or_die(options);
    const recovered found = recover_all(*made);
    EXPECT_EQ(made->status().set_aside + made->status().cut_records, 0U);
    for (unsigned i = 0; i < streams_count; ++i) {
      const auto held = found.streams.find(told_stream("member-1", i).whose());
      ASSERT_TRUE(held != found.streams.end() || durable[i] == 0);
      if (held == found.streams.end())
        continue;
      EXPECT_GE(held->second.generation, durable[i]);
      EXPECT_EQ(held->second.names_chosen, held->second.generation) << "each event once";
    }
  }
  const auto log = read_log(place.path());
  for (std::size_t i = 1; i < log.size(); ++i)
    ASSERT_EQ(log[i].position, log[0].position + i);
}

} // namespace
} // namespace sliceferry::journal
