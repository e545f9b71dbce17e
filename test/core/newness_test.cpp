#include "test/core/plain_inventory.hpp"

#include "actors/core/resource_version.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

const sighting a{{"shop", "web"}, "uid-a"};
const sighting b{{"shop", "web"}, "uid-b"}; // the same name, another object
const sighting c{{"shop", "db"}, "uid-c"};

std::string at(const inventory& held, const sighting& who) {
  const std::string* uid = held.uid_at(who.key);
  return uid == nullptr ? "" : *uid;
}

TEST(ResourceVersion, ComparesNumbersAndElseTellsEqualityOnly) {
  struct row {
    const char* left;
    const char* right;
    version_order is;
  };
  const row table[] = {
    {"9", "10", version_order::older},
    {"10", "9", version_order::newer},
    {"10", "10", version_order::same},
    {"010", "10", version_order::same},
    {"0", "1", version_order::older},
    {"0", "00", version_order::same},
    {"18446744073709551616", "18446744073709551615", version_order::newer},
    {"abc", "abc", version_order::same},
    {"abc", "abd", version_order::unknown},
    {"10", "", version_order::unknown},
    {"-1", "1", version_order::unknown},
  };
  for (const auto& [left, right, is] : table) {
    SCOPED_TRACE(std::string{left} + " to " + right);
    EXPECT_EQ(compare_versions(left, right), is);
  }
}

TEST(Inventory, AdmitsWhatIsNewer) {
  struct row {
    const char* name;
    std::function<admission(inventory&)> news;
    bool taken;
    const char* displaced;
    const char* then;
  };
  const row table[] = {
    {"newer change", [](auto& i) { return i.applied(a, "11"); }, true, "", "uid-a"},
    {"LW21 same change twice", [](auto& i) { return i.applied(a, "10"); }, false, "", "uid-a"},
    {"older change", [](auto& i) { return i.applied(a, "9"); }, false, "", "uid-a"},
    {"LW19 opaque version", [](auto& i) { return i.applied(a, "x"); }, true, "", "uid-a"},
    {"LW22 another UID", [](auto& i) { return i.applied(b, "11"); }, true, "uid-a", "uid-b"},
    {"another UID of old", [](auto& i) { return i.applied(b, "9"); }, false, "", "uid-a"},
    {"newer answer", [](auto& i) { return i.answered(a, "12"); }, true, "", "uid-a"},
    {"LW23 late answer", [](auto& i) { return i.answered(a, "9"); }, false, "", "uid-a"},
    {"echo of an answer", [](auto& i) { return i.answered(a, "12"), i.applied(a, "12"); }, false, "", "uid-a"},
    {"a read shows the successor", [](auto& i) { return i.answered(b, "12"); }, true, "uid-a", "uid-b"},
    {"a read that can't be ordered", [](auto& i) { return i.answered(b, "x"); }, false, "", "uid-a"},
    {"answer about what the stream has passed", [](auto& i) { return i.answered(c, "10"); }, false, "", "uid-a"},
    {"answer ahead of the stream", [](auto& i) { return i.answered(c, "11"); }, true, "", "uid-a"},
  };
  for (const auto& [name, news, taken, displaced, then] : table) {
    SCOPED_TRACE(name);
    inventory held;
    held.init();
    held.applied(a, "10");
    held.init_done("");
    const admission got = news(held);
    EXPECT_EQ(got.taken, taken);
    EXPECT_EQ(got.displaced, displaced);
    EXPECT_EQ(at(held, a), then);
  }
}

TEST(Inventory, DeleteIsNeverStale) {
  for (const char* version : {"9", "10", "11", "x", ""}) {
    SCOPED_TRACE(std::string{"LW20 at "} + version);
    inventory held;
    held.applied(a, "10");
    EXPECT_TRUE(held.deleted(a, version));
    EXPECT_EQ(held.uid_at(a.key), nullptr);
    EXPECT_FALSE(held.deleted(a, version));
  }
}

