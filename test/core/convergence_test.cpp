#include "test/core/fleet_model.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <random>

namespace sliceferry::core {
namespace {

/// Mischief around one slice, from one seed.
class storm {
public:
  storm(fleet& all, std::uint32_t seed) : all_{all}, random_{seed} {}

  void step() {
    all_.now += std::chrono::seconds{chance(10) ? -30 : static_cast<int>(below(4))};
    if (chance(2))
      mischief();
    if (chance(2))
      all_.look(); // else the watch lags behind
    if (chance(3))
      all_.observe();
    if (all_.is_queued() && chance(2))
      all_.send();
    if (all_.is_queued() && chance(2))
      all_.serve(answer());
    if (chance(25))
      all_.restart(chance(2) ? all_.machine().held() : memory{});
  }

private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
  bool chance(std::uint32_t one_in) { return below(one_in) == 0; }

  fleet::answer answer() {
    constexpr std::array flawed{fleet::answer::lost_done, fleet::answer::lost_undone, fleet::answer::unavailable};
    return chance(3) ? flawed[below(flawed.size())] : fleet::answer::given;
  }

  void mischief() {
    if (all_.hub.empty() || chance(2))
      around_the_slice();
    else
      around_the_hub();
  }

  void around_the_slice() {
    auto& slice = *all_.slice;
    constexpr std::array verdicts{consent::granted, consent::granted, consent::invalid, consent::absent};
    switch (below(9)) {
      case 0:
      case 1:
        all_.change_endpoints();
        break;
      case 2:
        all_.says = verdicts[below(verdicts.size())];
        break;
      case 3:
        slice.ours = {};
        break;
      case 4:
        slice.ours.name.reset();
        break;
      case 5:
        slice.ours.name = std::array{"x_y", "unused", "taken", ""}[below(4)];
        break;
      case 6:
        slice.ours.timestamp = std::array{"x", "2036-01-01T00:00:00Z", "2006-01-01T00:00:00Z"}[below(3)];
        break;
      case 7:
        slice.address_type = chance(3) ? "IPv6" : "IPv4";
        slice.generation += 1;
        break;
      case 8:
        slice.deleting = chance(4);
        break;
    }
    all_.touch();
  }

  void around_the_hub() {
    const auto at = std::next(all_.hub.begin(), below(static_cast<std::uint32_t>(all_.hub.size())));
    if (!at->second.shown.mine)
      return;
    switch (below(4)) {
      case 0:
        all_.edit(at->second);
        break;
      case 1:
        all_.remove(at->first);
        break;
      case 2:
        all_.finish_deletes();
        break;
      case 3:
        all_.adds_finalizer = chance(2);
        break;
    }
  }

  fleet& all_;
  std::mt19937 random_;
};

/// Exactly one right export and right annotations, or neither; the foreign export as it was.
void expect_right(const fleet& all, const hub_export& foreign, bool wanted) {
  ASSERT_TRUE(all.hub.contains("taken"));
  EXPECT_EQ(all.hub.at("taken").shown, foreign);
  ASSERT_EQ(all.hub.size(), wanted ? 2U : 1U);
  if (!wanted) {
    if (all.slice) {
      EXPECT_FALSE(all.slice->ours.name);
    }
    return;
  }
  const auto& ours = all.slice->ours;
  ASSERT_TRUE(ours.name && all.hub.contains(*ours.name));
  EXPECT_EQ(ours.generation, std::to_string(all.slice->generation));
  const auto since = parse_rfc3339(ours.timestamp.value_or(""));
  ASSERT_TRUE(since);
  EXPECT_TRUE(equivalent(all.hub.at(*ours.name).spec, project(m1, *all.slice, *since)));
}

TEST(Convergence, EndsRightAfterAnyStorm) {
  for (std::uint32_t seed = 1; seed <= 600 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    fleet all;
    all.put_foreign("taken");
    const auto foreign = all.hub.at("taken").shown;
    storm around{all, seed};
    for (int i = 0; i < 60; ++i)
      around.step();
    if (seed % 10 == 0)
      all.slice.reset();

    ASSERT_TRUE(all.run());
    const auto& slice = all.slice;
    expect_right(all, foreign,
                 slice && all.says == consent::granted && slice->address_type == "IPv4" && !slice->deleting);

    const auto writes = all.written.size();
    const auto told = all.journal.size();
    ASSERT_TRUE(all.run());
    EXPECT_EQ(all.journal.size(), told) << "the same picture tells nothing twice";
    EXPECT_TRUE(quiet(m1, all.machine().held(), all.shown(), all.now));
    all.restart({});
    ASSERT_TRUE(all.run());
    EXPECT_EQ(all.written.size(), writes) << "a restart in sync writes nothing";
  }
}

} // namespace
} // namespace sliceferry::core
