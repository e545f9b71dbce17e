#include "actors/diff_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sliceferry {
namespace {

using core::comparison;
using core::difference;
using core::difference_kind;

difference of(difference_kind kind, const std::string& slice, const std::string& exported) {
  return {kind, {"shop", slice}, "uid-" + slice, exported, {}, {}};
}

std::size_t lines_with(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(DiffReport, SaysSoWhereAllIsRight) {
  comparison told;
  told.slices = 12;
  told.wanted = 7;
  told.exports = 8;
  told.foreign = 1;
  EXPECT_EQ(text_of("paris", told),
            "in sync: member paris: 12 slices, 7 to be exported; 8 exports on the hub, 1 of them foreign\n");
  told.found = {of(difference_kind::older_version, "a", "x"), of(difference_kind::older_version, "b", "y")};
  EXPECT_EQ(text_of("paris", told).find("harmless: 2 older-version\nin sync: "), 0U);
  EXPECT_NE(json_of("paris", told).find(R"("in_sync":true)"), std::string::npos);
}

TEST(DiffReport, GroupsByKindAndCountsFirst) {
  comparison told;
  told.slices = 2;
  told.found = {of(difference_kind::missing, "a", ""), of(difference_kind::content, "b", "m-b"),
                of(difference_kind::duplicate, "b", "m-b2")};
  told.found[1].fields = {{"endpoints", "[1]", "[2]"}, {"ports", "none", "[]"}};
  told.found[2].why = "the slice's export is m-b";
  EXPECT_EQ(text_of("paris", told),
            "member paris: 2 slices, 0 to be exported; 0 exports on the hub, 0 of them foreign\n"
            "1 missing, 1 content, 1 duplicate\n"
            "\nmissing: 1\n  shop/a  -  \n"
            "\ncontent: 1\n  shop/b  m-b  endpoints is [1], should be [2]; ports is none, should be []\n"
            "\nduplicate: 1\n  shop/b  m-b2  the slice's export is m-b\n"
            "\n3 differences in 2 slices of member paris\n");
}

TEST(DiffReport, ShowsTwentyOfAKindAndAllAsJson) {
  comparison told;
  for (int i = 0; i < 50; ++i)
    told.found.push_back(of(difference_kind::missing, "s" + std::to_string(i), ""));
  const auto text = text_of("paris", told);
  EXPECT_EQ(lines_with(text, "\n  shop/s"), 20U);
  EXPECT_NE(text.find("missing: 50\n"), std::string::npos);
  EXPECT_NE(text.find("  and 30 more; -o json shows all\n"), std::string::npos);
  EXPECT_EQ(lines_with(json_of("paris", told), R"("kind":"missing")"), 50U);
}

TEST(DiffReport, GivesProgramsStableNamesOnOneLine) {
  comparison told;
  told.slices = 3;
  told.wanted = 2;
  told.exports = 1;
  told.found = {of(difference_kind::content, "a", "m-a"), of(difference_kind::undecided, "b", "m-b")};
  told.found[0].fields = {{"endpoints", "[\"1\"]", "[2]"}};
  EXPECT_EQ(json_of("paris", told),
            R"({"member":"paris","in_sync":false,"slices":3,"wanted":2,"exports":1,"foreign":0,"differences":[)"
            R"({"kind":"content","namespace":"shop","name":"a","uid":"uid-a","export":"m-a","why":"","fields":[)"
            R"({"field":"endpoints","is":"[\"1\"]","should_be":"[2]"}]}],"harmless":[)"
            R"({"kind":"undecided","namespace":"shop","name":"b","uid":"uid-b","export":"m-b","why":"","fields":[]}]})"
            "\n");
  EXPECT_EQ(json_of_failures("paris", {"no \"right\""}), R"({"member":"paris","failures":["no \"right\""]})"
                                                         "\n");
}

TEST(DiffReport, LetsNoTextOfTheClustersReachTheTerminal) {
  comparison told;
  told.found = {of(difference_kind::annotations, "a", "")};
  told.found[0].fields = {{"name", "x\x1b[2J\ny", std::string(1000, 'z')}};
  const auto text = text_of("paris", told);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\ny"), std::string::npos);
  EXPECT_EQ(text.find(std::string(200, 'z')), std::string::npos) << "one value doesn't fill the screen";
  EXPECT_NE(json_of("paris", told).find(std::string(1000, 'z')), std::string::npos);
}

} // namespace
} // namespace sliceferry
