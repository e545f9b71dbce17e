#include "test/core/gatekeeper_house.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

using namespace std::chrono_literals;
using names = std::vector<std::string>;

TEST(GatekeeperHands, CountsWhatIsPutRight) {
  house subject;
  subject.table.slices(applied(named(slice(1, 2), "e1")));
  EXPECT_EQ(subject.complete("u1").undone, 0u);
  EXPECT_FALSE(subject.gate.is_busy());
  subject.repair(export_of(1), {}, verdict::done, false);
  subject.repair(export_of(1), {}, verdict::refused);
  EXPECT_EQ(subject.complete("u1").undone, 0u) << "a change of ours, and one that failed";
  subject.repair(export_of(1));
  EXPECT_EQ(subject.complete("u1").undone, 1u);
  subject.repair(export_of(1), tick{} + 1min);
  EXPECT_EQ(subject.complete("u1").undone, 2u);
  EXPECT_TRUE(subject.gate.is_busy());
  EXPECT_EQ(subject.gate.review(subject.table, tick{} + 5min), names{});
  EXPECT_EQ(subject.gate.review(subject.table, tick{} + 11min), names{"u1"}) << "its delay ends";
  EXPECT_EQ(subject.complete("u1").undone, 0u);
  EXPECT_FALSE(subject.gate.is_busy());
}

TEST(GatekeeperHands, NamesWhoWroteLast) {
  const auto by = [](const std::string& manager, int version) {
    auto out = export_of(1, version);
    out.last_manager = manager;
    return out;
  };
  const std::string nobody = "unknown, as by a DELETE (1x)";
  const std::string our_like = "another sliceferry (1x)";
  struct row {
    const char* name;
    std::vector<watch_batch<slice_export>> seen;
    std::string then;
    bool is_removed = false;
  };
  const row table[] = {
    {"nobody was seen", {}, our_like},
    {"one was", {applied(by("kubectl-edit", 2))}, "kubectl-edit (1x)"},
    {"the last one counts", {applied(by("helm", 2)), applied(by("kubectl-edit", 3))}, "kubectl-edit (1x)"},
    {"one of our name", {applied(by("sliceferry", 2))}, our_like},
    {"our echo overtook our answer", {applied(by("helm", 2)), applied(by("sliceferry", 3))}, "helm (1x)"},
    {"no manager", {applied(by("helm", 2)), applied(by("", 3))}, "helm (1x)"},
    {"in a list", {listed<slice_export>({by("helm", 2)})}, "helm (1x)"},
    {"deleted since", {applied(by("helm", 2)), deleted(by("helm", 3))}, nobody, true},
    {"and made again", {applied(by("helm", 2)), deleted(by("helm", 3)), applied(by("kubectl", 4))}, "kubectl (1x)"},
  };
  for (const auto& [name, seen, then, is_removed] : table) {
    SCOPED_TRACE(name);
    house subject;
    for (const auto& batch : seen)
      subject.gate.saw(batch);
    if (is_removed)
      subject.make_again(export_of(1));
    else
      subject.repair(export_of(1));
    const auto text = subject.gate.hands().text();
    EXPECT_NE(text.find(": " + then), std::string::npos) << text;
    subject.make_again(export_of(1));
    EXPECT_NE(subject.gate.hands().text().find(then == nobody ? "(2x)" : "DELETE"), std::string::npos)
      << "one change isn't charged twice";
  }
}

TEST(GatekeeperHands, CountsLeftoversThatComeBackAfterWeDeletedThem) {
  const auto left = export_of(9);
  const auto again = make_export("e9", "h9-again", 5, "u9");
  using act = std::function<void(house&)>;
  struct row {
    const char* name;
    act ends;
    slice_export next;
    unsigned undone;
  };
  const act gone = [&](house& of) { of.withdraw(left); };
  const act held = [&](house& of) {
    of.withdraw(left, terminating(left, 3));
    of.table.exports(deleted(terminating(left, 4)));
  };
  const act gone_before = [&](house& of) { of.withdraw(left, {}, verdict::missing); };
  const row table[] = {
    {"made again", gone, again, 1},
    {"made again once the hub's controller let it go", held, again, 1},
    {"under another name", gone, make_export("e10", "h10", 5, "u9"), 1},
    {"another slice's", gone, make_export("e9", "h9-again", 5, "u8"), 0},
    {"somebody else had deleted it", gone_before, again, 0},
  };
  for (const auto& [name, ends, next, undone] : table) {
    SCOPED_TRACE(name);
    house subject;
    subject.find_leftover(left);
    ends(subject);
    ASSERT_FALSE(subject.table.knows("u9"));
    EXPECT_EQ(subject.gate.hands().text(), "");
    subject.find_leftover(next);
    EXPECT_EQ(subject.gate.hands().times(next.key.name), undone);
  }
}

TEST(GatekeeperHands, DoesNotCountOneThatARestoredHubBrings) {
  house subject;
  subject.find_leftover(export_of(9));
  subject.withdraw(export_of(9));
  subject.gate.suspected({{"e9", "h9", {"shop", "of-u9"}, "u9"}}, tick{});
  EXPECT_EQ(subject.gate.hands().times("e9"), 0u) << "nobody made it again";
}

TEST(GatekeeperHands, CountsEachReturnOfALeftover) {
  house subject;
  for (int turn = 0; turn < 4; ++turn) {
    auto left = make_export("e9", numbered("h9-", turn), 2 * turn + 1, "u9");
    left.last_manager = "other-agent";
    subject.gate.saw(applied(left));
    subject.find_leftover(left);
    subject.withdraw(left);
    EXPECT_EQ(subject.gate.hands().times("e9"), static_cast<unsigned>(turn));
  }
  EXPECT_NE(subject.gate.hands().text().find("other-agent (3x)"), std::string::npos) << subject.gate.hands().text();
}

TEST(GatekeeperHands, DoesNotTakeAGoneSlicesExportForALeftover) {
  house subject;
  subject.consider(subject.table.slices(deleted(slice(1, 2))));
  subject.withdraw(export_of(1));
  subject.find_leftover(make_export("e1", "h1-again", 5, "u1"));
  EXPECT_EQ(subject.gate.hands().times("e1"), 0u) << "its owner may have been late, once";
}

TEST(GatekeeperHands, LeavesLeftoversAloneWhileOthersWriteAgainstUs) {
  house subject;
  subject.find_leftover(export_of(9));
  subject.consider(subject.table.slices(deleted(slice(1, 2))));
  subject.alarm();
  EXPECT_FALSE(subject.leave("u9"));
  EXPECT_TRUE(subject.leave("u1")) << "that slice was seen to go";
  EXPECT_EQ(subject.gate.review(subject.table, tick{} + 1s), names{"u9"});
  EXPECT_EQ(subject.gate.review(subject.table, tick{} + 2s), names{}) << "told once";
  EXPECT_EQ(subject.gate.review(subject.table, tick{} + 11min), names{"u9"});
  EXPECT_TRUE(subject.leave("u9")) << "nobody does any more";
  EXPECT_EQ(subject.gate.review(subject.table, tick{} + 12min), names{});
}

} // namespace
} // namespace sliceferry::core
