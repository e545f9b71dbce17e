#include "test/storm/stage/audit_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace sliceferry::storm {
namespace {

using change = history_entry::change;

std::string object_text(const std::string& uid, int version) {
  return R"({"kind":"EndpointSlice","metadata":{"annotations":{"a":"\"uid\":\"no\""},"name":"web","uid":")" + uid +
         R"(","resourceVersion":")" + std::to_string(version) + R"("},"endpoints":[{"targetRef":{"uid":"pod"}}]})";
}

/// A write of the slice `web` that was answered at this millisecond; version 0: the answer shows no object.
history_entry write_at(int ms, change what, int version, const std::string& uid = "one") {
  history_entry out;
  out.at = std::chrono::milliseconds{ms};
  out.cluster = "member-1";
  out.resource = "endpointslices";
  out.nspace = "shop";
  out.name = "web";
  out.what = what;
  if (version != 0)
    out.object = object_text(uid, version);
  return out;
}

std::vector<int> times(const std::vector<history_entry>& entries) {
  std::vector<int> out;
  for (const auto& each : entries)
    out.push_back(static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(each.at).count()));
  return out;
}

std::vector<int> order_of(std::vector<history_entry> held, int until_ms = 1'000) {
  return times(take_ordered(held, std::chrono::milliseconds{until_ms}));
}

TEST(AuditOrder, IsThatOfTimesWhereNothingTellsMore) {
  auto read = write_at(3, change::none, 0);
  EXPECT_EQ(order_of({write_at(5, change::modified, 12), read, write_at(1, change::modified, 11)}),
            (std::vector{1, 3, 5}));
}

TEST(AuditOrder, FollowsTheVersionsOfOneObject) {
  EXPECT_EQ(order_of({write_at(4, change::modified, 13), write_at(5, change::modified, 12),
                      write_at(9, change::modified, 11), write_at(10, change::modified, 14)}),
            (std::vector{9, 5, 4, 10}));
}

TEST(AuditOrder, LeavesOtherObjectsWhereTheyWere) {
  auto other = write_at(5, change::modified, 3);
  other.name = "mail";
  auto elsewhere = write_at(6, change::modified, 2);
  elsewhere.cluster = "member-2";
  EXPECT_EQ(order_of({write_at(4, change::modified, 13), other, elsewhere, write_at(7, change::modified, 12)}),
            (std::vector{7, 4, 5, 6}));
}

TEST(AuditOrder, KeepsAWriteWithoutChangeBehindWhatItFound) {
  EXPECT_EQ(
    order_of({write_at(2, change::modified, 12), write_at(3, change::modified, 11), write_at(4, change::modified, 11)}),
    (std::vector{3, 4, 2}));
}

history_entry end_at(int ms, const std::string& uid = "one") {
  auto out = write_at(ms, change::deleted, 0);
  out.uid = uid;
  return out;
}

TEST(AuditOrder, PutsAllWritesOfALifeBeforeItsEnd) {
  EXPECT_EQ(order_of({end_at(2), write_at(3, change::modified, 11)}), (std::vector{3, 2}));
  EXPECT_EQ(order_of({end_at(2), write_at(3, change::modified, 11), write_at(4, change::added, 10)}),
            (std::vector{4, 3, 2}));
}

TEST(AuditOrder, PutsTheLastWriteBeforeTheEndThatShowsItsVersion) {
  EXPECT_EQ(order_of({write_at(2, change::deleted, 11), write_at(3, change::modified, 11)}), (std::vector{3, 2}));
}

TEST(AuditOrder, PutsTheNextLifeBehindTheEndOfTheLast) {
  EXPECT_EQ(order_of({end_at(5), write_at(6, change::modified, 11), write_at(4, change::modified, 21, "two"),
                      write_at(8, change::added, 20, "two"), end_at(3, "two")}),
            (std::vector{6, 5, 8, 4, 3}));
  EXPECT_EQ(order_of({end_at(5), write_at(4, change::added, 20, "two")}), (std::vector{5, 4}));
}

TEST(AuditOrder, KeepsWhatIsNotYetDue) {
  std::vector held{write_at(3, change::modified, 13), write_at(9, change::modified, 12),
                   write_at(8, change::modified, 14)};
  EXPECT_EQ(times(take_ordered(held, std::chrono::milliseconds{5})), (std::vector{9, 3}));
  EXPECT_EQ(times(held), (std::vector{8}));
}

TEST(AuditOrder, RecoversAnyOrderOfAnswers) {
  const unsigned seed = 20'261'130;
  RecordProperty("seed", static_cast<int>(seed));
  std::mt19937 chance{seed};
  for (int round = 0; round < 200; ++round) {
    std::vector<history_entry> held;
    for (int version = 1; version <= 20; ++version)
      held.push_back(write_at(version * 10 + static_cast<int>(chance() % 50), change::modified, version));
    std::shuffle(held.begin(), held.end(), chance);
    const auto ordered = take_ordered(held, std::chrono::seconds{1});
    ASSERT_EQ(ordered.size(), 20U);
    for (std::size_t i = 0; i < ordered.size(); ++i)
      ASSERT_EQ(ordered[i].object, object_text("one", static_cast<int>(i) + 1))
        << "round " << round << ", seed " << seed;
  }
}

} // namespace
} // namespace sliceferry::storm
