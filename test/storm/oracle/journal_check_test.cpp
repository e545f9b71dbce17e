#include "test/storm/oracle/journal_inspection.hpp"

#include <gtest/gtest.h>

namespace sliceferry::storm {
namespace {

/// One write of each kind and what the journal tells; whether that explains it.
struct row {
  const char* name;
  void (*write)(inspection&);
  std::vector<std::pair<const char*, json>> told;
  bool is_explained;
};

void annotate(inspection& to) {
  to.annotated("n", 3, noon);
}
void create(inspection& to) {
  to.exported("create", "n", 3, noon);
}
void change(inspection& to) {
  to.exported("patch", "n", 3, noon);
}
void change_to_newer(inspection& to) {
  to.exported("patch", "n", 5, noon);
}
void remove_export(inspection& to) {
  to.deleted("h1");
}
void clear(inspection& to) {
  to.wrote_slice({});
}
void annotate_and_clear(inspection& to) {
  to.annotated("n", 3, noon).wrote_slice({});
}

const std::vector<row> rows{
  {"annotate: name and time told", annotate, {{"generation seen", dated}, {"name chosen", named}}, true},
  {"annotate: adopted", annotate, {{"adopted", adopted}}, true},
  {"annotate: remembered", annotate, {{"remembered", adopted}}, true},
  {"annotate: told nothing", annotate, {}, false},
  {"annotate: begun alone", annotate, {{"remembered", {{"blank", true}}}}, false},
  {"annotate: no name", annotate, {{"generation seen", dated}}, false},
  {"annotate: no time", annotate, {{"name chosen", named}}, false},
  {"annotate: another name", annotate, {{"generation seen", dated}, {"name chosen", {{"export", "m"}}}}, false},
  {"annotate: another time",
   annotate,
   {{"generation seen", {{"generation", 3}, {"since", later}}}, {"name chosen", named}},
   false},
  {"annotate: another generation",
   annotate,
   {{"generation seen", {{"generation", 2}, {"since", noon}}}, {"name chosen", named}},
   false},
  {"annotate: an outcome explains nothing", annotate, {{"annotated", {{"generation", 3}}}}, false},
  {"create: name and time told", create, {{"generation seen", dated}, {"name chosen", named}}, true},
  {"create: adopted", create, {{"adopted", adopted}}, true},
  {"create: told nothing", create, {}, false},
  {"create: no name", create, {{"generation seen", dated}}, false},
  {"create: no time", create, {{"name chosen", named}}, false},
  {"change: adopted", change, {{"adopted", adopted}}, true},
  {"change: an apply explains nothing", change, {{"export applied", {{"export", "n"}, {"hub_uid", "h1"}}}}, false},
  {"newer content under the time that was told", change_to_newer, {{"adopted", adopted}}, true},
  {"older content than was told", change, {{"adopted", {{"export", "n"}, {"generation", 4}, {"since", noon}}}}, false},
  {"content under another time", change, {{"adopted", {{"export", "n"}, {"generation", 3}, {"since", later}}}}, false},
  {"delete: begun", remove_export, {{"withdrawal begun", begun}}, true},
  {"delete: remembered",
   remove_export,
   {{"remembered", {{"export", "n"}, {"withdrawals", {{{"export", "n"}, {"hub_uid", "h1"}}}}}}},
   true},
  {"delete: told nothing", remove_export, {}, false},
  {"delete: of another", remove_export, {{"withdrawal begun", {{"export", "n"}, {"hub_uid", "h2"}}}}, false},
  {"delete: a withdrawal's outcome explains nothing",
   remove_export,
   {{"export withdrawn", {{"hub_uid", "h1"}}}},
   false},
  {"clear: of what was never ours", clear, {}, true},
  {"clear: of what we export", annotate_and_clear, {{"adopted", adopted}}, true},
};

TEST(JournalCheck, EachKindOfWriteNeedsWhatExplainsIt) {
  for (const auto& each : rows) {
    SCOPED_TRACE(each.name);
    inspection made;
    each.write(made);
    made.sealed();
    for (const auto& [event, fields] : each.told)
      made.told(event, fields);
    EXPECT_EQ(made.verdict().contains("unjournaled"), !each.is_explained);
    EXPECT_EQ(made.check.found().counts().size(), each.is_explained ? 0U : 1U);
  }
}

TEST(JournalCheck, AClearedSliceThatWasExportedNeedsAStream) {
  inspection made;
  made.annotated("n", 3, noon).sealed().told("adopted", adopted).verdict();
  made.wrote_slice({}).sealed();
  EXPECT_TRUE(made.verdict().empty());
  inspection without;
  annotate_and_clear(without);
  EXPECT_EQ(without.sealed().verdict()["unjournaled"], 2U);
}

TEST(JournalCheck, AnotherStreamExplainsNothingButADelete) {
  inspection made;
  made.annotated("n", 3, noon).sealed().told("adopted", adopted, "s2");
  EXPECT_EQ(made.verdict()["unjournaled"], 1U);
  inspection removed; // what an export refers to may have been edited by anyone
  removed.deleted("h1").sealed().told("withdrawal begun", begun, "s2");
  EXPECT_TRUE(removed.verdict().empty());
}

TEST(JournalCheck, WhatWasToldInEarlierRoundsCounts) {
  inspection made;
  made.sealed().told("adopted", adopted).verdict();
  made.exported("create", "n", 3, noon).sealed();
  EXPECT_TRUE(made.verdict().empty());
}

TEST(JournalCheck, OthersAndWritesThatChangeNothingAreNotJudged) {
  inspection made;
  made.wrote_slice({{prefix + "fleet-unique-name", "n"}}, "kube").sealed();
  EXPECT_TRUE(made.verdict().empty());
  EXPECT_EQ(made.check.figures().writes, 0U);
}

TEST(JournalCheck, NewerContentMayBeOfALowerGenerationWhereABackupWasRestored) {
  for (const std::string cluster : {"m1", "m2", "hub"}) {
    inspection made;
    history_entry restored;
    restored.cluster = cluster;
    restored.mark = "restored";
    made.check.observe(restored);
    made.exported("patch", "n", 1, noon).sealed().told("adopted", adopted);
    EXPECT_EQ(made.verdict().contains("unjournaled"), cluster != "m1") << cluster;
  }
}

TEST(JournalCheck, AWriteAfterTheSealWaitsForTheNextRound) {
  inspection made;
  made.sealed().annotated("n", 3, noon);
  EXPECT_TRUE(made.verdict().empty());
  EXPECT_EQ(made.sealed().verdict()["unjournaled"], 1U);
}

TEST(JournalCheck, AGapIsFoundAndARepetitionIsPassedOver) {
  inspection made;
  made.told("adopted", adopted).told("adopted", adopted);
  made.position = 0;
  made.told("adopted", adopted);
  EXPECT_TRUE(made.verdict().empty());
  EXPECT_EQ(made.check.figures().records, 2U);
  made.position = 3;
  made.told("adopted", adopted);
  EXPECT_EQ(made.verdict()["journal gap"], 1U);
}

TEST(JournalCheck, ADamagedRecordIsForgivenOnlyWhereSomebodyDamagedTheFile) {
  const char* line = R"({"position":1,"event":"unreadable","why":"damaged"})";
  inspection made;
  made.check.record(line);
  EXPECT_EQ(made.verdict()["journal damaged"], 1U);
  inspection torn;
  torn.check.forget();
  torn.check.record(line);
  EXPECT_TRUE(torn.verdict().empty());
  EXPECT_EQ(torn.check.position(), 1U);
}

TEST(JournalCheck, CountsLinesThatItCannotRead) {
  inspection made;
  for (const char* line : {"", "no JSON", "[]", R"({"position":1})", R"({"position":1,"event":"adopted"})",
                           R"({"position":1,"event":"adopted","time":"2027-01-15T12:00:00Z"})"})
    made.check.record(line);
  EXPECT_EQ(made.check.figures().unreadable, 6U);
  EXPECT_EQ(made.check.position(), 0U);
}

TEST(JournalCheck, ASliceThatNeverRestsIsExplainedFromItsRoundsFirstChangeOn) {
  inspection made;
  for (int generation = 1; generation <= 2'000; ++generation)
    made.annotated("n", generation, noon);
  made.sealed().told("name chosen", named);
  for (int generation = 1; generation <= 2'000; ++generation)
    made.told("generation seen", {{"generation", generation}, {"since", noon}});
  EXPECT_TRUE(made.verdict().empty());
}

TEST(JournalCheck, ManyStreamsThatAreOverLeaveNothing) {
  inspection made;
  for (int i = 0; i < 100; ++i)
    made.told("adopted", adopted, "s" + std::to_string(i)).told("slice gone", {}, "s" + std::to_string(i));
  made.told("adopted", adopted, "alive");
  for (int round = 0; round < 10; ++round)
    made.sealed().verdict();
  EXPECT_EQ(made.check.figures().streams, 1U);
}

} // namespace
} // namespace sliceferry::storm
