#include "test/storm/stage/program.hpp"

#include <gtest/gtest.h>

namespace sliceferry::storm {
namespace {

TEST(ProgramFigures, AddUpTheSeriesOfAllMembersAndServers) {
  const auto found =
    read_figures("# HELP sliceferry_queue_depth Commands that wait in a writer.\n"
                 "# TYPE sliceferry_queue_depth gauge\n"
                 "sliceferry_queue_depth{writer=\"hub\"} 12\n"
                 "sliceferry_queue_depth{writer=\"member-1\"} 3\n"
                 "sliceferry_queue_in_flight{writer=\"hub\"} 2\n"
                 "sliceferry_exporters{member=\"member-1\",state=\"awake\"} 7\n"
                 "sliceferry_exporters{member=\"member-1\",state=\"dormant\"} 700\n"
                 "sliceferry_requests_total{server=\"hub\",verb=\"POST\",code=\"201\"} 5\n"
                 "sliceferry_requests_total{server=\"hub\",verb=\"POST\",code=\"409\"} 1\n"
                 "sliceferry_requests_total{server=\"member-1\",verb=\"PATCH\",code=\"200\"} 1.2e+06\n"
                 "sliceferry_watch_restarts_total{member=\"m\",collection=\"slices\",reason=\"cut\"} 4\n"
                 "sliceferry_journal_events_total 42\n"
                 "sliceferry_journal_degraded 1\n"
                 "sliceferry_journal_degradations_total 3\n"
                 "no number\n\n"
                 "process_threads 9");
  EXPECT_EQ(found.queued, 15U);
  EXPECT_EQ(found.in_flight, 2U);
  EXPECT_EQ(found.awake, 7U);
  EXPECT_EQ(found.watch_restarts, 4U);
  EXPECT_EQ(found.journal_events, 42U);
  EXPECT_TRUE(found.journal_degraded);
  const std::map<std::string, std::uint64_t> requests{{"PATCH", 1'200'000}, {"POST", 6}};
  EXPECT_EQ(found.requests, requests);
}

TEST(ProgramFigures, AreAllZeroWithoutMetrics) {
  const auto found = read_figures("");
  EXPECT_EQ(found.queued, 0U);
  EXPECT_FALSE(found.journal_degraded);
  EXPECT_TRUE(found.requests.empty());
}

} // namespace
} // namespace sliceferry::storm
