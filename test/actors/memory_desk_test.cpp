#include "actors/memory_desk.hpp"

#include <gtest/gtest.h>

namespace sliceferry {
namespace {

struct asked {
  memory_desk desk{{"m1", "m2"}};
  std::vector<admin_answer> replies;

  void ask(std::map<std::string, std::string> query = {}) {
    const auto pages = desk.pages();
    pages.at("/memories")({"/memories", std::move(query)}, [this](admin_answer x) { replies.push_back(std::move(x)); });
  }
};

TEST(MemoryLines, AreReadAsTheyWereWritten) {
  const auto read = read_memory_lines(memory_line("m1", "uid-1", 0) + memory_line("m1", "uid-2", ~std::uint64_t{0}) +
                                      memory_line("m2", "uid-1", std::nullopt));
  ASSERT_TRUE(read);
  const journal::memory_digests expected{
    {{"m1", "uid-1"}, 0}, {{"m1", "uid-2"}, ~std::uint64_t{0}}, {{"m2", "uid-1"}, std::nullopt}};
  EXPECT_EQ(*read, expected);
  EXPECT_TRUE(read_memory_lines(""));
  for (const auto* wrong : {"m1 uid", "m1 uid 5", "m1 uid x\n", "404 not found\n", "m1 uid 5 6\n"})
    EXPECT_FALSE(read_memory_lines(wrong)) << wrong;
}

TEST(MemoryDesk, GathersWhatAllMembersTell) {
  asked here;
  std::vector<memories_question> put;
  for (const auto* member : {"m1", "m2"})
    here.desk.attach(member, [&](memories_question x) { put.push_back(std::move(x)); });
  here.ask();
  ASSERT_EQ(put.size(), 2U);
  put[1].answer("m2 b 2\n");
  put[0].answer("m1 a 1\n");
  EXPECT_TRUE(here.replies.empty()) << "the question is still held";
  here.ask();
  ASSERT_EQ(here.replies.size(), 1U) << "one at a time";
  EXPECT_EQ(here.replies[0].status, 503U);
  put.clear();
  ASSERT_EQ(here.replies.size(), 2U);
  EXPECT_EQ(here.replies[1].status, 200U);
  EXPECT_EQ(here.replies[1].body, "m2 b 2\nm1 a 1\n");
  here.ask({{"member", "m2"}});
  ASSERT_EQ(put.size(), 1U);
  put[0].answer("");
  put.clear();
  EXPECT_EQ(here.replies.back().status, 200U);
}

TEST(MemoryDesk, SaysWhoCannotBeAsked) {
  asked here;
  here.ask({{"member", "m3"}});
  EXPECT_EQ(here.replies.back().status, 404U);
  here.ask();
  EXPECT_EQ(here.replies.back().status, 503U) << "nobody is attached";
  here.desk.attach("m1", [](const memories_question&) {});
  here.ask({{"member", "m1"}});
  EXPECT_EQ(here.replies.back().status, 503U) << "it died with the question";
}

} // namespace
} // namespace sliceferry
