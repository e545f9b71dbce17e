#include "actors/running_memories.hpp"

#include "actors/memory_desk.hpp"

#include <gtest/gtest.h>

namespace sliceferry {
namespace {

constexpr journal::moment noon{std::chrono::milliseconds{1'796'040'000'000}};

TEST(RunningMemories, AreReadAsTheyWereTold) {
  journal::journal_status kept;
  for (const auto state : {core::journal_state::opening, core::journal_state::healthy, core::journal_state::degraded}) {
    SCOPED_TRACE(core::name_of(state));
    kept.state = state;
    kept.why = "cannot commit:\nno room";
    kept.lasts = std::chrono::seconds(90);
    const auto read = read_memories(journal_line(kept, noon) + memory_line("m1", "u", 7));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->digests, (journal::memory_digests{{{"m1", "u"}, 7}}));
    EXPECT_TRUE(read->keeps_journal);
    ASSERT_EQ(read->degraded.has_value(), state == core::journal_state::degraded);
    if (read->degraded) {
      EXPECT_EQ(read->degraded->since, "2026-11-30T11:58:30.000Z");
      EXPECT_EQ(read->degraded->why, "cannot commit: no room");
    }
  }
  const auto none = read_memories(journal_line(std::nullopt, noon));
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->keeps_journal);
  EXPECT_FALSE(none->degraded);
}

TEST(RunningMemories, AreOfThisProgramAlone) {
  for (const auto* text : {"", "m1 u 7\n", "404 not found\n", "# journal healthy\nm1 u\n", "# something\n"})
    EXPECT_FALSE(read_memories(text)) << text;
}

TEST(RunningMemories, ComeWithTheLineIfTheyCome) {
  memory_desk desk{{"m1"}};
  const auto pages = with_journal_line(desk.pages(), [] { return "a line\n"; });
  admin_answer got;
  const auto ask = [&] { pages.at("/memories")({"/memories", {}}, [&](admin_answer x) { got = std::move(x); }); };
  ask();
  EXPECT_EQ(got.status, 503U);
  EXPECT_EQ(got.body.find("a line"), std::string::npos);
  desk.attach("m1", [](const memories_question& put) { put.answer("m1 u 7\n"); });
  ask();
  EXPECT_EQ(got.status, 200U);
  EXPECT_EQ(got.body, "a line\nm1 u 7\n");
}

} // namespace
} // namespace sliceferry
