#include "test/storm/stage/journal_watch.hpp"

#include "test/storm/stage/workplace.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace sliceferry::storm {
namespace {

/// A program that says what a file holds, as far as it is beyond the position asked for; and does as it is told.
constexpr const char* script = R"sh(#!/bin/sh
cd "$(dirname "$0")"
case $1 in
  history) [ "$2" = --after ] || exit 9; tail -n "+$(($3 + 1))" lines; exit "$(cat exit_code)" ;;
  replay) echo "streams differ"; exit "$(cat exit_code)" ;;
esac
)sh";

class JournalWatch : public testing::Test {
protected:
  JournalWatch() {
    put("sliceferry", script);
    std::filesystem::permissions(place_.folder() / "sliceferry", std::filesystem::perms::owner_all);
    put("lines", "");
    put("exit_code", "0");
  }

  void put(const std::string& name, const std::string& text) const { std::ofstream{place_.folder() / name} << text; }
  void tell(const std::string& event) {
    std::ofstream{place_.folder() / "lines", std::ios::app}
      << R"({"position":)" << ++position_
      << R"(,"time":"2027-01-15T12:00:00Z","member":"m1","namespace":"shop","name":"web","uid":"s1","event":)" << event
      << "}\n";
  }
  /// The hub saw the program delete this export.
  void removed(const std::string& uid) {
    history_entry entry;
    entry.user = "us";
    entry.cluster = "hub";
    entry.verb = "delete";
    entry.resource = "endpointsliceexports";
    entry.nspace = "fleet-member-m1";
    entry.name = "n";
    entry.code = 200;
    entry.what = history_entry::change::deleted;
    entry.uid = uid;
    watch_.observe(entry);
  }

  workplace place_;
  std::uint64_t position_ = 0;
  journal_watch watch_{{place_.folder() / "sliceferry",
                        place_.folder() / "data",
                        place_.folder() / "said",
                        "us",
                        {{"fleet-member-m1", "m1"}}}};
};

const std::string begun_h1 = R"("withdrawal begun","export":"n","hub_uid":"h1")";

TEST_F(JournalWatch, ComparesWritesWithWhatTheProgramTells) {
  tell(begun_h1);
  removed("h1");
  EXPECT_EQ(watch_.final_round(), "");
  EXPECT_TRUE(watch_.counts().empty());
  removed("h2");
  EXPECT_EQ(watch_.final_round(), "");
  EXPECT_EQ(watch_.counts().at("unjournaled"), 1U);
  EXPECT_EQ(watch_.violations().size(), 1U);
  EXPECT_EQ(watch_.figures().records, 1U);
}

TEST_F(JournalWatch, ReadsOnFromWhereItWas) {
  for (int i = 0; i < 3; ++i) {
    tell(begun_h1);
    EXPECT_EQ(watch_.final_round(), "");
  }
  EXPECT_EQ(watch_.figures().records, 3U);
  EXPECT_TRUE(watch_.counts().empty());
}

TEST_F(JournalWatch, ComparesInTheBackgroundToo) {
  tell(begun_h1);
  removed("h1");
  watch_.begin_round();
  EXPECT_EQ(watch_.final_round(), "");
  EXPECT_EQ(watch_.figures().writes, 1U);
  EXPECT_EQ(watch_.figures().records, 1U);
}

TEST_F(JournalWatch, SaysWhyItCannotRead) {
  put("exit_code", "3");
  EXPECT_NE(watch_.final_round().find("exit code 3"), std::string::npos);
  watch_.begin_round();
  EXPECT_NE(watch_.final_round().find("exit code 3"), std::string::npos);
}

TEST_F(JournalWatch, ReadsAllAnewAfterADamage) {
  tell(begun_h1);
  EXPECT_EQ(watch_.final_round(), "");
  watch_.forget();
  removed("h1");
  EXPECT_EQ(watch_.final_round(), "");
  EXPECT_TRUE(watch_.counts().empty()) << "what survived the damage counts";
  EXPECT_EQ(watch_.figures().records, 1U) << "counted once";
}

TEST_F(JournalWatch, WaitsUntilADamagedOneCanBeReadAgain) {
  watch_.forget();
  removed("h1");
  put("exit_code", "1");
  EXPECT_EQ(watch_.final_round(), "");
  EXPECT_EQ(watch_.figures().excused, 1U);
  put("exit_code", "0");
  EXPECT_EQ(watch_.final_round(), "");
  removed("h2");
  EXPECT_EQ(watch_.final_round(), "");
  EXPECT_EQ(watch_.counts().at("unjournaled"), 1U);
  put("exit_code", "1");
  EXPECT_NE(watch_.final_round(), "");
}

TEST_F(JournalWatch, TellsWhatReplayComplainsOf) {
  EXPECT_EQ(watch_.replay(), "");
  put("exit_code", "1");
  EXPECT_NE(watch_.replay().find("streams differ"), std::string::npos);
}

} // namespace
} // namespace sliceferry::storm
