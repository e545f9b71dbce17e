#include "actors/core/guard_reading.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace sliceferry::core {
namespace {

TEST(GuardReading, TakesOnlyAMissingRightForAnAnswerThatTellsNothing) { // D34
  using enum errc;
  struct row {
    errc failed;
    std::optional<existence> shows;
  };
  const row table[] = {
    {missing, existence::missing},
    {namespace_missing, existence::missing},
    {forbidden, existence::unknown},
    {kind_missing, std::nullopt},
    {expired, std::nullopt},
    {conflict, std::nullopt},
    {already_exists, std::nullopt},
    {other_uid, std::nullopt},
    {namespace_terminating, std::nullopt},
    {throttled, std::nullopt},
    {unauthorized, std::nullopt},
    {quota, std::nullopt},
    {invalid, std::nullopt},
    {ambiguous, std::nullopt},
    {unavailable, std::nullopt},
    {malformed, std::nullopt},
  };
  for (const auto& [failed, shows] : table)
    EXPECT_EQ(existence_after(failed), shows) << to_string(failed);
}

TEST(GuardReading, OfAnObjectThatWasEndingIsConfirmedByItsEnd) {
  using enum existence;
  struct row {
    existence found;
    existence was_absent;
    existence was_ending;
  };
  const row table[] = {
    {exists, exists, exists},
    {terminating, terminating, missing},
    {missing, missing, missing},
    {unknown, unknown, unknown},
  };
  for (const auto& [found, was_absent, was_ending] : table) {
    EXPECT_EQ(as_absence(found, false), was_absent);
    EXPECT_EQ(as_absence(found, true), was_ending);
  }
}

} // namespace
} // namespace sliceferry::core
