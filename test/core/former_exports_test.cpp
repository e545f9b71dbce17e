#include "test/core/former_bench.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

namespace sliceferry::core {
namespace {

using namespace std::chrono_literals;

TEST(FormerExports, AreThoseOfTheOldNameAlone) {
  auto others = old_export("b", "uid-1");
  others.spec.reference.cluster = "m2";
  auto renamed = old_export("c", "uid-1");
  renamed.spec.reference.cluster = "m1";
  auto elsewhere = old_export("d", "uid-1");
  elsewhere.key.nspace = "fleet-m1";
  bench b;
  b.verdicts["uid-1"] = b.verdicts[""] = superseded;
  b.machine.exports(listed<slice_export>({old_export("a", "uid-1"), others, renamed, elsewhere, old_export("e", "")}));
  EXPECT_EQ(b.machine.left(), 1U);
  const auto plan = b.due();
  EXPECT_EQ(plan.withdraw, (std::vector<withdraw_export>{{"a", "hub-a", proof::superseded}}));
}

TEST(FormerExports, WaitForTheWholeNamespace) {
  bench b;
  b.verdicts["uid-1"] = superseded;
  b.machine.exports(
    changes<slice_export>({{watch_change::init, {}}, {watch_change::applied, old_export("a", "uid-1")}}));
  EXPECT_TRUE(b.asked().empty());
  b.machine.exports(changes<slice_export>({{watch_change::init_done, {}}}));
  EXPECT_EQ(b.asked(), strings{"a"});
}

TEST(FormerExports, GoByTheirVerdict) {
  bench b;
  b.verdicts = {{"uid-1", superseded}, {"uid-2", {goal::withdraw, proof::seen}}, {"uid-3", {goal::wait}}};
  b.machine.exports(listed<slice_export>(
    {old_export("a", "uid-1"), old_export("b", "uid-2"), old_export("c", "uid-3"), ending(old_export("d", "uid-1"))}));
  EXPECT_EQ(b.asked(), (strings{"a", "b"}));
  EXPECT_TRUE(b.asked().empty()) << "each once";
  b.verdicts["uid-3"] = superseded;
  EXPECT_EQ(b.asked(), strings{"c"});
  EXPECT_EQ(b.machine.left(), 4U);
}

TEST(FormerExports, WithoutAWitnessNeedLeave) {
  for (const target& verdict : {gone, left_over}) {
    bench b;
    b.verdicts["uid-1"] = verdict;
    b.denied = {"uid-1"};
    b.machine.exports(listed<slice_export>({old_export("a", "uid-1"), old_export("b", "uid-1")}));
    b.list_slices();
    const guard::wish wish{"uid-1", "shop"};
    for (int i = 0; i < 2; ++i) {
      const auto plan = b.due();
      EXPECT_TRUE(plan.withdraw.empty());
      EXPECT_EQ(plan.wishes, (std::vector<guard::wish>{wish, wish})) << "said until it is granted";
    }
    b.denied.clear();
    const auto plan = b.due();
    EXPECT_EQ(plan.withdraw, (std::vector<withdraw_export>{{"a", "hub-a", verdict.why}, {"b", "hub-b", verdict.why}}));
    EXPECT_TRUE(plan.wishes.empty());
    b.machine.exports(deleted(old_export("a", "uid-1", 9)));
    EXPECT_TRUE(b.due().forget.empty()) << "the other one wishes still";
    b.machine.exports(deleted(old_export("b", "uid-1", 9)));
    EXPECT_EQ(b.due().forget, strings{"uid-1"});
    EXPECT_TRUE(b.due().forget.empty());
  }
}

TEST(FormerExports, StopWishingWhenTheSliceIsThere) {
  bench b;
  b.verdicts["uid-1"] = left_over;
  b.denied = {"uid-1"};
  b.machine.exports(listed<slice_export>({old_export("a", "uid-1")}));
  b.list_slices();
  EXPECT_EQ(b.due().wishes.size(), 1U);
  b.verdicts.clear();
  const auto plan = b.due();
  EXPECT_TRUE(plan.wishes.empty());
  EXPECT_EQ(plan.forget, strings{"uid-1"});
}

TEST(FormerExports, LeftoversAreLeftAloneForAWhile) {
  bench b;
  b.machine = former_exports{{"old", "fleet-old"}, 60s};
  b.verdicts = {{"uid-1", left_over}, {"uid-2", gone}};
  b.machine.exports(listed<slice_export>({old_export("a", "uid-1"), old_export("b", "uid-2")}));
  b.list_slices();
  EXPECT_EQ(b.asked(start), strings{"b"}) << "only what has no slice has a grace";
  EXPECT_TRUE(b.asked(start + 59s).empty());
  b.verdicts["uid-1"] = {goal::wait};
  EXPECT_TRUE(b.asked(start + 59s).empty());
  b.verdicts["uid-1"] = left_over;
  EXPECT_TRUE(b.asked(start + 61s).empty()) << "the slice was seen meanwhile";
  EXPECT_EQ(b.asked(start + 121s), strings{"a"});
}

TEST(FormerExports, AreTakenBackWhenTheVerdictChanges) {
  bench b;
  b.verdicts = {{"uid-1", superseded}, {"uid-2", gone}};
  b.machine.exports(listed<slice_export>({old_export("a", "uid-1"), old_export("b", "uid-2")}));
  ASSERT_EQ(b.asked().size(), 2U);
  EXPECT_TRUE(b.due().take_back.empty());
  b.verdicts["uid-1"] = {goal::wait}; // its successor went
  EXPECT_EQ(b.due().take_back, strings{"hub-a"});
  EXPECT_TRUE(b.due().take_back.empty()) << "each once";
  b.denied = {"uid-2"}; // the guard revoked its leave
  EXPECT_EQ(b.due().take_back, strings{"hub-b"});
  b.machine.ended("hub-a", verdict::taken_back);
  b.machine.ended("hub-b", verdict::too_late);
  b.verdicts["uid-1"] = superseded;
  b.denied.clear();
  EXPECT_EQ(b.asked(), strings{"a"}) << "b is still out";
}

TEST(FormerExports, AreTakenBackWhenTheyAreSomebodyElses) {
  bench b;
  b.verdicts["uid-1"] = superseded;
  b.machine.exports(listed<slice_export>({old_export("a", "uid-1")}));
  ASSERT_EQ(b.asked().size(), 1U);
  auto others = old_export("a", "uid-1", 9);
  others.spec.reference.cluster = "m2";
  b.machine.exports(applied(others));
  EXPECT_EQ(b.machine.left(), 0U);
  EXPECT_EQ(b.due().take_back, strings{"hub-a"});
  b.machine.ended("hub-a", verdict::taken_back);
  EXPECT_TRUE(b.asked().empty());
}

TEST(FormerExports, AreAskedForAgainOnlyWhereThatMayHelp) {
  const struct {
    verdict how;
    bool again;       ///< at once
    std::size_t left; ///< as far as is known
  } rows[] = {
    {verdict::done, false, 1},      {verdict::missing, false, 0},
    {verdict::other_uid, false, 0}, {verdict::namespace_missing, false, 0},
    {verdict::refused, true, 1},    {verdict::conflict, true, 1},
    {verdict::ambiguous, true, 1},  {verdict::superseded, true, 1},
    {verdict::taken_back, true, 1}, {verdict::already_exists, true, 1},
    {verdict::too_late, false, 1},
  };
  for (const auto& [how, again, left] : rows) {
    SCOPED_TRACE(to_string(how));
    bench b;
    b.verdicts["uid-1"] = superseded;
    b.machine.exports(listed<slice_export>({old_export("a", "uid-1")}));
    ASSERT_EQ(b.asked().size(), 1U);
    b.machine.ended("hub-a", how);
    EXPECT_EQ(b.asked(), again ? strings{"a"} : strings{});
    EXPECT_EQ(b.machine.left(), left);
  }
}

TEST(FormerExports, AreAskedForAgainWhenTheyAreSeenAfterwards) {
  const auto again = old_export("a", "uid-1", 9);
  auto anew = again;
  anew.uid = "hub-a2";
  const struct {
    const char* name;
    std::vector<watch_batch<slice_export>> news;
    strings asked;
  } rows[] = {
    {"unchanged", {applied(old_export("a", "uid-1"))}, {}},
    {"terminating", {applied(ending(again))}, {}},
    {"changed", {applied(again)}, {"a"}},
    {"deleted", {deleted(again)}, {}},
    {"another object, which wasn't left behind", {applied(anew)}, {}},
    {"held by a list that began later", {listed<slice_export>({old_export("a", "uid-1")})}, {"a"}},
    {"not held by it", {listed<slice_export>({})}, {}},
  };
  for (const auto& [name, news, asked] : rows) {
    SCOPED_TRACE(name);
    bench b;
    b.verdicts["uid-1"] = superseded;
    b.machine.exports(listed<slice_export>({old_export("a", "uid-1")}));
    ASSERT_EQ(b.asked().size(), 1U);
    b.machine.ended("hub-a", verdict::done);
    for (const auto& batch : news)
      b.machine.exports(batch);
    EXPECT_EQ(b.asked(), asked);
  }
}

TEST(FormerExports, AListThatWasUnderWayProvesNothingOfWhatCameAfter) {
  bench b;
  b.verdicts["uid-1"] = superseded;
  b.machine.exports(listed<slice_export>({old_export("a", "uid-1")}));
  ASSERT_EQ(b.asked().size(), 1U);
  b.machine.exports(
    changes<slice_export>({{watch_change::init, {}}, {watch_change::applied, old_export("a", "uid-1")}}));
  b.machine.ended("hub-a", verdict::done);
  b.machine.exports(changes<slice_export>({{watch_change::init_done, {}}}));
  EXPECT_TRUE(b.asked().empty());
}

TEST(FormerExports, AreSparedWhereTheyCannotBeRead) {
  bench b;
  b.machine.exports(listed<slice_export>({old_export("a", "uid-1")}));
  auto list = listed<slice_export>({});
  list.unreadable = {{"fleet-old", "a"}};
  b.machine.exports(list);
  EXPECT_EQ(b.machine.left(), 1U);
  b.machine.exports(listed<slice_export>({}));
  EXPECT_EQ(b.machine.left(), 0U);
}

TEST(FormerExports, GoAFewAtATimeAndAllInTheEnd) {
  bench b;
  b.verdicts["uid-1"] = superseded;
  std::vector<slice_export> many;
  for (int i = 0; i < 3000; ++i)
    many.push_back(old_export("e" + std::to_string(i), i % 100 == 0 ? "uid-1" : "uid-2", i + 1));
  b.machine.exports(listed(many));
  std::set<std::string> all;
  for (int rounds = 0; all.size() < 30 && rounds < 100; ++rounds) {
    const auto plan = b.due(start, 4);
    EXPECT_LE(plan.withdraw.size(), 4U);
    for (const auto& each : plan.withdraw) {
      EXPECT_TRUE(all.insert(each.name).second);
      b.machine.ended(each.hub_uid, verdict::done);
    }
  }
  EXPECT_EQ(all.size(), 30U) << "what waits doesn't hold up the others";

  bench held;
  held.verdicts["uid-1"] = superseded;
  held.machine.exports(listed(many));
  std::size_t out = 0;
  for (int rounds = 0; rounds < 20; ++rounds)
    out += held.due(start, 4).withdraw.size();
  EXPECT_EQ(out, 4U) << "never more than these are out";
}

} // namespace
} // namespace sliceferry::core
