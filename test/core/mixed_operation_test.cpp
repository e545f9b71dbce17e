#include "test/core/go_agent.hpp"
#include "test/core/mixed_hands.hpp"
#include "test/core/our_agent.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace sliceferry::core {
namespace {

using std::chrono::minutes;
using sequence = std::vector<std::string>;

constexpr auto unlimited = std::numeric_limits<std::size_t>::max();
const object_key web_a{"shop", "web-a"};

endpoint_slice& slice_of(shared_clusters& all) {
  return all.slices.at(web_a);
}
void withhold_consent(shared_clusters& all) {
  all.put(make_verdict("web", false));
}

shared_clusters one_slice() {
  shared_clusters out;
  out.put(make_verdict("web"));
  out.put(make_plain_slice("web-a", "u1"));
  return out;
}

/// As a Go agent leaves one exported slice behind, an hour later.
shared_clusters left_by_go(const go_habits& habits = {}) {
  auto out = one_slice();
  EXPECT_TRUE(go_agent(out, habits, 1).run());
  EXPECT_EQ(std::exchange(out.written, {}), (sequence{"annotate", "annotate", "create"}));
  out.now += std::chrono::hours{1};
  return out;
}

/// What a new process of this program writes where it takes over.
sequence taken_over(shared_clusters& all) {
  EXPECT_TRUE(our_agent(all, all.version()).run());
  return std::exchange(all.written, {});
}

/// What a Go agent writes where it takes over.
sequence given_back(shared_clusters& all) {
  EXPECT_TRUE(go_agent(all, {}, 9).run());
  return std::exchange(all.written, {});
}

TEST(MixedOperation, TakesOverWhatTheGoAgentLeftWithoutAWrite) {
  const auto as_is = [](shared_clusters&) {};
  const struct {
    const char* name;
    go_habits habits;
    std::function<void(shared_clusters&)> change;
  } table[] = {
    {"as it is", {}, as_is},
    {"C47 A24 neither kind nor apiVersion", {.leaves_kind_empty = true}, as_is},
    {"A11 local time, east", {.offset = minutes{330}}, as_is},
    {"A11 local time, west", {.offset = minutes{-480}, .leaves_kind_empty = true}, as_is},
    {"A11 a fraction", {}, [](auto& all) { slice_of(all).ours.timestamp = "2026-11-30T12:00:00.987654321Z"; }},
    {"A11 sign and zeros", {}, [](auto& all) { slice_of(all).ours.generation = "+03"; }},
    {"C58 a resourceVersion of long ago", {}, [](auto& all) { all.put(slice_of(all)); }},
    {"C77 before the hub controller adds its finalizer", {}, [](auto& all) { all.finalized.clear(); }},
    {"ports [] are read back as none",
     {},
     [](auto& all) {
       slice_of(all).ports.emplace();
       all.exports.begin()->second.spec.ports.reset();
     }},
    {"withdrawn",
     {},
     [](auto& all) {
       withhold_consent(all);
       EXPECT_EQ(given_back(all), (sequence{"delete", "annotate"})) << "C24 C25";
     }},
  };
  for (const auto& [name, habits, change] : table) {
    SCOPED_TRACE(name);
    auto all = left_by_go(habits);
    change(all);
    const auto before = slice_of(all).ours;
    EXPECT_EQ(taken_over(all), sequence{});
    EXPECT_EQ(slice_of(all).ours, before);
  }
}

TEST(MixedOperation, EndsWhatTheGoAgentLeftUndone) {
  const auto untouched = [](shared_clusters&) {};
  const auto lost_name = [](shared_clusters& all) { slice_of(all).ours.name = "x_y"; };
  const auto change = [](shared_clusters& all) { ++slice_of(all).generation; };
  const auto ipv6 = [](shared_clusters& all) { slice_of(all).address_type = "IPv6"; };
  const auto deleted = [](shared_clusters& all) { all.slices.clear(); };
  const struct {
    const char* name;
    std::function<void(shared_clusters&)> before; ///< the Go agent goes on
    std::size_t writes;                           ///< and is stopped after these
    sequence then;                                ///< is what we write
    bool keeps_since;
  } table[] = {
    {"C36 a change, noted and not exported", change, 1, {"change"}, false},
    {"C64 an invalid name replaced, no export under it", lost_name, 1, {"create", "delete"}, true},
    {"C64 D22 the export under the former name is left", lost_name, 2, {"delete"}, true},
    {"C25 withdrawn, annotations left", withhold_consent, 1, {"annotate"}, false},
    {"C73 D21 IPv6 is never looked at", ipv6, 0, {"delete", "annotate"}, false},
    {"C69 D5 the deleted slice's export waits for the collector", deleted, 0, {"delete"}, false},
    {"nothing", untouched, 0, {}, true},
  };
  for (const auto& [name, before, writes, then, keeps_since] : table) {
    SCOPED_TRACE(name);
    auto all = left_by_go();
    before(all);
    all.writes_left = writes;
    go_agent(all, {}, 2).reconcile(web_a);
    EXPECT_EQ(std::exchange(all.written, {}).size(), writes);
    all.writes_left = unlimited;
    EXPECT_EQ(taken_over(all), then);
    if (!keeps_since)
      continue;
    ASSERT_EQ(all.exports.size(), 1U);
    EXPECT_EQ(all.exports.begin()->second.spec.reference.exported_since, noon);
  }
}

TEST(MixedOperation, EndsAFirstExportWhereverTheGoAgentStopped) {
  for (std::size_t writes = 0; writes <= 3; ++writes) {
    SCOPED_TRACE(writes);
    auto all = one_slice();
    all.writes_left = writes;
    go_agent(all, {}, 2).reconcile(web_a);
    const auto name = slice_of(all).ours.name;
    all.writes_left = unlimited;
    all.written.clear();
    taken_over(all);
    ASSERT_EQ(all.exports.size(), 1U);
    EXPECT_EQ(slice_of(all).ours.name, all.exports.begin()->first.name);
    if (name) {
      EXPECT_EQ(slice_of(all).ours.name, name) << "C30";
    }
  }
}

TEST(MixedOperation, MakesOneOfTheDuplicatesThatTheGoAgentLeft) {
  // Its stale cache took its own export for another's, so that the slice got a second name.
  auto all = left_by_go();
  auto second = all.exports.begin()->second;
  second.key.name = "m1-shop-web-a-0ff1c";
  second.uid = all.fresh_uid();
  all.put(second);
  slice_of(all).ours.name = second.key.name;
  EXPECT_EQ(taken_over(all), sequence{"delete"});
  ASSERT_EQ(all.exports.size(), 1U);
  EXPECT_NE(all.find(second.key.name), nullptr);
}

TEST(MixedOperation, LeavesTheGoAgentNothingToDo) {
  // A24, and its collector keeps what we wrote (C55).
  const struct {
    const char* name;
    std::function<void(shared_clusters&)> history;
    sequence then;
  } table[] = {
    {"first export", [](auto&) {}, {}},
    {"a change", [](auto& all) { ++slice_of(all).generation; }, {}},
    {"a metadata bump is written on the hub", [](auto& all) { all.put(slice_of(all)); }, {"change"}},
    {"withdrawn", withhold_consent, {}},
    {"an invalid name", [](auto& all) { slice_of(all).ours.name = "x_y"; }, {}},
    {"an unused name", [](auto& all) { slice_of(all).ours.name = "unused"; }, {}},
    {"wiped, named again", [](auto& all) { slice_of(all).ours = {}; }, {"change"}},
    {"IPv6", [](auto& all) { slice_of(all).address_type = "IPv6"; }, {}},
    {"deleted", [](auto& all) { all.slices.clear(); }, {}},
  };
  for (const auto& [name, history, then] : table) {
    SCOPED_TRACE(name);
    auto all = one_slice();
    taken_over(all);
    history(all);
    taken_over(all);
    EXPECT_EQ(given_back(all), then);
    EXPECT_EQ(taken_over(all), sequence{}) << "and neither does it leave us any";
  }
}

TEST(MixedOperation, MovesSinceOnlyWhereTheGoAgentsClockIsBehind) {
  // C35: a timestamp of the future is replaced, which we then take as it is.
  auto all = one_slice();
  taken_over(all);
  all.now -= minutes{5};
  EXPECT_EQ(given_back(all), (sequence{"annotate", "change"}));
  EXPECT_EQ(taken_over(all), sequence{});
  EXPECT_EQ(all.exports.begin()->second.spec.reference.exported_since, noon - minutes{5});
}

} // namespace
} // namespace sliceferry::core
