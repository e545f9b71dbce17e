#include "actors/journal_view.hpp"

#include "actors/admin/readiness.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace sliceferry {
namespace {

double figure(const journal::journal_status& now, const std::string& name) {
  for (const auto& each : figures_of(now))
    if (each.name == name)
      return each.value;
  ADD_FAILURE() << name << " is not shown";
  return 0;
}

TEST(JournalView, NotesADegradedJournalAndStaysReady) {
  readiness board{{"m1"}};
  for (const auto which : {input::endpointslices, input::serviceexports, input::hub_exports})
    board.set("m1", which, sync_state::synced);
  journal::journal_status now;
  now.state = core::journal_state::healthy;
  show(now, board);
  const auto before = board.tell().lines;
  now.state = core::journal_state::degraded;
  now.why = "no space left on device";
  show(now, board);
  EXPECT_TRUE(board.ready()) << "exports go on";
  EXPECT_NE(board.tell().lines.find("no space left on device"), std::string::npos);
  now.state = core::journal_state::healthy;
  show(now, board);
  EXPECT_EQ(board.tell().lines, before);
}

TEST(JournalView, ShowsEachFigureOnce) {
  journal::journal_status now;
  EXPECT_EQ(figure(now, "sliceferry_journal_degraded"), 0);
  EXPECT_EQ(figure(now, "sliceferry_journal_records"), 0) << "of a journal that isn't open yet";
  now.state = core::journal_state::degraded;
  now.first = 11;
  now.last = 20;
  now.snapshot_took = std::chrono::milliseconds(1500);
  EXPECT_EQ(figure(now, "sliceferry_journal_degraded"), 1);
  EXPECT_EQ(figure(now, "sliceferry_journal_records"), 10);
  EXPECT_EQ(figure(now, "sliceferry_journal_snapshot_duration_seconds"), 1.5);
  std::set<std::string> names;
  for (const auto& each : figures_of(now)) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_EQ(std::string(each.name).ends_with("_total"), each.is_counter) << each.name;
  }
}

TEST(JournalView, TakesTheSettings) {
  const auto options = options_of({"/data", journal_sync::relaxed, std::chrono::hours{5}, 100}, 7);
  EXPECT_EQ(options.directory, "/data");
  EXPECT_TRUE(options.relaxed);
  EXPECT_EQ(options.retention, std::chrono::hours{5});
  EXPECT_EQ(options.max_bytes, 100U << 20U);
  EXPECT_EQ(options.seed, 7U);
  ASSERT_TRUE(options.now);
  ASSERT_TRUE(options.tell);
  EXPECT_FALSE(options_of({}, 7).relaxed);
}

} // namespace
} // namespace sliceferry
