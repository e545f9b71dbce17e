#include "actors/core/evolve.hpp"
#include "actors/core/former_streams.hpp"
#include "test/core/picture.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

leftover export_of(const std::string& slice_uid, const std::string& hub_uid) {
  return {"name-" + hub_uid, hub_uid, {"shop", slice_uid}, slice_uid};
}

withdraw_export delete_of(const std::string& hub_uid) {
  return {"name-" + hub_uid, hub_uid, proof::superseded};
}

TEST(FormerStreams, TellWhatBecameOfADelete) {
  struct row {
    const char* name;
    verdict how;
    bool is_known;
    std::vector<event> told;
  };
  const std::vector<event> withdrawn{export_withdrawn{"h1"}, slice_gone{}};
  const std::vector<event> nothing_known{slice_gone{}};
  const row table[] = {
    {"done", verdict::done, true, withdrawn},
    {"done, and the watch was faster", verdict::done, false, withdrawn},
    {"somebody else deleted it", verdict::missing, true, withdrawn},
    {"and made another one", verdict::other_uid, true, withdrawn},
    {"its namespace went", verdict::namespace_missing, true, withdrawn},
    {"taken back, as it is gone", verdict::taken_back, false, withdrawn},
    {"taken back", verdict::taken_back, true, {withdrawal_cancelled{}, slice_gone{}}},
    {"refused", verdict::refused, true, nothing_known},
    {"a conflict, and it is gone", verdict::conflict, false, withdrawn},
    {"nobody knows", verdict::ambiguous, true, nothing_known},
    {"it goes on", verdict::too_late, true, {}},
  };
  for (const auto& [name, how, is_known, told] : table) {
    SCOPED_TRACE(name);
    former_streams all;
    const auto begun = all.begin(export_of("u1", "h1"), delete_of("h1"));
    EXPECT_EQ(begun.told, (std::vector<event>{withdrawal_begun{"name-h1", "h1", proof::superseded}}));
    EXPECT_TRUE(begun.begins);
    const auto end = all.end("h1", how, is_known);
    ASSERT_EQ(end.has_value(), !told.empty());
    EXPECT_EQ(all.open(), told.empty() ? 1U : 0U);
    if (!end)
      continue;
    EXPECT_EQ(end->told, told);
    EXPECT_TRUE(ended(end->after));
    EXPECT_FALSE(end->begins);
    EXPECT_FALSE(all.end("h1", how, is_known)) << "told once";
  }
}

/// Several exports of a few slices are deleted at a time, and their deletes end in any order.
TEST(FormerStreams, FoldIntoWhatIsRemembered) {
  constexpr verdict ends[] = {verdict::done,     verdict::missing,    verdict::other_uid, verdict::namespace_missing,
                              verdict::conflict, verdict::taken_back, verdict::refused,   verdict::too_late};
  for (unsigned seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 dice{seed};
    former_streams all;
    std::map<std::string, memory> journal; ///< by slice, what its records fold into
    std::map<std::string, std::string> out;
    const auto write = [&](const former_streams::addition& made) {
      auto& held = journal[made.slice_uid];
      ASSERT_EQ(made.begins, ended(held) || held == memory{});
      if (made.begins)
        held = {};
      held = replay(made.told, std::move(held));
      ASSERT_EQ(held, made.after);
    };
    for (int step = 0; step < 200; ++step) {
      const auto slice = "u" + std::to_string(dice() % 3);
      const auto hub_uid = slice + "-h" + std::to_string(dice() % 4);
      if (!out.contains(hub_uid)) {
        write(all.begin(export_of(slice, hub_uid), delete_of(hub_uid)));
        out[hub_uid] = slice;
      } else {
        const auto how = ends[dice() % std::size(ends)];
        if (const auto told = all.end(hub_uid, how, dice() % 2 == 0))
          write(*told);
        if (how != verdict::too_late)
          out.erase(hub_uid);
      }
      std::set<std::string> open;
      for (const auto& [uid, whose] : out)
        open.insert(whose);
      ASSERT_EQ(all.open(), open.size());
      for (const auto& [uid, held] : journal)
        ASSERT_EQ(ended(held), !open.contains(uid)) << uid;
    }
  }
}

} // namespace
} // namespace sliceferry::core
