#include "test/core/go_agent.hpp"
#include "test/core/mixed_hands.hpp"
#include "test/core/our_agent.hpp"

#include <gtest/gtest.h>

#include <map>

namespace sliceferry::core {
namespace {

using sequence = std::vector<std::string>;
using exports = std::map<object_key, slice_export>;

constexpr std::uint32_t seeds = 200;
const std::string foreign_uid = "foreign";

go_habits any_habits(mixed_hands& hands) {
  constexpr std::array offsets{0, 330, -480, 60};
  return {.offset = std::chrono::minutes{offsets[hands.below(offsets.size())]}, .leaves_kind_empty = hands.chance(2)};
}

/// All slices of these tests are IPv4; of others the two agents think differently.
bool is_wanted(const shared_clusters& all, const endpoint_slice& slice) {
  if (!slice.service || slice.deleting)
    return false;
  const auto at = all.consents.find({slice.key.nspace, *slice.service});
  return at != all.consents.end() && !at->second.deleting && at->second.valid->is == condition::status::yes &&
         at->second.conflict->is == condition::status::no;
}

/// One right export for each slice that is wanted, none for others; whichever agent ran last.
void expect_right(const shared_clusters& all) {
  std::size_t wanted = all.find("taken") && all.find("taken")->uid == foreign_uid ? 1 : 0;
  for (const auto& [key, slice] : all.slices) {
    SCOPED_TRACE(to_string(slice));
    if (!is_wanted(all, slice)) {
      EXPECT_FALSE(slice.ours.name);
      continue;
    }
    ++wanted;
    const auto* exported = slice.ours.name ? all.find(*slice.ours.name) : nullptr;
    ASSERT_NE(exported, nullptr);
    EXPECT_NE(exported->uid, foreign_uid);
    const auto since = parse_rfc3339(slice.ours.timestamp.value_or(""));
    ASSERT_TRUE(since);
    EXPECT_TRUE(equivalent(exported->spec, project(m1, slice, *since))) << to_string(*exported);
  }
  EXPECT_EQ(all.exports.size(), wanted) << "a duplicate or a leftover";
}

TEST(MixedOperation, TakesOverAnySlicesWithoutAWrite) {
  for (std::uint32_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    shared_clusters all;
    mixed_hands hands{all, seed};
    go_agent theirs{all, any_habits(hands), seed};
    for (auto deeds = hands.below(12); deeds > 0; --deeds) {
      ASSERT_TRUE(theirs.run());
      hands.act();
      all.now += std::chrono::seconds{hands.below(90)};
    }
    ASSERT_TRUE(theirs.run());
    expect_right(all);
    for (auto& [key, slice] : all.slices) {
      if (auto& text = slice.ours.timestamp; text && text->ends_with('Z') && hands.chance(2))
        text->insert(text->size() - 1, ".25");
    }
    all.written.clear();
    our_agent ours{all, seed};
    ASSERT_TRUE(ours.run());
    EXPECT_EQ(all.written, sequence{});
  }
}

/// Nothing, but that an export's resourceVersion may follow the slice's (C58).
void expect_go_agent_content(shared_clusters& all, std::uint32_t seed) {
  for (const auto& [key, each] : all.exports)
    EXPECT_TRUE(go_agent(all, {}, seed).is_linked(key.name)) << "C55 the collector deletes " << key.name;
  const auto slices = all.slices;
  const auto before = all.exports;
  for (const auto& [key, slice] : slices)
    EXPECT_TRUE(go_agent(all, {}, seed).reconcile(key));
  EXPECT_EQ(all.slices, slices);
  ASSERT_EQ(all.exports.size(), before.size());
  for (const auto& [key, each] : before) {
    auto now = all.exports.at(key);
    now.resource_version = each.resource_version;
    now.spec.reference.resource_version = each.spec.reference.resource_version;
    EXPECT_EQ(now, each);
  }
}

TEST(MixedOperation, LeavesTheGoAgentContentAfterAnyHistory) {
  for (std::uint32_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    shared_clusters all;
    mixed_hands hands{all, seed};
    our_agent ours{all, seed};
    ASSERT_TRUE(ours.run());
    EXPECT_FALSE(all.written.empty() && !all.exports.empty());
    expect_go_agent_content(all, seed);
    for (int deeds = 0; deeds < 12; ++deeds) {
      hands.act();
      all.now += std::chrono::seconds{hands.below(90)};
      ASSERT_TRUE(ours.run());
    }
    expect_right(all);
    expect_go_agent_content(all, seed);
  }
}

/// Agents of both kinds that follow each other; some are stopped in the middle.
class relay {
public:
  explicit relay(std::uint32_t seed) : hands{all, seed}, seed_{seed} {
    foreign_.key = shared_clusters::export_key("taken");
    foreign_.uid = foreign_uid;
    foreign_.spec.reference.cluster = "m2";
    foreign_.spec.reference.uid = "another";
  }

  void leg(bool is_ours) {
    if (!all.find("taken")) // the Go agent's collector doesn't ask whose it is
      all.put(foreign_);
    const auto foreign = *all.find("taken"); // or an export of ours that was there before
    for (auto deeds = hands.below(4); deeds > 0; --deeds)
      hands.act();
    all.now += std::chrono::seconds{1 + hands.below(90)};
    const bool is_stopped = hands.chance(4);
    if (is_stopped)
      all.writes_left = hands.below(6);
    ++seed_;
    ASSERT_TRUE(is_ours ? our_agent(all, seed_).run() : go_agent(all, any_habits(hands), seed_).run());
    all.writes_left = std::numeric_limits<std::size_t>::max();
    if (is_ours && foreign.uid == foreign_uid) {
      auto now = *all.find("taken");
      now.resource_version = foreign.resource_version; // the hub's controller holds it like any other
      EXPECT_EQ(now, foreign);
    }
    if (!is_stopped)
      compare();
  }

  shared_clusters all;
  mixed_hands hands;

private:
  /// What nobody gave a reason to change is as it was after the last leg that was run to its end.
  void compare() {
    expect_right(all);
    exports now;
    for (const auto& [key, each] : all.exports)
      if (each.uid != foreign_uid)
        now[each.spec.reference.slice] = each;
    for (const auto& [slice, each] : now) {
      const auto before = last_.find(slice);
      const auto& uid = each.spec.reference.uid;
      if (before == last_.end() || before->second.spec.reference.uid != uid || hands.moved.contains(uid))
        continue;
      EXPECT_EQ(each.spec.reference.exported_since, before->second.spec.reference.exported_since) << to_string(each);
      if (!hands.renamed.contains(uid)) {
        EXPECT_EQ(each.key.name, before->second.key.name);
      }
    }
    last_ = now;
    hands.moved.clear();
    hands.renamed.clear();
  }

  slice_export foreign_;
  exports last_; ///< by slice
  std::uint32_t seed_;
};

TEST(MixedOperation, RollsBackAndForthWithoutATrace) {
  for (std::uint32_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    relay run{seed * 100};
    for (int leg = 0; leg < 9 && !testing::Test::HasFailure(); ++leg) {
      SCOPED_TRACE(leg);
      run.leg(leg % 2 == 0);
    }
    our_agent last{run.all, seed};
    ASSERT_TRUE(last.run());
    expect_right(run.all);
    run.all.written.clear();
    ASSERT_TRUE(our_agent(run.all, seed + 1).run());
    EXPECT_EQ(run.all.written, sequence{});
  }
}

} // namespace
} // namespace sliceferry::core
