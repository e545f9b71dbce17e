#include "test/core/former_bench.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace sliceferry::core {
namespace {

using namespace std::chrono_literals;

TEST(FormerExports, AreNoLeftoversByAListThatMayBeOlderThanTheirSlice) {
  bench b;
  b.verdicts = {{"uid-1", left_over}, {"uid-2", gone}};
  b.list_slices();
  b.machine.slices_began();
  b.machine.exports(listed<slice_export>({old_export("a", "uid-1"), old_export("b", "uid-2")}));
  b.machine.slices_done();
  auto plan = b.due();
  EXPECT_EQ(plan.withdraw, (std::vector<withdraw_export>{{"b", "hub-b", proof::gone}}))
    << "what was seen to go is gone";
  EXPECT_TRUE(plan.relist);
  plan = b.due();
  EXPECT_FALSE(plan.relist) << "once";
  EXPECT_TRUE(plan.withdraw.empty());
  b.machine.slices_began();
  plan = b.due();
  EXPECT_FALSE(plan.relist) << "it is on its way";
  EXPECT_TRUE(plan.withdraw.empty());
  b.machine.slices_began(); // the first try broke off
  b.machine.slices_done();
  plan = b.due();
  EXPECT_EQ(plan.withdraw, (std::vector<withdraw_export>{{"a", "hub-a", proof::leftover}}));
  EXPECT_FALSE(plan.relist);
}

TEST(FormerExports, WhoseReferenceNamesAnotherSliceNeedAnotherList) {
  bench b;
  b.verdicts = {{"uid-1", {goal::wait}}, {"uid-2", left_over}};
  b.machine.exports(listed<slice_export>({old_export("a", "uid-1")}));
  b.list_slices();
  b.machine.exports(applied(old_export("a", "uid-2", 9)));
  const auto plan = b.due();
  EXPECT_TRUE(plan.withdraw.empty());
  EXPECT_TRUE(plan.relist);
  b.list_slices();
  EXPECT_EQ(b.asked(), strings{"a"});
}

TEST(FormerExports, NoListIsAskedForBeforeTheGraceIsOver) {
  bench b;
  b.machine = former_exports{{"old", "fleet-old"}, 60s};
  b.verdicts["uid-1"] = left_over;
  b.machine.exports(listed<slice_export>({old_export("a", "uid-1")}));
  EXPECT_FALSE(b.due(start).relist);
  EXPECT_FALSE(b.due(start + 59s).relist);
  EXPECT_TRUE(b.due(start + 60s).relist);
}

TEST(FormerExports, AreThoseThatTheFirstWholeListHeld) {
  const auto late = old_export("b", "uid-1", 9);
  auto again = old_export("a", "uid-1", 9);
  again.uid = "hub-a2";
  const struct {
    const char* name;
    std::vector<watch_batch<slice_export>> news;
    strings left; ///< hub UIDs
  } rows[] = {
    {"one comes", {applied(late)}, {"hub-a"}},
    {"one is listed later", {listed<slice_export>({old_export("a", "uid-1"), late})}, {"hub-a"}},
    {"one takes its place", {applied(again)}, {}},
    {"one takes its place in a list", {listed<slice_export>({again})}, {}},
    {"it changes", {applied(old_export("a", "uid-1", 9))}, {"hub-a"}},
    {"a backup brings it back",
     {deleted(old_export("a", "uid-1", 9)), applied(old_export("a", "uid-1", 12))},
     {"hub-a"}},
  };
  for (const auto& [name, news, left] : rows) {
    SCOPED_TRACE(name);
    bench b;
    b.verdicts["uid-1"] = superseded;
    b.machine.exports(listed<slice_export>({old_export("a", "uid-1")}));
    for (const auto& batch : news)
      b.machine.exports(batch);
    EXPECT_EQ(b.machine.left(), left.size());
    strings asked;
    for (const auto& each : b.due().withdraw)
      asked.push_back(each.hub_uid);
    EXPECT_EQ(asked, left);
  }
}

} // namespace
} // namespace sliceferry::core
