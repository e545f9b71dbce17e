#include "test/core/write_queue_fixture.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sliceferry::core {
namespace {

using namespace asking;

class WriteStalledTest : public WriteQueueTest {
protected:
  /// UIDs of what is stalled, in the order told.
  std::string stalled(std::size_t at_most = 9, const std::string& member = "m1") const {
    std::string out;
    for (const auto& each : queue.stalled(member, at_most, now))
      out += (out.empty() ? "" : " ") + each.slice_uid;
    return out;
  }

  void refuse(const std::string& uid, command what, std::uint64_t ticket = 1) {
    queue.submit(by(uid, ticket, what), std::nullopt, now);
    ASSERT_NE(send(), "-");
    queue.refused(last, failed(errc::quota), now);
  }
};

using WriteStalled = WriteStalledTest;

TEST_F(WriteStalled, WhatCanLeaveIsNot) {
  queue.submit(by("a", 1, create("x")), std::nullopt, now);
  EXPECT_EQ(stalled(), "");
  ASSERT_EQ(send(), "a#1");
  EXPECT_EQ(stalled(), "") << "nor what has left";
}

TEST_F(WriteStalled, WhatWasRefusedIsUntilItsSlowRetry) {
  refuse("a", create("x"));
  queue.submit(by("a", 2, create("x")), std::nullopt, now);
  queue.submit(by("b", 1, create("y")), std::nullopt, now);
  EXPECT_EQ(stalled(), "a");
  EXPECT_EQ(stalled(9, "m2"), "");
  const auto until = queue.stalled("m1", 9, now).front().until;
  EXPECT_GE(until, now + 20s);
  now = until;
  EXPECT_EQ(stalled(), "");
}

TEST_F(WriteStalled, TakenBackItIsStillParkedWhenItComesAgain) {
  refuse("a", create("x"));
  queue.submit(by("a", 2, create("x")), std::nullopt, now);
  EXPECT_TRUE(queue.take_back(id_of(by("a", 2, create("x"))), now));
  EXPECT_EQ(stalled(), "");
  queue.submit(by("a", 3, create("x")), std::nullopt, now);
  EXPECT_EQ(stalled(), "a");
  EXPECT_EQ(send(), "-");
  wait();
  EXPECT_EQ(send(), "a#3");
  queue.refused(last, failed(errc::quota), now);
  queue.submit(by("a", 4, create("x")), std::nullopt, now);
  EXPECT_GE(queue.stalled("m1", 9, now).front().until, now + 40s) << "and its wait goes on doubling";
}

TEST_F(WriteStalled, ALostServerStallsAll) {
  for (std::uint64_t i = 1; !queue.server_open(); ++i) {
    ASSERT_LT(i, 9U);
    const auto uid = "f" + std::to_string(i);
    queue.submit(by(uid, 1, change(uid)), std::nullopt, now);
    while (send() != "-")
      queue.retry(last, failed(errc::unavailable), now);
  }
  queue.submit(by("a", 1, change("x")), std::nullopt, now);
  queue.submit(by("b", 1, withdraw("y")), std::nullopt, now);
  const auto all = stalled(99);
  EXPECT_NE(all.find("a"), std::string::npos) << all;
  EXPECT_NE(all.find("b"), std::string::npos) << all;
  EXPECT_EQ(queue.stalled("m1", 2, now).size(), 2U) << "no more than asked for";
  wait();
  ASSERT_NE(send(), "-") << "the probe";
  queue.finished(last, verdict::done, now);
  EXPECT_EQ(stalled(99), "");
}

TEST_F(WriteStalled, AMissingNamespaceStallsCreatesOnly) {
  queue.submit(by("a", 1, create("x")), std::nullopt, now);
  ASSERT_EQ(send(), "a#1");
  queue.retry(last, failed(errc::namespace_missing), now);
  queue.submit(by("b", 1, create("y")), std::nullopt, now);
  queue.submit(by("c", 1, change("z")), std::nullopt, now);
  queue.submit(by("d", 1, withdraw("w")), std::nullopt, now);
  EXPECT_EQ(stalled(), "a b");
}

TEST_F(WriteStalled, WhatLostItsAnswerCantBeTakenBack) {
  queue.submit(by("a", 1, change("x")), std::nullopt, now);
  ASSERT_EQ(send(), "a#1");
  for (int i = 0; i < 9 && !queue.server_open(); ++i) {
    queue.read_later(last, failed(errc::unavailable), now);
    if (!queue.server_open())
      wait();
    send();
  }
  EXPECT_TRUE(queue.server_open());
  EXPECT_EQ(stalled(), "");
}

TEST_F(WriteStalled, WhatWaitsByItselfIsLeftAlone) {
  queue.submit(by("a", 1, annotate("x", 1, true)), std::nullopt, now); // a sixth name in a row
  EXPECT_EQ(send(), "-");
  EXPECT_EQ(stalled(), "") << "asked for again it would wait anew";
}

} // namespace
} // namespace sliceferry::core
