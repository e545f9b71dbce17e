#include "test/core/member_makers.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <set>

namespace sliceferry::core {
namespace {

using namespace std::chrono_literals;

constexpr auto grace = 60s;
const tick start{100s};
const slice_export orphan = make_export("e2", "hub-2", 6, "uid-2");

/// A member whose leftovers are left alone for a while; it has no slice.
member_table patient(std::chrono::nanoseconds wait = grace) {
  auto who = *make_identity();
  who.orphan_grace = wait;
  member_table table{std::make_shared<const member_identity>(who)};
  table.slices(listed<endpoint_slice>({}));
  table.consents(listed<service_export>({}));
  return table;
}

std::vector<std::string> names(const std::vector<leftover>& found) {
  std::vector<std::string> out;
  for (const leftover& each : found)
    out.push_back(each.name);
  return out;
}

using strings = std::vector<std::string>;

TEST(OrphanGrace, PassesBeforeALeftoverIsNamed) {
  for (const auto wait : {0ns, 1ns, std::chrono::nanoseconds{grace}}) {
    SCOPED_TRACE(wait.count());
    member_table table = patient(wait);
    EXPECT_FALSE(table.has_waiting_leftovers());
    table.exports(listed<slice_export>({orphan}));
    if (wait > 0ns) {
      EXPECT_TRUE(table.take_leftovers(start).empty());
      EXPECT_TRUE(table.has_waiting_leftovers());
      EXPECT_TRUE(table.take_leftovers(start + wait - 1ns).empty());
    }
    EXPECT_EQ(names(table.take_leftovers(start + wait)), strings{"e2"});
    EXPECT_FALSE(table.has_waiting_leftovers());
    EXPECT_TRUE(table.take_leftovers(start + wait * 3).empty()) << "it is being asked about";
  }
}

TEST(OrphanGrace, CountsFromTheFirstSuspicionOfTheObject) {
  struct row {
    const char* name;
    slice_export news; ///< half-way
    std::size_t found; ///< when the grace of the first sight has passed
  };
  auto edited = orphan;
  edited.resource_version = "9";
  edited.spec.endpoints = {{{"10.0.0.1"}}};
  const row table_of[] = {
    {"no news", orphan, 1},
    {"an edit doesn't prolong it", edited, 1},
    {"another object under the name begins anew", make_export("e2", "hub-2b", 9, "uid-2"), 0},
  };
  for (const auto& [name, news, found] : table_of) {
    SCOPED_TRACE(name);
    member_table table = patient();
    table.exports(listed<slice_export>({orphan}));
    table.take_leftovers(start);
    table.exports(applied(news));
    EXPECT_TRUE(table.take_leftovers(start + grace / 2).empty());
    EXPECT_EQ(table.take_leftovers(start + grace).size(), found);
    EXPECT_EQ(table.take_leftovers(start + grace + grace / 2).size(), 1 - found);
  }
}

TEST(OrphanGrace, SparesWhatIsNoLeftoverMeanwhile) {
  struct row {
    const char* name;
    std::function<void(member_table&)> news;
  };
  auto going = orphan;
  going.resource_version = "9";
  going.terminating = true;
  auto foreign = going;
  foreign.terminating = false;
  foreign.spec.reference.cluster = "m2";
  const row table_of[] = {
    {"its slice appears", [](auto& t) { t.slices(applied(make_slice("of-uid-2", "uid-2", 9))); }},
    {"its slice appears and goes: that is seen by itself",
     [](auto& t) {
       t.slices(applied(make_slice("of-uid-2", "uid-2", 9)));
       t.slices(deleted(make_slice("of-uid-2", "uid-2", 10)));
     }},
    {"it is deleted", [](auto& t) { t.exports(deleted(orphan)); }},
    {"it terminates", [&](auto& t) { t.exports(applied(going)); }},
    {"it is another cluster's", [&](auto& t) { t.exports(applied(foreign)); }},
    {"a list is without it", [](auto& t) { t.exports(listed<slice_export>({})); }},
  };
  for (const auto& [name, news] : table_of) {
    SCOPED_TRACE(name);
    member_table table = patient();
    table.exports(listed<slice_export>({orphan}));
    table.take_leftovers(start);
    news(table);
    EXPECT_TRUE(table.take_leftovers(start + grace).empty());
    EXPECT_FALSE(table.has_waiting_leftovers());
  }
}

TEST(OrphanGrace, BeginsAnewAfterARefutation) {
  member_table table = patient();
  table.exports(listed<slice_export>({orphan}));
  table.take_leftovers(start);
  const auto found = table.take_leftovers(start + grace);
  ASSERT_EQ(found.size(), 1U);
  table.confirm(found[0], "uid-2");
  EXPECT_TRUE(table.take_leftovers(start + grace * 5).empty()) << "it was refuted";
  table.slices(listed<endpoint_slice>({}));
  EXPECT_TRUE(table.take_leftovers(start + grace * 6).empty());
  EXPECT_EQ(table.take_leftovers(start + grace * 7), found);
}

/// Against a model: an object is named when it has been an orphan for the whole grace, each once, at the first
/// call thereafter.
TEST(OrphanGrace, IsKeptForEachObject) {
  for (unsigned seed = 1; seed <= 40 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 dice{seed};
    member_table table = patient();
    table.exports(listed<slice_export>({}));
    std::map<std::string, tick> since; // of what waits, by name
    tick now = start;
    for (int i = 1; i <= 300 && !HasFailure(); ++i) {
      now += std::chrono::seconds(dice() % 9);
      const std::string name = "e" + std::to_string(dice() % 6);
      const auto one = make_export(name, "hub-" + std::to_string(i), i, "uid-" + std::to_string(i));
      if (dice() % 3 == 0) {
        table.exports(applied(one));
        since[name] = now;
      } else if (dice() % 3 == 0) {
        if (const auto held = since.find(name); held != since.end()) {
          table.exports(listed<slice_export>({})); // all are gone
          since.clear();
        }
      }
      std::set<std::string> expected;
      for (auto at = since.begin(); at != since.end();)
        at = at->second + grace <= now ? (expected.insert(at->first), since.erase(at)) : std::next(at);
      const auto found = names(table.take_leftovers(now));
      EXPECT_EQ(std::set(found.begin(), found.end()), expected);
      EXPECT_EQ(found.size(), expected.size());
      EXPECT_EQ(table.has_waiting_leftovers(), !since.empty());
    }
  }
}

} // namespace
} // namespace sliceferry::core
