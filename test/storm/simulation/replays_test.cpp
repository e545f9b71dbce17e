#include "test/storm/simulation/trial.hpp"

#include <gtest/gtest.h>

namespace sliceferry::storm {
namespace {

/// Traces that the simulation once found and shrank. Each must stay right.
TEST(Replays, WhatWasWrongOnceIsRight) {
  const struct {
    const char* name;
    trace steps;
  } table[] = {
    {"an annotate's answer is lost, the read finds no slice",
     {{op::consent, 0, 0},
      {op::write_slice, 0, 0},
      {op::calm, 0, 0},
      {op::serve, 0, 753}, // garbled
      {op::delete_slice, 0, 0},
      {op::serve, 0, 0}}},
    {"a slice is missing, its exporter has retired, consent comes back",
     {{op::calm, 0, 0},
      {op::consent, 2, 0},
      {op::write_slice, 4, 0},
      {op::catch_up, 0, 0},
      {op::catch_up, 1, 0},
      {op::drop_nspace, 1, 0},
      {op::serve, 0, 0},
      {op::catch_up, 1, 0},
      {op::consent, 2, 0},
      {op::catch_up, 1, 0}}},
    {"an export's create is answered after a list that lacks it",
     {{op::consent, 2, 0},
      {op::write_slice, 4, 0},
      {op::calm, 1, 0},
      {op::expire, 2, 0},
      {op::execute, 0, 0},
      {op::fail, 0, 0},
      {op::hub_nspace, 1, 0}}},
    {"an exporter fails with a create queued, consent goes",
     {{op::consent, 0, 0},
      {op::write_slice, 0, 0},
      {op::calm, 3, 0},
      {op::hub_nspace, 1, 0},
      {op::catch_up, 2, 0},
      {op::fail, 0, 0},
      {op::consent, 0, 1}}},
  };
  for (const auto& [name, steps] : table) {
    SCOPED_TRACE(name);
    const auto found = replay(steps);
    EXPECT_FALSE(found) << describe(steps);
  }
}

} // namespace
} // namespace sliceferry::storm
