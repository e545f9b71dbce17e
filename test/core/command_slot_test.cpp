#include "actors/core/command_slot.hpp"
#include "test/core/picture.hpp"

#include <gtest/gtest.h>

namespace sliceferry::core {
namespace {

using action = std::optional<slot_action>;

command annotate(std::int64_t generation) {
  return annotate_slice{{"shop", "web"}, "u1", "n", generation, noon, false};
}
const command clear = clear_annotations{{"shop", "web"}, "u1"};
const command withdraw = withdraw_export{"n", "h1", proof::seen};
command apply(const std::string& name, std::uint64_t content) {
  return apply_export{name, {}, std::make_shared<const slice_export_spec>(), content};
}

action submit(std::uint64_t ticket, const command& what, std::optional<std::uint64_t> replaces = {}) {
  return submit_command{ticket, what, replaces};
}
action take_back(std::uint64_t ticket) {
  return take_back_command{ticket};
}
outcome end(std::uint64_t ticket, verdict how) {
  return make_outcome(ticket, how);
}

/// A slot whose submissions are numbered from 1 on.
struct numbered : command_slot {
  std::uint64_t next = 1;

  action want(const std::optional<command>& wanted) {
    const auto out = command_slot::want(wanted, next);
    next += out && std::holds_alternative<submit_command>(*out) ? 1 : 0;
    return out;
  }
};

TEST(CommandSlot, HasOneCommandOut) {
  numbered slot;
  EXPECT_EQ(slot.want({}), action{});
  EXPECT_EQ(slot.want(annotate(1)), submit(1, annotate(1)));
  EXPECT_EQ(slot.want(annotate(1)), action{}) << "the same again";
  EXPECT_EQ(slot.take(end(9, verdict::done)), std::nullopt) << "not ours";
  EXPECT_EQ(slot.take(end(1, verdict::done)), annotate(1));
  EXPECT_EQ(slot.take(end(1, verdict::done)), std::nullopt) << "a repeated answer";
  EXPECT_EQ(slot.want(apply("n", 1)), submit(2, apply("n", 1)));
}

TEST(CommandSlot, ReplacesForTheSameObjectOnly) {
  const struct {
    const char* name;
    command out;
    command wanted;
    bool replaces;
  } table[] = {
    {"annotate, annotate", annotate(1), annotate(2), true},
    {"annotate, clear", annotate(1), clear, true},
    {"apply, newer apply", apply("n", 1), apply("n", 2), true},
    {"apply, withdraw", apply("n", 1), withdraw, true},
    {"apply, other name", apply("n", 1), apply("o", 1), false},
    {"annotate, apply", annotate(1), apply("n", 1), false},
    {"withdraw, clear", withdraw, clear, false},
  };
  for (const auto& [name, out, wanted, replaces] : table) {
    SCOPED_TRACE(name);
    numbered slot;
    slot.want(out);
    EXPECT_EQ(slot.want(wanted), replaces ? submit(2, wanted, 1) : take_back(1));
    EXPECT_EQ(slot.want(annotate(9)), action{}) << "one unanswered wish";
  }
}

TEST(CommandSlot, GoesOnAfterSuperseded) {
  numbered slot;
  slot.want(apply("n", 1));
  slot.want(apply("n", 2));
  EXPECT_EQ(slot.take(end(1, verdict::superseded)), std::nullopt);
  ASSERT_NE(slot.out(), nullptr);
  EXPECT_EQ(*slot.out(), apply("n", 2));
  EXPECT_EQ(slot.want(apply("n", 3)), submit(3, apply("n", 3), 2));
  EXPECT_EQ(slot.take(end(2, verdict::superseded)), std::nullopt);
  EXPECT_EQ(slot.take(end(3, verdict::done)), apply("n", 3));
  EXPECT_EQ(slot.out(), nullptr);
}

TEST(CommandSlot, IsFreeAfterTakenBack) {
  numbered slot;
  slot.want(withdraw);
  EXPECT_EQ(slot.want({}), take_back(1));
  EXPECT_EQ(slot.take(end(1, verdict::taken_back)), std::nullopt);
  EXPECT_EQ(slot.out(), nullptr);
}

TEST(CommandSlot, WaitsForTheOutcomeWhenTooLate) {
  for (const std::uint64_t told_about : {1, 2}) { // the command, or its replacement
    SCOPED_TRACE(told_about);
    numbered slot;
    slot.want(apply("n", 1));
    slot.want(apply("n", 2));
    EXPECT_EQ(slot.take(end(told_about, verdict::too_late)), std::nullopt);
    EXPECT_EQ(slot.want(apply("n", 3)), action{}) << "it was sent";
    EXPECT_EQ(slot.take(end(1, verdict::conflict)), apply("n", 1));
    EXPECT_EQ(slot.want(apply("n", 3)), submit(3, apply("n", 3)));
  }
}

TEST(CommandSlot, IsFreeWhenWhatWasSentIsTakenBackAfterAll) {
  const struct {
    const char* name;
    std::optional<command> wish; ///< that came too late
    std::uint64_t told_about;
  } table[] = {
    {"take back", {}, 1},
    {"replacement", apply("n", 2), 1},
    {"replacement, by its own ticket", apply("n", 2), 2},
  };
  for (const auto& [name, wish, told_about] : table) {
    SCOPED_TRACE(name);
    numbered slot;
    slot.want(apply("n", 1));
    slot.want(wish);
    slot.take(end(told_about, verdict::too_late));
    EXPECT_EQ(slot.take(end(1, verdict::taken_back)), std::nullopt) << "the server did nothing";
    EXPECT_EQ(slot.out(), nullptr);
    const std::uint64_t next = wish ? 3 : 2;
    EXPECT_EQ(slot.want(apply("n", 2)), submit(next, apply("n", 2))) << "what is wanted is submitted anew";
  }
}

TEST(CommandSlot, TakesTheOutcomeBeforeTheTooLate) {
  numbered slot;
  slot.want(apply("n", 1));
  slot.want(apply("n", 2));
  EXPECT_EQ(slot.take(end(1, verdict::done)), apply("n", 1));
  EXPECT_EQ(slot.want(apply("n", 3)), submit(3, apply("n", 3)));
  EXPECT_EQ(slot.take(end(1, verdict::too_late)), std::nullopt);
  EXPECT_EQ(slot.take(end(2, verdict::too_late)), std::nullopt);
  EXPECT_EQ(slot.want(apply("n", 4)), submit(4, apply("n", 4), 3)) << "3 may still be replaced";
}

} // namespace
} // namespace sliceferry::core
