#include "actors/core/exporter.hpp"
#include "test/core/picture.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

namespace sliceferry::core {
namespace {

/// An exporter fed by hand, for answers that the model's servers don't give.
struct by_hand {
  exporter machine{std::make_shared<const member_identity>(m1), "u1", exported_as("n")};
  std::uint64_t number = 0;

  exporter::step observe(const inputs& seen, const std::optional<outcome>& ended = {}) {
    observation told;
    told.number = ++number;
    told.now = seen;
    told.ended = ended;
    return machine.observe(told, noon);
  }
};

const auto changed = [](picture& p) {
  p.slice.generation = 4;
  p.slice.ready.push_back(endpoint{{"10.0.0.9"}});
};

std::string submitted(const exporter::step& step) {
  if (!step.action)
    return "nothing";
  const auto* submit = std::get_if<submit_command>(&*step.action);
  return submit ? std::string{name_of(submit->what)} : "take back";
}

TEST(Exporter, WritesNoMoreToASliceThatIsMissing) {
  // A9
  const auto synced = picture{}.named("n").exported("n", "h1");
  for (const auto how : {verdict::missing, verdict::other_uid, verdict::ambiguous, verdict::conflict}) {
    SCOPED_TRACE(to_string(how));
    by_hand hand;
    EXPECT_EQ(submitted(hand.observe(synced.with(changed))), "annotate");
    auto end = make_outcome(1, how);
    end.read = how == verdict::ambiguous || how == verdict::conflict; // and the read shows no such slice
    const auto step = hand.observe(synced.with(changed), end);
    EXPECT_EQ(submitted(step), "nothing");
    EXPECT_FALSE(step.settled);
    const auto again = synced.with(changed).with([](picture& p) { p.slice.resource_version = "101"; });
    EXPECT_EQ(submitted(hand.observe(again)), "annotate") << "seen again";
  }
}

TEST(Exporter, StaysAwakeWhileItsSliceIsMissing) {
  const auto shown = picture{}.with(changed);
  by_hand hand;
  hand.machine = exporter{std::make_shared<const member_identity>(m1), "u1", {}};
  EXPECT_EQ(submitted(hand.observe(shown)), "annotate");
  EXPECT_FALSE(hand.observe(shown, make_outcome(1, verdict::missing)).settled);
  EXPECT_FALSE(hand.observe(shown.says(consent::invalid)).settled) << "or its successor would write to it again";
  EXPECT_EQ(submitted(hand.observe(shown)), "nothing");
  EXPECT_TRUE(hand.observe(shown.without_slice(true)).settled) << "seen to be gone";
}

TEST(Exporter, AppliesWhereTheAnnotateIsRefused) {
  const auto shown = picture{}.named("n").exported("n", "h1").with(changed);
  by_hand hand;
  EXPECT_EQ(submitted(hand.observe(shown)), "annotate");
  EXPECT_EQ(submitted(hand.observe(shown, make_outcome(1, verdict::refused))), "apply");
  const auto applied = shown.with([](picture& p) { p.seen.hub[0].digest = digest(project(m1, p.slice, noon)); });
  auto done = make_outcome(2, verdict::done);
  done.exported = applied.seen.hub[0];
  EXPECT_EQ(submitted(hand.observe(applied, done)), "annotate") << "it stays owed, and the writer parks it";
  const auto newer = applied.with([](picture& p) { p.slice.generation = 5; });
  EXPECT_EQ(submitted(hand.observe(newer)), "take back");
  EXPECT_EQ(submitted(hand.observe(newer, make_outcome(3, verdict::taken_back))), "apply");
}

TEST(Exporter, FollowsTheSliceWhereTheAnnotateIsRefused) {
  // The writer parks what was refused until its content changes: so it must change when the slice does.
  const struct {
    const char* name;
    bool refused;
    std::int64_t generation;
    const char* then;
  } table[] = {
    {"refused, the slice moves on", true, 5, "take back"},
    {"refused, nothing new", true, 4, "nothing"},
    {"under way, the slice moves on", false, 5, "nothing"},
  };
  for (const auto& [name, refused, generation, then] : table) {
    SCOPED_TRACE(name);
    const auto shown = picture{}.with(changed);
    by_hand hand;
    EXPECT_EQ(submitted(hand.observe(shown)), "annotate");
    if (refused) {
      EXPECT_EQ(submitted(hand.observe(shown, make_outcome(1, verdict::refused))), "annotate") << "parked";
    }
    const auto newer = shown.with([&](picture& p) { p.slice.generation = generation; });
    EXPECT_EQ(submitted(hand.observe(newer)), then);
    if (std::string{then} != "take back")
      continue;
    const auto step = hand.observe(newer, make_outcome(2, verdict::taken_back));
    ASSERT_EQ(submitted(step), "annotate");
    EXPECT_EQ(std::get<annotate_slice>(std::get<submit_command>(*step.action).what).generation, 5);
  }
}

TEST(Exporter, IgnoresTheAnswersToItsPredecessor) {
  const auto shown = picture{}.named("n").exported("n", "h1").with(changed);
  by_hand former;
  ASSERT_EQ(submitted(former.observe(shown)), "annotate");
  by_hand next; // the former one died; the member's table goes on counting
  next.number = former.number;
  ASSERT_EQ(submitted(next.observe(shown)), "annotate");
  for (const auto how : {verdict::done, verdict::taken_back, verdict::too_late, verdict::missing}) {
    SCOPED_TRACE(to_string(how));
    const auto step = next.observe(shown, make_outcome(1, how));
    EXPECT_EQ(submitted(step), "nothing");
    EXPECT_TRUE(step.events.empty());
    EXPECT_FALSE(step.settled);
  }
}

TEST(Exporter, DecidesNothingWhileACommandIsOut) {
  const auto synced = picture{}.named("n").exported("n", "h1");
  by_hand hand;
  EXPECT_EQ(submitted(hand.observe(synced.with(changed))), "annotate");
  const auto newer = synced.with(changed).with([](picture& p) { p.slice.generation = 5; });
  const auto step = hand.observe(newer);
  EXPECT_TRUE(step.events.empty());
  EXPECT_EQ(submitted(step), "nothing");
  EXPECT_FALSE(step.settled);
  EXPECT_EQ(hand.machine.seen(), 2U);
  const auto lost = hand.observe(newer.says(consent::invalid));
  EXPECT_TRUE(lost.events.empty());
  EXPECT_EQ(submitted(lost), "take back");
}

TEST(Exporter, ConcludesNothingFromHalfAPicture) {
  const auto synced = picture{}.named("n").exported("n", "h1");
  by_hand hand;
  EXPECT_EQ(submitted(hand.observe(synced.with(changed))), "annotate");
  const inputs pending = synced.says(consent::pending);
  for (const auto& half : {synced.without_slice(false), pending}) {
    const auto step = hand.observe(half);
    EXPECT_EQ(submitted(step), "nothing");
    EXPECT_TRUE(step.events.empty());
    EXPECT_FALSE(step.settled);
  }
}

} // namespace
} // namespace sliceferry::core
