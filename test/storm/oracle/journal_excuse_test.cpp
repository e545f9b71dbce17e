#include "test/storm/oracle/journal_inspection.hpp"

#include <gtest/gtest.h>

namespace sliceferry::storm {
namespace {

TEST(JournalCheck, WhileTheProgramRunsAnExplanationMayComeLateButNotNever) {
  inspection late;
  late.annotated("n", 3, noon).sealed();
  EXPECT_TRUE(late.verdict(false).empty());
  late.sealed().told("interruption", {{"from", noon}, {"why", "slow"}}).told("remembered", adopted);
  EXPECT_TRUE(late.verdict(false).empty());
  EXPECT_EQ(late.check.figures().excused, 0U) << "memory explains it";
  inspection never;
  never.annotated("n", 3, noon);
  for (int round = 0; round < 10; ++round)
    never.sealed().verdict(false);
  EXPECT_EQ(never.check.found().counts().at("unjournaled"), 1U);
}

TEST(JournalCheck, AStreamThatFollowsAnInterruptionIsExcusedOnce) {
  const json other{{"export", "other"}, {"generation", 9}, {"since", later}};
  inspection made;
  made.annotated("n", 3, noon).sealed();
  made.told("interruption", {{"from", noon}, {"why", "full"}}).told("remembered", other);
  EXPECT_TRUE(made.verdict().empty());
  EXPECT_EQ(made.check.figures().excused, 1U);
  EXPECT_EQ(made.check.figures().interruptions, 1U);
  made.annotated("n", 3, noon).sealed();
  EXPECT_EQ(made.verdict()["unjournaled"], 1U) << "that was another round";
}

TEST(JournalCheck, AnInterruptionExcusesWhatWasWrittenInIt) {
  const instant at_noon = began + hours{4};
  for (const auto& [when, is_excused] :
       std::vector<std::pair<instant, bool>>{{at_noon - seconds{9}, false}, // it began eight seconds before noon
                                             {at_noon - seconds{7}, true},
                                             {at_noon, true}, // handed over just before
                                             {at_noon + seconds{2}, false}}) {
    inspection made;
    made.now = when;
    made.deleted("h1").sealed().told("interruption", {{"from", "2027-01-15T11:59:52Z"}, {"why", "slow"}});
    EXPECT_EQ(made.verdict().empty(), is_excused) << (when - at_noon).count() << " us after noon";
    EXPECT_EQ(made.check.figures().excused, is_excused ? 1U : 0U);
  }
}

TEST(JournalCheck, WithoutAnInterruptionNothingStandsInForEvents) {
  inspection made;
  made.annotated("n", 3, noon).sealed().told("remembered", {{"export", "other"}, {"generation", 9}, {"since", later}});
  EXPECT_EQ(made.verdict()["unjournaled"], 1U);
}

TEST(JournalCheck, AFaultOfTheDiskExcusesItsTimeAlone) {
  inspection made;
  made.check.excuse(began + seconds{10}, began + seconds{20});
  for (const auto& at : {seconds{9}, seconds{10}, seconds{20}, seconds{21}}) {
    made.now = began + at;
    made.deleted("h" + std::to_string(at.count()));
  }
  EXPECT_EQ(made.sealed().verdict()["unjournaled"], 2U);
  EXPECT_EQ(made.check.figures().writes, 4U);
  EXPECT_EQ(made.check.figures().excused, 2U);
}

TEST(JournalCheck, AfterADamageOldFactsCountNoMoreAndOldWritesAreExcused) {
  inspection made;
  made.sealed().told("adopted", adopted).verdict();
  made.deleted("h1").sealed().deleted("h2");
  made.check.forget();
  EXPECT_TRUE(made.verdict().empty());
  EXPECT_EQ(made.check.figures().excused, 2U);
  made.position = 0; // the journal may begin anew
  made.annotated("n", 3, noon).sealed().told("generation seen", dated);
  EXPECT_EQ(made.verdict()["unjournaled"], 1U) << "the name was told before the damage";
}

} // namespace
} // namespace sliceferry::storm