TEST(Inventory, DeleteOfThePredecessorLeavesTheSuccessor) {
  inventory held;
  held.applied(a, "10");
  held.applied(b, "11");
  EXPECT_FALSE(held.deleted(a, "12"));
  EXPECT_EQ(at(held, b), "uid-b");
}

TEST(Inventory, DeletedStaysGone) {
  struct row {
    const char* name;
    std::function<admission(inventory&)> news;
    bool taken;
  };
  const auto relisted = [](inventory& i, const char* version) {
    i.init();
    return i.applied(a, version);
  };
  const row table[] = {
    {"late answer", [](auto& i) { return i.answered(a, "99"); }, false},
    {"repeated change", [](auto& i) { return i.applied(a, "10"); }, false},
    {"opaque change", [](auto& i) { return i.applied(a, "x"); }, false},
    {"change after the delete", [](auto& i) { return i.applied(a, "13"); }, true},
    {"LW07 a later list", [&](auto& i) { return relisted(i, "3"); }, true},
    {"LW07 watch after a later list", [&](auto& i) { return relisted(i, "3"), i.init_done(""), i.applied(a, "4"); },
     true},
    {"answer after a later list", [&](auto& i) { return relisted(i, "3"), i.init_done(""), i.answered(a, "4"); }, true},
    {"deleted during the list", [](auto& i) { return i.init(), i.deleted(a, "12"), i.applied(a, "11"); }, false},
  };
  for (const auto& [name, news, taken] : table) {
    SCOPED_TRACE(name);
    inventory held;
    held.applied(a, "10");
    held.deleted(a, "12");
    EXPECT_EQ(news(held).taken, taken);
  }
}

TEST(Inventory, WhatAnAnswerProvedGoneReturnsByALaterListAlone) {
  struct row {
    const char* name;
    std::function<admission(inventory&)> news;
    bool taken;
  };
  const row table[] = {
    {"repeated change", [](auto& i) { return i.applied(a, "10"); }, false},
    {"change before the DELETE", [](auto& i) { return i.applied(a, "12"); }, false},
    {"late answer", [](auto& i) { return i.answered(a, "12"); }, false},
    {"its successor", [](auto& i) { return i.applied(b, "13"); }, true},
    {"LW07 a later list", [](auto& i) { return i.init(), i.applied(a, "3"); }, true},
    {"removed during a list", [](auto& i) { return i.init(), i.removed(a), i.applied(a, "10"); }, false},
  };
  for (const auto& [name, news, taken] : table) {
    SCOPED_TRACE(name);
    inventory held;
    held.applied(a, "10");
    EXPECT_TRUE(held.removed(a));
    EXPECT_FALSE(held.removed(a));
    EXPECT_EQ(news(held).taken, taken);
  }
}

TEST(Inventory, RemembersTheLastDeletesOnly) {
  inventory held{2};
  for (const char* uid : {"1", "2", "3"})
    held.deleted({{"shop", uid}, uid}, "5");
  EXPECT_TRUE(held.answered({{"shop", "1"}, "1"}, "6").taken);
  EXPECT_FALSE(held.answered({{"shop", "2"}, "2"}, "6").taken);
  EXPECT_FALSE(held.answered({{"shop", "3"}, "3"}, "6").taken);
}

