#include "actors/core/decide.hpp"
#include "actors/core/explain.hpp"
#include "actors/core/outstanding.hpp"
#include "actors/core/progress.hpp"
#include "test/core/picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace sliceferry::core {
namespace {

/// Any memory and any inputs, also such as no history could bring about.
class guesses {
public:
  explicit guesses(std::uint32_t seed) : random_{seed} {}

  inputs shown() {
    if (chance(4))
      return picture{}.named("n").exported("n", "h-n");
    picture p;
    if (chance(2))
      p.slice.ours.name = pick({"n", "old", "x_y", ""});
    if (chance(2))
      p.slice.ours.generation = pick({"3", "2", "x"});
    if (chance(2))
      p.slice.ours.timestamp = pick({"2026-11-30T09:00:00Z", "2036-01-01T00:00:00Z", "x"});
    if (chance(6))
      p.slice.address_type = "IPv6";
    if (chance(6))
      p.slice.service.reset();
    else if (chance(6))
      p.slice.service = "";
    p.slice.deleting = chance(8);
    if (chance(10))
      p.slice.managed_by = importer_manager;
    constexpr std::array all{consent::granted, consent::granted,    consent::granted,  consent::absent,
                             consent::invalid, consent::conflicted, consent::deleting, consent::pending};
    p.seen.says = all[below(all.size())];
    p.seen.consent_proven = !chance(4);
    for (const char* name : {"n", "old"})
      if (chance(2))
        p.seen.hub.push_back(hub_object(p, name));
    p.seen.slices_synced = !chance(12);
    p.seen.consents_synced = !chance(12);
    p.seen.hub_synced = !chance(12);
    p.seen.leave = !chance(3);
    p.seen.leaving = chance(8);
    p.seen.undone = below(3);
    if (chance(4))
      return p.without_slice(chance(2), chance(2));
    return p;
  }

  memory held() {
    memory out;
    if (chance(3))
      return out;
    out.name = pick({"n", "old", ""});
    out.generation = 1 + below(3);
    out.since = chance(2) ? morning : noon;
    for (const char* uid : {"h-n", "h-old"})
      if (chance(2))
        out.hub_uids.push_back(uid);
    if (chance(2))
      out.digest = out.accepted = picture{}.mirror("n", "h-n").digest;
    if (chance(3))
      out.withdrawals.push_back({"old", "h-old", proof_, chance(2)});
    out.name_pending = chance(4) && !out.name.empty();
    out.annotate_owed = chance(3);
    out.annotate_refused = chance(5);
    out.apply_owed = chance(3);
    out.over = chance(12);
    return out;
  }

  bool chance(std::uint32_t one_in) { return below(one_in) == 0; }

private:
  std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
  std::string pick(std::initializer_list<const char*> of) { return *(of.begin() + below(of.size())); }

  hub_export hub_object(const picture& p, const std::string& name) {
    auto out = p.mirror(name, "h-" + name);
    out.mine = !chance(3);
    out.terminating = chance(5);
    if (chance(3))
      out.digest = 1;
    constexpr std::array all{proof::seen, proof::superseded, proof::gone, proof::leaving};
    proof_ = all[below(all.size())];
    return out;
  }

  std::mt19937 random_;
  proof proof_ = proof::seen;
};

void expect_agreement(const explanation& told, const memory& held, const memory& after, const inputs& seen) {
  const auto aim = choose_target(m1, held, seen);
  const bool needs = aim.what == goal::withdraw && needs_leave(aim.why);
  switch (told.stands) {
    case standing::undecided:
      EXPECT_EQ(aim.what, goal::wait);
      break;
    case standing::not_exported:
      EXPECT_EQ(aim.what, goal::ignore);
      break;
    case standing::exported:
      EXPECT_EQ(aim.what, goal::export_it);
      EXPECT_TRUE(!told.owed || std::holds_alternative<withdraw_export>(*told.owed)) << "but for a duplicate";
      break;
    case standing::exporting:
      EXPECT_EQ(aim.what, goal::export_it);
      EXPECT_FALSE(is_exported(m1, after, seen));
      break;
    case standing::withdrawing:
      EXPECT_EQ(aim.what, goal::withdraw);
      EXPECT_TRUE(seen.leave || !needs);
      break;
    case standing::held:
      EXPECT_TRUE(needs && !seen.leave);
      EXPECT_FALSE(told.owed);
      break;
  }
  EXPECT_EQ(told.why, aim.what == goal::withdraw ? std::optional{aim.why} : std::nullopt);
  EXPECT_EQ(told.owed, outstanding(m1, after, seen));
  EXPECT_EQ(told.name.has_value(), aim.what == goal::export_it);
}

/// Each rule before the one that decides passes, and none after it was reached.
void expect_order(const explanation& told, const inputs& seen, const target& aim) {
  ASSERT_EQ(told.rules.size(), 9U);
  bool has_decided = false;
  for (std::size_t i = 0; i + 1 < told.rules.size(); ++i) {
    const auto& each = told.rules[i];
    EXPECT_EQ(static_cast<std::size_t>(each.rule), i) << "in the order of the table";
    EXPECT_EQ(each.evidence.empty(), each.is == ruling::not_reached);
    EXPECT_EQ(has_decided, each.is == ruling::not_reached) << to_string(each.rule);
    has_decided = has_decided || each.is != ruling::passes || each.rule == explained_rule::consent;
    if (each.is == ruling::fails) {
      EXPECT_TRUE(aim.what == goal::withdraw || aim.what == goal::ignore);
    }
    if (each.is == ruling::unknown) {
      EXPECT_TRUE(aim.what == goal::wait || seen.says == consent::pending);
    }
  }
  EXPECT_EQ(std::ranges::find(told.rules, told.by, &finding::rule)->is == ruling::passes, aim.what == goal::export_it);
}

TEST(ExplainProperty, AgreesWithTheRulesWhateverIsSeen) {
  std::array<unsigned, 6> met{};
  for (std::uint32_t seed = 1; seed <= 10'000 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    guesses from{seed};
    const auto seen = from.shown();
    const auto held = from.held();
    auto after = held;
    for (int round = 0; round < 16; ++round)
      after = replay(decide(m1, after, seen, noon), after);
    const auto told = explain(m1, held, seen, nullptr, noon);
    expect_agreement(told, held, after, seen);
    expect_order(told, seen, choose_target(m1, held, seen));
    EXPECT_FALSE(told.conclusion.empty());
    const command out = clear_annotations{};
    const auto waiting = explain(m1, held, seen, &out, noon);
    expect_agreement(waiting, held, held, seen);
    EXPECT_FALSE(waiting.name_is_made_up) << "with a command out nothing is decided";
    ++met[static_cast<std::size_t>(told.stands)];
  }
  for (const auto count : met)
    EXPECT_GT(count, 50U) << "the guesses are too narrow";
}

} // namespace
} // namespace sliceferry::core
