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

/// A write of the object `web` at this millisecond, which is its code too; version 0: the answer shows no object.
history_entry write_at(int ms, change what, int version, const std::string& uid = "one") {
  history_entry out;
  out.at = std::chrono::milliseconds{ms};
  out.code = ms;
  out.cluster = "hub";
  out.resource = "endpointslices";
  out.nspace = "shop";
  out.name = "web";
  out.what = what;
  if (version != 0)
    out.object = object_text(uid, version);
  return out;
}

history_entry end_at(int ms, const std::string& uid = "one") {
  auto out = write_at(ms, change::deleted, 0);
  out.uid = uid;
  return out;
}

std::vector<int> codes(const std::vector<history_entry>& entries) {
  std::vector<int> out;
  for (const auto& each : entries)
    out.push_back(each.code);
  return out;
}

/// The codes in their order, which must be the same on the hub and in a member, and told by the times too.
std::vector<int> order_of(const std::vector<history_entry>& held) {
  std::vector<int> on_hub;
  for (const char* cluster : {"hub", "member-1"}) {
    auto all = held;
    for (auto& each : all)
      each.cluster = cluster;
    const auto ordered = take_ordered(all, std::chrono::seconds{1});
    EXPECT_TRUE(
      std::is_sorted(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.at < b.at; }));
    if (on_hub.empty())
      on_hub = codes(ordered);
    EXPECT_EQ(codes(ordered), on_hub) << cluster;
  }
  return on_hub;
}

TEST(AuditOrder, IsThatOfTimesWhereNothingTellsMore) {
  const auto read = write_at(3, change::none, 0);
  EXPECT_EQ(order_of({write_at(5, change::modified, 12), read, write_at(1, change::modified, 11)}),
            (std::vector{1, 3, 5}));
}

TEST(AuditOrder, FollowsTheVersionsOfOneObject) {
  EXPECT_EQ(order_of({write_at(4, change::modified, 13), write_at(5, change::modified, 12),
                      write_at(9, change::modified, 11), write_at(10, change::modified, 14)}),
            (std::vector{9, 5, 4, 10}));
}

TEST(AuditOrder, MovesToLaterInAMemberAndToEarlierOnTheHub) {
  const auto ordered = [](const std::string& cluster) {
    std::vector held{write_at(4, change::modified, 13), write_at(5, change::modified, 3),
                     write_at(7, change::modified, 12)};
    held[1].name = "mail";
    for (auto& each : held)
      each.cluster = cluster;
    return codes(take_ordered(held, std::chrono::seconds{1}));
  };
  EXPECT_EQ(ordered("hub"), (std::vector{7, 4, 5}));
  EXPECT_EQ(ordered("member-1"), (std::vector{5, 7, 4}));
}

TEST(AuditOrder, KeepsAWriteWithoutChangeBehindWhatItFound) {
  EXPECT_EQ(
    order_of({write_at(2, change::modified, 12), write_at(3, change::modified, 11), write_at(4, change::modified, 11)}),
    (std::vector{3, 4, 2}));
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
  EXPECT_EQ(codes(take_ordered(held, std::chrono::milliseconds{5})), (std::vector{9, 3}));
  EXPECT_EQ(codes(held), (std::vector{8}));
}

TEST(AuditOrder, RecoversAnyOrderOfTimes) {
  const unsigned seed = 20'261'130;
  RecordProperty("seed", static_cast<int>(seed));
  std::mt19937 chance{seed};
  for (int round = 0; round < 200; ++round) {
    std::vector<history_entry> held;
    for (int version = 1; version <= 20; ++version) {
      held.push_back(write_at(version * 10 + static_cast<int>(chance() % 50), change::modified, version));
      held.back().cluster = round % 2 == 0 ? "hub" : "member-1";
    }
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
