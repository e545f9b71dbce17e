#include "test/core/diff_rig.hpp"
#include "test/core/go_agent.hpp"
#include "test/core/mixed_hands.hpp"
#include "test/core/our_agent.hpp"

#include <gtest/gtest.h>

namespace sliceferry::core {
namespace {

using lines = std::vector<std::string>;

constexpr std::uint32_t seeds = 150;

std::string shown(const std::vector<difference>& found) {
  std::string out;
  for (const auto& line : lines_of(found))
    out += '\n' + line;
  return out;
}

go_habits any_habits(mixed_hands& hands) {
  constexpr std::array offsets{0, 330, -480, 60};
  return {.offset = std::chrono::minutes{offsets[hands.below(offsets.size())]}, .leaves_kind_empty = hands.chance(2)};
}

/// Whatever happened: once the agent whose place we take has settled, nothing differs; and so after us.
TEST(DiffProperty, ShowsNothingOnceEitherAgentHasSettled) {
  for (std::uint32_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    shared_clusters all;
    mixed_hands hands{all, seed};
    const bool is_ours = seed % 2 == 0;
    for (auto deeds = hands.below(12); deeds > 0; --deeds) {
      ASSERT_TRUE(is_ours ? our_agent(all, seed).run() : go_agent(all, any_habits(hands), seed).run());
      hands.act();
      all.now += std::chrono::seconds{hands.below(90)};
    }
    ASSERT_TRUE(is_ours ? our_agent(all, seed).run() : go_agent(all, any_habits(hands), seed).run());
    EXPECT_EQ(shown(found_in(all)), "");
  }
}

/// In any state ever: differences are shown if and only if an agent of ours that starts now would write.
TEST(DiffProperty, ShowsSomethingIfAndOnlyIfWeWouldWrite) {
  unsigned differing = 0;
  for (std::uint32_t seed = 1; seed <= 2 * seeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    shared_clusters all;
    mixed_hands hands{all, seed};
    slice_export foreign;
    foreign.key = shared_clusters::export_key("taken");
    foreign.uid = "foreign";
    foreign.spec.reference.cluster = "m2";
    all.put(foreign);
    for (auto deeds = hands.below(12); deeds > 0; --deeds) {
      all.writes_left = hands.chance(3) ? hands.below(5) : std::numeric_limits<std::size_t>::max(); // stopped midway
      our_agent(all, seed).run();
      hands.act();
      all.now += std::chrono::seconds{hands.below(90)};
    }
    all.finalize(); // what terminates is missing, and only time can tell when it may be made anew
    all.writes_left = std::numeric_limits<std::size_t>::max();
    const auto found = found_in(all);
    all.written.clear();
    ASSERT_TRUE(our_agent(all, seed + 1).run());
    EXPECT_EQ(shown(found).empty(), all.written.empty()) << shown(found);
    differing += all.written.empty() ? 0U : 1U;
    EXPECT_EQ(shown(found_in(all)), "");
  }
  EXPECT_GT(differing, seeds / 2);
}

/// All slices but the one that was tampered with are right, and nothing is said of them.
TEST(DiffProperty, NamesTheSliceThatWasTamperedWithAlone) {
  unsigned tampered = 0;
  for (std::uint32_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    shared_clusters all;
    mixed_hands hands{all, seed};
    for (auto deeds = hands.below(8); deeds > 0; --deeds)
      hands.act();
    ASSERT_TRUE(go_agent(all, any_habits(hands), seed).run());
    if (all.exports.empty())
      continue;
    ++tampered;
    auto victim = std::next(all.exports.begin(), hands.below(static_cast<std::uint32_t>(all.exports.size())))->second;
    auto& spec = victim.spec;
    std::string field;
    switch (hands.below(4)) {
      case 0:
        spec.endpoints.push_back({{"6.6.6.6"}});
        field = "endpoints";
        break;
      case 1:
        spec.ports = {{port{"tampered", "TCP", 1, {}}}};
        field = "ports";
        break;
      case 2:
        ++spec.reference.generation;
        field = "endpointSliceReference.generation";
        break;
      default:
        spec.owner.service.name = "tampered";
        field = "ownerServiceReference.name";
    }
    all.put(victim);
    const auto found = found_in(all);
    ASSERT_EQ(found.size(), 1U) << shown(found);
    EXPECT_EQ(found[0].kind, difference_kind::content);
    EXPECT_EQ(found[0].slice, spec.reference.slice);
    EXPECT_EQ(found[0].export_name, victim.key.name);
    ASSERT_EQ(found[0].fields.size(), 1U) << shown(found);
    EXPECT_EQ(found[0].fields[0].field, field);
  }
  EXPECT_GT(tampered, seeds / 2);
}

/// Fields are named if and only if the specs aren't equivalent.
TEST(DiffProperty, FieldsAreNamedIfAndOnlyIfSpecsAreNotEquivalent) {
  std::mt19937 random{7};
  const auto one_of = [&](const auto& texts) { return texts[random() % std::size(texts)]; };
  const std::array names{"", "a", "b"};
  const auto any = [&] {
    slice_export_spec out;
    out.address_type = one_of(std::array{"IPv4", "IPv6"});
    out.reference.api_version = one_of(std::array{"", "discovery.k8s.io/v1"});
    out.reference.kind = one_of(std::array{"", "EndpointSlice", "Pod"});
    out.reference.generation = static_cast<std::int64_t>(random() % 2);
    out.reference.resource_version = one_of(names);
    if (random() % 2 == 0)
      out.reference.exported_since = noon;
    if (random() % 2 == 0)
      out.ports.emplace();
    if (random() % 4 == 0)
      out.ports = {{port{one_of(names), {}, 80, {}}}};
    if (random() % 4 == 0)
      out.endpoints = {{{one_of(names)}}};
    if (random() % 4 == 0)
      out.owner.namespaced_name = one_of(names);
    return out;
  };
  unsigned equal = 0;
  for (int round = 0; round < 4000; ++round) {
    const auto left = any();
    const auto right = any();
    const auto fields = differing_fields(left, right, false);
    ASSERT_EQ(fields.empty(), equivalent(left, right)) << to_string(left) << '\n' << to_string(right);
    equal += fields.empty() ? 1U : 0U;
  }
  EXPECT_GT(equal, 10U);
}

} // namespace
} // namespace sliceferry::core