TEST(Inventory, ConcludesAbsenceWhereTheListEnds) {
  using gone = std::vector<sighting>;
  struct row {
    const char* name;
    std::function<gone(inventory&)> list;
    gone absent;
  };
  const row table[] = {
    {"LW08 unlisted is gone", [](auto& i) { return i.init(), i.applied(a, "10"), i.init_done(""); }, {c}},
    {"empty list", [](auto& i) { return i.init(), i.init_done(""); }, {c, a}},
    {"LW24 a list that broke off counts for nothing",
     [](auto& i) { return i.init(), i.applied(a, "10"), i.init(), i.applied(c, "10"), i.init_done(""); },
     {a}},
    {"end without a beginning", [](auto& i) { return i.init_done(""); }, {}},
    {"LW22 listed under another UID is displaced, not absent",
     [](auto& i) { return i.init(), i.applied(b, "12"), i.applied(c, "10"), i.init_done(""); },
     {}},
    {"answered since the list began, and newer than it",
     [](auto& i) { return i.init(), i.applied(a, "10"), i.answered(c, "11"), i.init_done(""); },
     {}},
    {"answered since the list began, yet the list is newer",
     [](auto& i) { return i.init(), i.answered(c, "11"), i.applied(a, "12"), i.init_done(""); },
     {c}},
    {"answered since the list began, yet the list as a whole is newer",
     [](auto& i) { return i.init(), i.answered(c, "11"), i.applied(a, "10"), i.init_done("12"); },
     {c}},
    {"answered since the list began, and newer than the list as a whole",
     [](auto& i) { return i.init(), i.answered(c, "13"), i.applied(a, "10"), i.init_done("12"); },
     {}},
    {"answered before the list began, and listed",
     [](auto& i) { return i.answered(c, "11"), i.init(), i.applied(c, "11"), i.applied(a, "10"), i.init_done(""); },
     {}},
    {"answered before the list began", [](auto& i) { return i.answered(c, "11"), i.init(), i.init_done(""); }, {c, a}},
    {"LW40 an undecodable item is present",
     [](auto& i) { return i.init(), i.applied(a, "10"), i.spare(c.key), i.init_done(""); },
     {}},
    {"LW40 undecodable in a list that broke off",
     [](auto& i) { return i.init(), i.spare(c.key), i.init(), i.applied(a, "10"), i.init_done(""); },
     {c}},
    {"deleted in between is told once",
     [](auto& i) { return i.init(), i.applied(a, "10"), i.deleted(c, "11"), i.init_done(""); },
     {}},
  };
  for (const auto& [name, list, absent] : table) {
    SCOPED_TRACE(name);
    inventory held;
    held.init();
    held.applied(a, "10");
    held.applied(c, "10");
    EXPECT_FALSE(held.synced());
    EXPECT_TRUE(held.init_done("").empty());
    EXPECT_EQ(list(held), absent);
    EXPECT_TRUE(held.synced());
    for (const auto& who : absent)
      EXPECT_EQ(held.uid_at(who.key), nullptr);
  }
}

TEST(Inventory, AListReplacesWhatWasHeardBeforeIt) {
  struct row {
    const char* name;
    std::function<admission(inventory&)> news;
    bool taken;
  };
  const row table[] = {
    {"LW07 lower than what was held", [](auto& i) { return i.init(), i.applied(a, "3"); }, true},
    {"lower than an answer since it began", [](auto& i) { return i.init(), i.answered(a, "12"), i.applied(a, "11"); },
     false},
    {"lower than an answer before it began", [](auto& i) { return i.answered(a, "12"), i.init(), i.applied(a, "11"); },
     true},
    {"lower than an answer during a list that broke off",
     [](auto& i) { return i.init(), i.answered(a, "12"), i.init(), i.applied(a, "11"); }, true},
    {"another object of old", [](auto& i) { return i.init(), i.applied(b, "3"); }, true},
  };
  for (const auto& [name, news, taken] : table) {
    SCOPED_TRACE(name);
    inventory held;
    held.init();
    held.applied(a, "10");
    held.init_done("");
    EXPECT_EQ(news(held).taken, taken);
  }
}

TEST(Inventory, AnEmptyListHasPassedWhatIsOlder) {
  inventory held;
  held.init();
  held.init_done("105");
  EXPECT_FALSE(held.answered(a, "100").taken) << "made and deleted again before the list";
  EXPECT_TRUE(held.answered(a, "106").taken);
}

TEST(Inventory, WhatAListLostComesBackByTheWatch) {
  inventory held;
  held.answered(a, "10");
  held.init();
  EXPECT_EQ(held.init_done(""), std::vector<sighting>{a});
  EXPECT_TRUE(held.applied(a, "10").taken); // the list was taken before our write, the watch goes on from there
}

} // namespace
} // namespace sliceferry::core
