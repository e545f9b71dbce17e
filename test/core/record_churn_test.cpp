#include "actors/core/hub_view.hpp"
#include "actors/core/record_store.hpp"
#include "actors/core/slice_table.hpp"
#include "test/core/member_makers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::core {
namespace {

slice_row row_of(int i) {
  slice_row out;
  const auto number = std::to_string(i);
  auto slice = named(make_slice("s" + number, "uid-" + number, i, "service-" + number), "e" + number);
  slice.managed_by = "manager-" + number;
  out.uid = slice.uid;
  out.recorded = true;
  out.key = slice.key;
  out.slice = std::make_shared<const endpoint_slice>(slice);
  out.exports.resize(1);
  out.exports[0].slice = out.key;
  out.exports[0].seen.name = "e" + number;
  out.kept.name = "e" + number;
  out.kept.hub_uids = {"hub-" + number};
  return out;
}

TEST(RecordStore, IsEmptyAgainWhenAllIsGone) {
  record_store store{"m1"};
  for (int round = 0; round < 3; ++round) {
    std::vector<record_store::slot> slots;
    for (int i = 0; i < 500; ++i)
      slots.push_back(store.add(row_of(i)));
    const auto& count = store.count();
    EXPECT_EQ(
      std::vector({count.recorded, count.present, count.annotated, count.resting, count.exports, count.claimed}),
      std::vector<std::size_t>(6, 500));
    for (int i = 0; i < 500; ++i) {
      const auto number = std::to_string(i);
      const auto slot = store.of_uid("uid-" + number);
      ASSERT_TRUE(slot);
      EXPECT_EQ(store.at_key({"shop", "s" + number}), slot);
      EXPECT_EQ(store.of_service({"shop", "service-" + number}), std::vector{*slot});
      EXPECT_EQ(store.naming("e" + number), std::vector{*slot});
      ASSERT_TRUE(store.export_named("e" + number));
      EXPECT_EQ(store.export_named("e" + number)->row, *slot);
      EXPECT_TRUE(store.look(*slot) == row_of(i));
    }
    for (const auto slot : slots) {
      slice_row nothing;
      nothing.uid = store.look(slot).uid;
      store.save(slot, std::move(nothing));
    }
    EXPECT_EQ(store.end(), 0U);
    EXPECT_EQ(store.shared_texts(), 0U);
    EXPECT_FALSE(store.of_uid("uid-1") || store.at_key({"shop", "s1"}) || store.export_named("e1"));
    EXPECT_TRUE(store.naming("e1").empty() && store.of_service({"shop", "service-1"}).empty());
    EXPECT_EQ(store.count().recorded + store.count().exports + store.count().resting, 0U);
  }
}

// Slices come and go for as long as the process lives: what that leaves behind would add up.
TEST(RecordStore, ChurnLeavesNothingBehind) {
  constexpr int living = 1000;
  constexpr int cycles = 20'000;
  record_store store{"m1"};
  std::size_t slots = 0, bytes = 0;
  for (int i = 0; i < living + cycles; ++i) {
    store.add(row_of(i));
    if (i < living)
      continue;
    const auto oldest = store.of_uid("uid-" + std::to_string(i - living));
    ASSERT_TRUE(oldest);
    slice_row nothing;
    nothing.uid = store.look(*oldest).uid;
    store.save(*oldest, std::move(nothing));
    slots = std::max<std::size_t>(slots, store.end());
    if (i > 2 * living && i % 1000 == 0)
      bytes = std::max(bytes, store.bytes());
    if (i == cycles / 10)
      slots = store.end(), bytes = store.bytes();
  }
  EXPECT_EQ(store.count().recorded, std::size_t{living});
  EXPECT_EQ(store.shared_texts(), std::size_t{living + 1}) << "each slice's manager and one namespace";
  EXPECT_LE(slots, std::size_t{living + 1});
  EXPECT_LE(bytes, std::size_t{living} * 400);
}

/// Rows without a UID, each of which must be an export of nobody.
std::size_t nobodys_rows(const record_store& rows) {
  std::size_t out = 0;
  for (record_store::slot at = 0; at < rows.end(); ++at) {
    if (!rows.holds(at) || !rows.uid_of(at).empty())
      continue;
    ++out;
    const auto& row = rows.look(at);
    EXPECT_TRUE(!row.recorded && !row.waiting && row.exports.size() == 1);
  }
  return out;
}

/// Slices without a UID, which no server gives, memories of such, and exports whose references have none: in any order
/// with others, and all of it gone in the end.
TEST(RecordStore, KeepsNoRowOfWhatHasNoUid) {
  const std::vector<std::string> uids{"", "u1", "u2", "u3"};
  const std::vector<std::string> names{"a", "b", "c", "d", "e"};
  for (unsigned seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 dice{seed};
    const auto any = [&](const auto& from) { return from[dice() % from.size()]; };
    const auto rows = std::make_shared<record_store>("m1");
    slice_table slices{*make_identity(), rows};
    hub_view hub{make_identity(), rows};
    touch_list out;
    int version = 1;
    for (int step = 0; step < 300; ++step) {
      ++version;
      const auto slice = named(make_slice(any(names), any(uids), version), any(names));
      const auto name = any(names);
      const auto seen = make_export(name, "hub-" + std::to_string(dice() % 8), version, any(uids));
      memory held;
      held.name = name;
      held.hub_uids = {seen.uid};
      switch (dice() % 8) {
        case 0:
        case 1:
          slices.applied(slice, out);
          break;
        case 2:
          slices.deleted(slice, out);
          break;
        case 3:
          slices.answered(slice, out);
          break;
        case 4:
          slices.remember({slice.key, slice.uid}, held, out);
          break;
        case 5:
          hub.deleted(seen);
          break;
        case 6:
          hub.removed(any(uids), seen.uid);
          break;
        default:
          hub.applied(seen, dice() % 2 == 0);
      }
      EXPECT_LE(nobodys_rows(*rows), names.size());
      if (HasFailure())
        return;
    }
    slices.init();
    slices.init_done("9999", out);
    hub.init();
    hub.init_done("9999");
    for (const auto& uid : slices.uids())
      slices.drop(uid);
    EXPECT_EQ(rows->end(), 0U);
  }
}

} // namespace
} // namespace sliceferry::core
