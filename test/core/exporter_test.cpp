#include "actors/core/decide.hpp"
#include "actors/core/exporter.hpp"
#include "test/core/fleet_model.hpp"
#include "test/core/picture.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::core {
namespace {

using std::chrono::seconds;

/// What reached the servers since the last time this was asked.
std::vector<std::string> writes(fleet& all) {
  std::vector<std::string> out;
  for (const auto& each : std::exchange(all.written, {}))
    out.emplace_back(name_of(each));
  return out;
}

using sequence = std::vector<std::string>;

std::string sole_name(const fleet& all) {
  EXPECT_EQ(all.hub.size(), 1U);
  return all.hub.empty() ? "" : all.hub.begin()->first;
}

TEST(Exporter, ExportsWithTwoWrites) {
  fleet all;
  EXPECT_TRUE(all.run());
  EXPECT_EQ(writes(all), (sequence{"annotate", "apply"}));
  EXPECT_EQ(all.slice->ours, (slice_annotations{sole_name(all), "3", format_rfc3339(noon)})) << "U32 I11";
  const auto& spec = all.hub.begin()->second.spec;
  EXPECT_TRUE(equivalent(spec, project(m1, *all.slice, noon)));
  EXPECT_EQ(spec.reference.resource_version, all.slice->resource_version);
}

TEST(Exporter, FollowsWithTwoWrites) {
  auto all = exported();
  const auto name = sole_name(all);
  all.change_endpoints();
  EXPECT_TRUE(all.run());
  EXPECT_EQ(writes(all), (sequence{"annotate", "apply"})) << "C57 I12";
  EXPECT_EQ(all.slice->ours, (slice_annotations{name, "4", format_rfc3339(all.now)}));
  EXPECT_TRUE(equivalent(all.hub.at(name).spec, project(m1, *all.slice, all.now)));
}

TEST(Exporter, WithdrawsWithTwoWrites) {
  for (const auto says : {consent::invalid, consent::conflicted, consent::deleting, consent::absent}) {
    auto all = exported();
    all.says = says;
    EXPECT_TRUE(all.run());
    EXPECT_EQ(writes(all), (sequence{"withdraw", "clear"})) << "I16 I17 C62 " << to_string(says);
    EXPECT_TRUE(all.hub.empty());
    EXPECT_TRUE(all.slice->ours.empty());
    const auto before = all.journal.size();
    EXPECT_TRUE(all.run());
    EXPECT_EQ(all.journal.size(), before);
  }
}

TEST(Exporter, WritesNothingWithoutADifference) {
  auto all = exported();
  EXPECT_TRUE(all.run()) << "C75 A19";
  all.touch();
  EXPECT_TRUE(all.run()) << "D12 C58";
  all.restart({});
  EXPECT_TRUE(all.run()) << "restart, journal lost";
  all.restart(replay(all.journal));
  EXPECT_TRUE(all.run()) << "restart with its journal";
  EXPECT_EQ(writes(all), sequence{});
}

TEST(Exporter, RepairsWhatOthersDo) {
  const struct {
    const char* name;
    void (*act)(fleet&);
    sequence then;
    bool keeps_name;
    bool keeps_since;
  } table[] = {
    {"D8 edited", [](fleet& f) { f.edit(f.hub.begin()->second); }, {"apply"}, true, true},
    {"D8 D9 deleted, held by a finalizer", [](fleet& f) { f.remove(f.hub.begin()->first); }, {"apply"}, true, true},
    {"D8 deleted", [](fleet& f) { f.hub.clear(); }, {"apply"}, true, true},
    {"C72 A15 D6 wiped", [](fleet& f) { f.slice->ours = {}; }, {"annotate"}, true, true},
    {"C67 name removed", [](fleet& f) { f.slice->ours.name = {}; }, {"annotate"}, true, true},
    {"C68 last-seen removed",
     [](fleet& f) { f.slice->ours.generation = f.slice->ours.timestamp = {}; },
     {"annotate", "apply"},
     true,
     false},
    {"C64 I13 invalid name",
     [](fleet& f) { f.slice->ours.name = "x_y"; },
     {"annotate", "apply", "withdraw"},
     false,
     true},
    {"A3 empty name", [](fleet& f) { f.slice->ours.name = ""; }, {"annotate", "apply", "withdraw"}, false, true},
    {"C66 unused name", [](fleet& f) { f.slice->ours.name = "unused"; }, {"apply", "withdraw"}, false, true},
  };
  for (const auto& [name, act, then, keeps_name, keeps_since] : table) {
    SCOPED_TRACE(name);
    auto all = exported();
    const auto old_name = sole_name(all);
    act(all);
    all.touch();
    EXPECT_TRUE(all.run());
    EXPECT_EQ(writes(all), then);
    EXPECT_EQ(sole_name(all) == old_name, keeps_name);
    EXPECT_EQ(all.slice->ours.name, sole_name(all));
    EXPECT_EQ(all.slice->ours.timestamp, format_rfc3339(keeps_since ? noon : all.now));
  }
}

TEST(Exporter, FollowsWithTwoWritesAfterAWipe) {
  // The annotate that restored the annotations left nothing to apply, and so nothing that comes before the next one.
  auto all = exported();
  all.slice->ours = {};
  all.touch();
  EXPECT_TRUE(all.run());
  EXPECT_EQ(writes(all), sequence{"annotate"});
  all.change_endpoints();
  EXPECT_TRUE(all.run());
  EXPECT_EQ(writes(all), (sequence{"annotate", "apply"}));
}

TEST(Exporter, LeavesAForeignExportAlone) {
  // C65 I14
  auto all = exported();
  const auto old_name = sole_name(all);
  all.put_foreign("taken");
  const auto before = all.hub.at("taken").shown;
  all.slice->ours.name = "taken";
  all.touch();
  EXPECT_TRUE(all.run());
  EXPECT_EQ(writes(all), (sequence{"annotate", "apply", "withdraw"}));
  EXPECT_EQ(all.hub.size(), 2U);
  EXPECT_EQ(all.hub.at("taken").shown, before);
  EXPECT_FALSE(all.hub.contains(old_name));
  EXPECT_EQ(all.hub.at(*all.slice->ours.name).spec.reference.exported_since, noon);
}

TEST(Exporter, TakesAnotherNameWhenACreateMeetsAForeignExport) {
  // A7 C48: the object appeared after the hub was last seen.
  fleet all;
  all.observe();
  all.serve();
  const auto name = *all.slice->ours.name;
  all.put_foreign(name);
  all.serve();
  EXPECT_TRUE(all.run());
  EXPECT_EQ(writes(all), (sequence{"annotate", "apply", "annotate", "apply"}));
  EXPECT_NE(all.slice->ours.name, name);
  EXPECT_EQ(all.hub.size(), 2U);
}

TEST(Exporter, WithdrawsWhenTheSliceIsGone) {
  // D5 A16
  auto all = exported();
  all.slice.reset();
  EXPECT_TRUE(all.run());
  EXPECT_EQ(writes(all), sequence{"withdraw"});
  EXPECT_TRUE(all.hub.empty());
  EXPECT_TRUE(ended(all.machine().held()));
}

TEST(Exporter, KeepsTheNameWhenConsentReturnsInTime) {
  auto all = exported();
  const auto name = sole_name(all);
  all.says = consent::invalid;
  all.look();
  all.observe();
  ASSERT_TRUE(all.is_queued());
  all.says = consent::granted;
  EXPECT_TRUE(all.run());
  EXPECT_EQ(writes(all), sequence{});
  EXPECT_EQ(sole_name(all), name);
  EXPECT_EQ(all.journal.back(), event{withdrawal_cancelled{}});
}

TEST(Exporter, TakesANewNameWhenConsentReturnsTooLate) {
  // C27: written over the old one, no clear first
  auto all = exported();
  const auto name = sole_name(all);
  all.says = consent::invalid;
  all.look();
  all.observe();
  all.send();
  all.says = consent::granted;
  all.look();
  all.observe();
  all.serve();
  EXPECT_TRUE(all.run());
  EXPECT_EQ(writes(all), (sequence{"withdraw", "annotate", "apply"}));
  EXPECT_NE(sole_name(all), name);
  EXPECT_EQ(all.slice->ours, (slice_annotations{sole_name(all), "3", format_rfc3339(all.now)}));
}

TEST(Exporter, KeepsTheNameWhenTheAttemptFailsAfterConsentReturned) {
  auto all = exported();
  const auto name = sole_name(all);
  all.says = consent::invalid;
  all.look();
  all.observe();
  all.send();
  all.says = consent::granted;
  all.look();
  all.observe();
  all.serve(fleet::answer::unavailable);
  EXPECT_TRUE(all.run());
  EXPECT_EQ(writes(all), sequence{}) << "a delete that failed must not be sent again";
  EXPECT_EQ(sole_name(all), name);
}

TEST(Exporter, SubmitsTheNewestContentWhenTheAttemptOfAnOlderOneFails) {
  auto all = exported();
  all.change_endpoints();
  all.look();
  all.observe();
  all.serve();
  ASSERT_EQ(name_of(*all.machine().out()), "apply");
  all.send();
  all.edit(all.hub.begin()->second);
  all.look();
  all.observe();
  all.serve(fleet::answer::unavailable);
  EXPECT_TRUE(all.run());
  EXPECT_EQ(writes(all), (sequence{"annotate", "apply"})) << "the older one is not sent first, to conflict";
}

TEST(Exporter, TakesNothingBackForItsOwnEcho) {
  // The watch often shows a write before its answer comes.
  fleet all;
  const auto echo = [&](const slice_annotations& ours) {
    all.slice->ours = ours;
    all.look();
    EXPECT_EQ(all.observe().action, std::nullopt);
    EXPECT_TRUE(all.is_queued());
  };
  all.observe();
  const auto held = all.machine().held();
  echo({held.name, "3", format_rfc3339(held.since)});
  all.serve();
  EXPECT_EQ(name_of(*all.machine().out()), "apply");
}

TEST(Exporter, AppliesTheNewestContentAfterEachAnnotate) {
  // A slice that changes faster than a round trip: the hub advances with every third write at the latest.
  auto all = exported();
  std::int64_t on_hub = 3;
  for (int round = 0; round < 10; ++round) {
    for (int write = 0; write < 3; ++write) {
      all.change_endpoints();
      all.look();
      all.observe();
      ASSERT_TRUE(all.is_queued());
      all.serve();
    }
    const auto now_on_hub = all.hub.begin()->second.shown.generation;
    EXPECT_GT(now_on_hub, on_hub);
    on_hub = now_on_hub;
  }
  all.written.clear();
  EXPECT_TRUE(all.run());
  EXPECT_EQ(all.hub.begin()->second.shown.generation, all.slice->generation);
  EXPECT_LE(all.written.size(), 3U);
}

TEST(Exporter, IsNotNeededWhereFactsAloneSettleASlice) {
  const auto synced = picture{}.named("n").exported("n", "h1");
  const auto wiped = picture{}.exported("n", "h1");
  const std::pair<const char*, inputs> table[] = {
    {"in sync", synced},
    {"nothing is there yet", picture{}},
    {"the export is missing", picture{}.named("n")},
    {"the annotations are missing", wiped},
    {"it may not stay", synced.says(consent::invalid)},
    {"there is nothing to do", picture{}.says(consent::absent)},
    {"half a picture",
     [&] {
       inputs half = synced;
       half.hub_synced = false;
       return half;
     }()},
  };
  std::size_t settled = 0;
  for (const auto& [name, seen] : table) {
    SCOPED_TRACE(name);
    exporter machine{std::make_shared<const member_identity>(m1), seen.slice->uid, {}};
    observation told;
    told.now = seen;
    told.number = 1;
    const auto step = machine.observe(told, noon);
    const auto alone = decide_to_rest(m1, {}, seen, noon);
    EXPECT_EQ(alone, step.action ? std::vector<event>{} : step.events);
    settled += alone.empty() ? 0 : 1;
  }
  EXPECT_EQ(settled, 1U);
}

} // namespace
} // namespace sliceferry::core
