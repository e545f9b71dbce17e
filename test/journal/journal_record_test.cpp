#include "actors/journal/journal_record.hpp"

#include <gtest/gtest.h>

namespace sliceferry::journal {
namespace {

journal_record record_of(decltype(journal_record::what) what) {
  return {.position = 1, .at = {}, .whose = {"member-1", "uid-1"}, .slice = {"shop", "web"}, .what = std::move(what)};
}

TEST(JournalRecord, FoldsIntoMemory) {
  core::memory held = fold({}, record_of(event{name_chosen{"n"}}));
  EXPECT_EQ(held.name, "n");
  EXPECT_EQ(fold(held, record_of(interruption{{}, "disk full"})), held);
  core::memory other;
  other.name = "other";
  EXPECT_EQ(fold(held, record_of(remembered{other})), other) << "what was before counts no more";
  EXPECT_EQ(fold(held, record_of(remembered{})), core::memory{});
}

} // namespace
} // namespace sliceferry::journal
