#include "actors/journal/upkeep.hpp"

#include "actors/journal/memory_codec.hpp"
#include "actors/journal/replay.hpp"
#include "actors/journal/stream_key.hpp"
#include "test/journal/journal_place.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

namespace sliceferry::journal {
namespace {

using namespace std::chrono_literals;

constexpr retention_rule week{7 * 24h, 1'000'000};

store_figures figures(std::uint64_t first, std::uint64_t covered, std::uint64_t last) {
  store_figures out;
  out.first = first;
  out.last = last;
  if (covered != 0)
    out.snapshot = layout::snapshot_mark{0, covered};
  return out;
}

TEST(Upkeep, WantsASnapshotWhereItPays) {
  struct row {
    const char* name;
    store_figures now;
    std::uint64_t streams;
    std::uint64_t used;
    std::uint64_t log_bytes;
    bool then;
  };
  const row table[] = {
    {"nothing there", figures(1, 0, 0), 0, 0, 0, false},
    {"a hundred thousand records", figures(1, 0, 100'000), 0, 0, 0, false},
    {"one more", figures(1, 0, 100'001), 0, 0, 0, true},
    {"counted from the snapshot", figures(1, 50'000, 150'000), 0, 0, 0, false},
    {"half of the streams", figures(1, 1'000'000, 1'500'000), 1'000'000, 0, 0, false},
    {"more than half of the streams", figures(1, 1'000'000, 1'500'001), 1'000'000, 0, 0, true},
    {"nearly full of what isn't covered", figures(1, 0, 5'000), 0, 800'000, 500'000, true},
    {"nearly full, but of what is covered", figures(1, 4'900, 5'000), 0, 800'000, 500'000, false},
    {"not full yet", figures(1, 0, 5'000), 0, 700'000, 500'000, false},
  };
  for (auto [name, now, streams, used, log_bytes, then] : table) {
    SCOPED_TRACE(name);
    now.snapshot_streams = streams;
    now.bytes_used = used;
    now.log_bytes = log_bytes;
    EXPECT_EQ(wants_snapshot(now, week), then);
  }
}

TEST(Upkeep, TrimsOnlyWhatIsCoveredAndOldOrTooMuch) {
  struct row {
    const char* name;
    store_figures now;
    std::uint64_t used;
    std::optional<std::chrono::milliseconds> age;
    bool then;
  };
  const row table[] = {
    {"young", figures(1, 500, 1000), 0, 1h, false},
    {"old", figures(1, 500, 1000), 0, 7 * 24h + 1ms, true},
    {"old, but not covered", figures(501, 500, 1000), 0, 30 * 24h, false},
    {"no snapshot", figures(1, 0, 1000), 2'000'000, 30 * 24h, false},
    {"too much", figures(1, 500, 1000), 1'000'001, 1h, true},
    {"too much, age unknown", figures(1, 500, 1000), 1'000'001, std::nullopt, true},
    {"age unknown", figures(1, 500, 1000), 0, std::nullopt, false},
  };
  for (auto [name, now, used, age, then] : table) {
    SCOPED_TRACE(name);
    now.bytes_used = used;
    EXPECT_EQ(wants_trim(now, week, age), then);
  }
}

struct Snapshot : testing::Test {
  temporary_directory place;
  moved_clock clock;

  journal_options options(const std::string& directory) {
    journal_options out;
    out.directory = directory;
    out.now = [this] { return clock.wall(); };
    return out;
  }

  /// What a process would recover that starts on a copy of the file as it is.
  memories recover_copy() {
    temporary_directory copy;
    std::filesystem::copy_file(place.file(), copy.file());
    const auto made = open_or_die(options(copy.path()));
    memories out = recover_all(*made).streams;
    EXPECT_EQ(made->status().set_aside + made->status().cut_records, 0U);
    return out;
  }

  /// Of the file as it is, which must agree with itself.
  std::string replay_report_of(replay_query asked) {
    asked.directory = place.path();
    std::string out;
    const auto end = show_replay(asked, [&](std::string_view piece) { return out += piece, true; });
    EXPECT_EQ(end.how, reading_end::kind::answered) << out;
    return out;
  }
};

TEST_F(Snapshot, IsWorthTheSameWhereverItIsInterrupted) {
  std::vector<told_stream> streams;
  for (unsigned i = 0; i < 1200; ++i)
    streams.emplace_back("member-" + std::to_string(i % 3), i);
  memories wanted;
  {
    const auto made = open_or_die(options(place.path()));
    std::uint64_t last = 0;
    for (auto& each : streams)
      last = each.tell(*made);
    ASSERT_TRUE(wait_durable(*made, last));
    made->snapshot_now();
    ASSERT_TRUE(wait_until([&] { return made->status().snapshots == 1; }));
    for (unsigned i = 0; i < streams.size(); i += 2)
      last = i % 8 == 0 ? streams[i].end(*made) : streams[i].tell(*made);
    for (unsigned i = 5000; i < 5300; ++i)
      last = streams.emplace_back("member-9", i).tell(*made);
    ASSERT_TRUE(wait_durable(*made, last));
  }
  for (const auto& each : streams)
    if (!core::ended(each.held()))
      wanted[each.whose()] = each.held();
  clock.wall_ms += std::chrono::milliseconds(8 * 24h).count();

  auto how = options(place.path());
  const auto store = std::make_shared<journal_store>(journal_store::settings{place.file(), 1 << 28, false});
  ASSERT_FALSE(store->open());
  upkeep keeping(store, how, [] {});
  keeping.request();
  int steps = 0;
  for (;;) {
    keeping.look();
    if (keeping.under_way())
      ASSERT_TRUE(wait_until([&] { return keeping.has_step(); }));
    else if (!keeping.has_step())
      break;
    ASSERT_FALSE(store->begin());
    ASSERT_FALSE(keeping.step(0));
    ASSERT_FALSE(store->commit());
    keeping.committed();
    ++steps;
    SCOPED_TRACE(steps);
    ASSERT_TRUE(recover_copy() == wanted);
  }
  EXPECT_GT(steps, 9);
  EXPECT_EQ(keeping.snapshots(), 1U);
  EXPECT_EQ(store->figures().snapshot_streams, wanted.size());
  EXPECT_EQ(store->figures().first, store->figures().last + 1) << "all of it is old, and covered";
  store->close();
  // What is appended to an empty log goes on where it ended.
  {
    const auto made = open_or_die(options(place.path()));
    ASSERT_TRUE(wait_durable(*made, streams[1].tell(*made)));
    wanted[streams[1].whose()] = streams[1].held();
    EXPECT_EQ(made->status().last, made->status().snapshot_covers + 2);
  }
  EXPECT_TRUE(recover_copy() == wanted);
}

/// Slices that come back after their streams' ends, before and after the snapshot that leaves these out.
TEST_F(Snapshot, OfStreamsThatGoOnAfterTheirEndTellsAsMuchAsTheLog) {
  std::vector<told_stream> streams;
  for (unsigned i = 0; i < 40; ++i)
    streams.emplace_back("member-1", i);
  {
    const auto made = open_or_die(options(place.path()));
    std::uint64_t last = 0;
    for (unsigned i = 0; i < streams.size(); ++i) {
      streams[i].tell(*made);
      last = streams[i].end(*made);
      if (i % 4 == 0)
        last = streams[i].tell(*made);
    }
    ASSERT_TRUE(wait_durable(*made, last));
    made->snapshot_now();
    ASSERT_TRUE(wait_until([&] { return made->status().snapshots == 1; }));
    for (unsigned i = 0; i < streams.size(); i += 2)
      last = streams[i].tell(*made);
    last = streams[2].end(*made);
    ASSERT_TRUE(wait_durable(*made, last));
  }
  memories wanted;
  for (const auto& each : streams)
    if (!core::ended(each.held()))
      wanted[each.whose()] = each.held();
  EXPECT_EQ(wanted.size(), 19U);
  EXPECT_TRUE(recover_copy() == wanted);
  memories folded = fold_all(read_log(place.path()));
  std::erase_if(folded, [](const auto& each) { return core::ended(each.second); });
  EXPECT_TRUE(folded == wanted);
  replay_report_of({});
}

/// Their keys are hashes: records and memories carry the names besides.
TEST_F(Snapshot, OfStreamsWithLongNamesTellsWhoseTheyAre) {
  std::vector<told_stream> streams;
  for (unsigned i = 0; i < 6; ++i)
    streams.emplace_back(i % 2 == 0 ? std::string(600, 'm') : std::string("m\0m", 3), i);
  const auto wanted = [&] {
    memories out;
    for (const auto& each : streams)
      out[each.whose()] = each.held();
    return out;
  };
  for (const bool has_snapshot : {false, true, true}) {
    {
      const auto made = open_or_die(options(place.path()));
      std::uint64_t last = 0;
      for (std::size_t i = has_snapshot ? 3 : 0; i < streams.size(); ++i)
        last = streams[i].tell(*made);
      ASSERT_TRUE(wait_durable(*made, last));
      EXPECT_TRUE(recover_copy() == wanted());
      made->snapshot_now();
      ASSERT_TRUE(wait_until([&] { return made->status().snapshots == 1; }));
    }
    EXPECT_TRUE(recover_copy() == wanted());
  }
  memory_digests running;
  for (const auto& [whose, held] : wanted())
    running[whose] = digest_of(held);
  for (const auto& member : {std::string{}, streams[0].whose().member}) {
    replay_query asked;
    asked.running = &running;
    asked.member = member;
    asked.json = true;
    const auto report = replay_report_of(std::move(asked));
    EXPECT_NE(report.find(member.empty() ? "\"compared_running\":6" : "\"compared_running\":3"), std::string::npos)
      << report;
  }
}

TEST_F(Snapshot, AStepThatFailedIsDoneAgain) {
  std::vector<told_stream> streams;
  memories wanted;
  {
    const auto made = open_or_die(options(place.path()));
    for (unsigned i = 0; i < 1200; ++i) {
      streams.emplace_back("member-1", i).tell(*made);
      wanted[streams.back().whose()] = streams.back().held();
    }
  }
  const auto store = std::make_shared<journal_store>(journal_store::settings{place.file(), 1 << 28, false});
  ASSERT_FALSE(store->open());
  upkeep keeping(store, options(place.path()), [] {});
  keeping.request();
  keeping.look();
  while (keeping.under_way()) {
    ASSERT_TRUE(wait_until([&] { return keeping.has_step(); }));
    for (const bool fails : {true, false}) {
      ASSERT_FALSE(store->begin());
      ASSERT_FALSE(keeping.step(0));
      if (fails) {
        store->abandon();
        keeping.undone();
      } else {
        ASSERT_FALSE(store->commit());
        keeping.committed();
      }
    }
  }
  store->close();
  EXPECT_TRUE(recover_copy() == wanted);
}

TEST_F(Snapshot, IsMadeByItselfAndKeepsTheFileWithinItsBounds) {
  auto how = options(place.path());
  how.max_bytes = 2 << 20;
  std::vector<told_stream> streams;
  for (unsigned i = 0; i < 500; ++i)
    streams.emplace_back("member-1", i);
  memories wanted;
  {
    const auto made = open_or_die(how);
    std::uint64_t most = 0;
    for (int round = 0; round < 60; ++round) {
      std::uint64_t last = 0;
      for (auto& each : streams)
        last = each.tell(*made);
      ASSERT_TRUE(wait_durable(*made, last));
      most = std::max(most, made->status().bytes_used);
      ASSERT_TRUE(wait_until([&] { return !made->status().snapshot_under_way; })); // however slow this machine is
    }
    EXPECT_TRUE(
      wait_until([&] { return !made->status().snapshot_under_way && made->status().bytes_used <= how.max_bytes; }));
    EXPECT_GT(made->status().snapshots, 0U);
    EXPECT_GT(made->status().first, 1U);
    EXPECT_LT(most, 2 * how.max_bytes);
    EXPECT_EQ(made->status().degradations, 0U);
  }
  for (const auto& each : streams)
    wanted[each.whose()] = each.held();
  EXPECT_TRUE(recover_copy() == wanted);
}

TEST_F(Snapshot, ManyPassesOverTheLogFindTheSame) {
  std::vector<told_stream> streams;
  memories wanted;
  {
    const auto made = open_or_die(options(place.path()));
    std::uint64_t last = 0;
    for (unsigned i = 0; i < 400; ++i)
      last = streams.emplace_back("member-1", i).tell(*made);
    ASSERT_TRUE(wait_durable(*made, last));
    made->snapshot_now();
    ASSERT_TRUE(wait_until([&] { return made->status().snapshots == 1; }));
    for (int round = 0; round < 5; ++round)
      for (unsigned i = 0; i < 400; i += 3)
        streams[i].tell(*made);
    for (int round = 0; round < 300; ++round)
      streams[7].tell(*made); // more than fits, of one stream
  }
  for (const auto& each : streams)
    wanted[each.whose()] = each.held();
  journal_store store({place.file(), 1 << 28, false});
  ASSERT_FALSE(store.open());
  for (const std::size_t places : {1, 7, 64, 1000, 100'000}) {
    SCOPED_TRACE(places);
    stream_scan scan(store, store.figures().last, places);
    memories found;
    std::string last_key;
    while (!scan.is_done())
      ASSERT_EQ(scan.next(50,
                          [&](std::string_view key, std::string_view memory) {
                            EXPECT_LT(last_key, key) << "in order";
                            last_key = key;
                            found[*stream_of(key)] = decode_memory(memory)->held;
                          }),
                "");
    EXPECT_TRUE(found == wanted);
    EXPECT_EQ(scan.records(), store.figures().last - store.figures().covered());
  }
}

} // namespace
} // namespace sliceferry::journal
