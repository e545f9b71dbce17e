#include "actors/core/write_reaction.hpp"

#include <gtest/gtest.h>

namespace sliceferry::core {
namespace {

TEST(WriteReaction, FollowsFromCommandAndFailure) {
  const command annotate = annotate_slice{};
  const command clear = clear_annotations{};
  const command apply = apply_export{};
  const command withdraw = withdraw_export{};
  using enum verdict;
  const write_reaction retry{write_step::retry, refused};
  const write_reaction refuse{write_step::refuse, refused};
  struct row {
    const char* name;
    command what;
    errc why;
    write_reaction then;
  };
  const row table[] = {
    {"A8 a throttled apply waits", apply, errc::throttled, retry},
    {"A8 401 heals by new credentials", apply, errc::unauthorized, retry},
    {"WR13 a missing hub namespace may come", apply, errc::namespace_missing, retry},
    {"WR12 a terminating hub namespace may return", apply, errc::namespace_terminating, retry},
    {"LW42 the kind may be installed later", apply, errc::kind_missing, retry},
    {"A8 a refused connection did nothing", apply, errc::unavailable, retry},
    {"WR03 whose it is, only the object tells", apply, errc::already_exists, {write_step::read, already_exists}},
    {"A6 a conflict is routine", apply, errc::conflict, {write_step::read, conflict}},
    {"a replaced export is read", apply, errc::other_uid, {write_step::read, other_uid}},
    {"a vanished export is created again", apply, errc::missing, {write_step::answer, missing}},
    {"WR09 a lost answer is read, not repeated", apply, errc::ambiguous, {write_step::read, ambiguous}},
    {"an unreadable answer is a lost one", apply, errc::malformed, {write_step::read, ambiguous}},
    {"WR17 bad content is parked", apply, errc::invalid, refuse},
    {"WR11 a quota is parked", apply, errc::quota, refuse},
    {"a missing right is parked", apply, errc::forbidden, refuse},
    {"A9 the slice is gone", annotate, errc::missing, {write_step::answer, missing}},
    {"WR14 its namespace is gone, so is the slice", annotate, errc::namespace_missing, {write_step::answer, missing}},
    {"WR20 the slice was replaced", annotate, errc::other_uid, {write_step::answer, other_uid}},
    {"A6 409 on a name write", annotate, errc::conflict, {write_step::read, conflict}},
    {"a lost answer of a clear", clear, errc::ambiguous, {write_step::read, ambiguous}},
    {"a denied clear is parked", clear, errc::invalid, refuse},
    {"WR07 deleted already", withdraw, errc::missing, {write_step::answer, missing}},
    {"WR06 another object has the name now", withdraw, errc::other_uid, {write_step::answer, other_uid}},
    {"nothing is left in a missing namespace",
     withdraw,
     errc::namespace_missing,
     {write_step::answer, namespace_missing}},
    {"a lost answer of a delete", withdraw, errc::ambiguous, {write_step::read, ambiguous}},
    {"hub down", withdraw, errc::unavailable, retry},
  };
  for (const auto& [name, what, why, then] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(react(what, why), then);
  }
}

} // namespace
} // namespace sliceferry::core
