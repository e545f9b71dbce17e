#include "actors/core/write_queue.hpp"

#include "test/core/write_queue_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

using namespace asking;

using WriteQueue = WriteQueueTest;

TEST_F(WriteQueue, SendsByRankYetEachFourthTimeTheOldest) {
  std::uint64_t ticket = 0;
  for (const command& what : {create("c1"), create("c2"), change("h1"), withdraw("w1"), withdraw("w2"), withdraw("w3"),
                              withdraw("w4"), annotate("a1"), clear("k1")}) {
    ++ticket;
    queue.submit(by(std::to_string(ticket), ticket, what), std::nullopt, now);
  }
  for (const char* expected : {"4#4", "5#5", "6#6", "1#1", "7#7", "9#9", "3#3", "2#2", "8#8", "-"})
    EXPECT_EQ(send(), expected);
}

TEST_F(WriteQueue, GivesMembersTurns) {
  for (int i = 0; i < 3; ++i)
    for (const char* member : {"a", "b", "c"})
      if (i == 0 || member[0] == 'a')
        queue.submit(by(member + std::to_string(i), 1, create(std::to_string(i)), member), std::nullopt, now);
  std::vector<std::string> sent;
  for (int i = 0; i < 5; ++i)
    sent.push_back(send().substr(0, 1));
  EXPECT_EQ(std::count(sent.begin(), sent.begin() + 3, "a"), 1);
  EXPECT_EQ(sent[3] + sent[4], "aa");
}

TEST_F(WriteQueue, ReplacesOnlyWhatHasNotLeft) {
  EXPECT_EQ(queue.submit(by("s", 1, create("x")), std::nullopt, now), (submission{true, std::nullopt}));
  EXPECT_EQ(queue.submit(by("s", 2, create("x", 2)), 1, now), (submission{true, 1}));
  EXPECT_EQ(queue.submit(by("s", 3, create("y")), 2, now), (submission{true, 2})) << "under another name";
  EXPECT_EQ(queue.submit(by("s", 4, create("z")), std::nullopt, now), (submission{true, 3})) << "one per owner";
  EXPECT_EQ(queue.submit(by("s", 5, create("z")), 3, now), (submission{false, std::nullopt})) << "answered already";
  EXPECT_EQ(send(), "s#4");
  queue.retry(last, failed(errc::unavailable), now);
  EXPECT_EQ(queue.submit(by("s", 6, withdraw("z")), 4, now), (submission{true, 4})) << "surely not applied";
  wait();
  EXPECT_EQ(send(), "s#6");
  EXPECT_EQ(queue.submit(by("s", 7, create("z")), 6, now), (submission{false, std::nullopt})) << "in flight";
  queue.read_later(last, failed(errc::unavailable), now);
  EXPECT_EQ(queue.submit(by("s", 7, create("z")), 6, now), (submission{false, std::nullopt})) << "WR09";
  EXPECT_FALSE(queue.take_back(last, now));
  wait();
  EXPECT_EQ(send(), "s#6?");
  queue.finished(last, verdict::done, now);
  EXPECT_EQ(send(), "-");
  EXPECT_EQ(queue.in_flight(), 0U);
}

TEST_F(WriteQueue, TakesBackOnlyWhatHasNotLeft) {
  queue.submit(by("s", 1, withdraw("x")), std::nullopt, now);
  EXPECT_FALSE(queue.take_back({{"m2", "s"}, 1}, now)) << "a cloned member's slice has the same UID";
  EXPECT_FALSE(queue.take_back({{"m1", "s"}, 2}, now));
  EXPECT_TRUE(queue.take_back({{"m1", "s"}, 1}, now));
  EXPECT_EQ(send(), "-");
  queue.submit(by("s", 2, withdraw("x")), std::nullopt, now);
  EXPECT_EQ(send(), "s#2");
  EXPECT_FALSE(queue.take_back(last, now));
}

TEST_F(WriteQueue, ReplacementInheritsThePlaceInTheLine) {
  for (int i = 1; i <= 3; ++i)
    queue.submit(by("s" + std::to_string(i), 1, create("x" + std::to_string(i))), std::nullopt, now);
  now += 1s;
  queue.submit(by("s1", 2, create("x1", 2)), 1, now);
  EXPECT_EQ(queue.oldest_age(now), 1s);
  EXPECT_EQ(send(), "s1#2");
}

TEST_F(WriteQueue, OneInFlightPerKeyInOrderOfArrival) { // CR02
  queue.submit(by("s1", 1, withdraw("x")), std::nullopt, now);
  queue.submit(by("s2", 1, create("x")), std::nullopt, now);
  queue.submit(by("s3", 1, withdraw("x")), std::nullopt, now);
  queue.submit(by("s4", 1, create("x"), "m2"), std::nullopt, now);
  EXPECT_EQ(send(), "s4#1") << "another member's namespace";
  EXPECT_EQ(send(), "s1#1");
  const work_id first = last;
  EXPECT_EQ(send(), "-");
  queue.retry(first, failed(errc::throttled, 2s), now);
  now += 10s;
  EXPECT_EQ(send(), "s1#1") << "a retried one stays the first of its key";
  queue.finished(first, verdict::done, now);
  EXPECT_EQ(send(), "s2#1");
  EXPECT_EQ(send(), "-");
  queue.finished(first, verdict::done, now); // a second end of the same work
  EXPECT_EQ(queue.in_flight(), 2U);
}

TEST_F(WriteQueue, DelaysTheSixthNameOnce) {
  queue.submit(by("s", 1, annotate("a", 1, true)), std::nullopt, now);
  EXPECT_EQ(send(), "-");
  const auto due = queue.due(now);
  EXPECT_GE(*due, now + 4s);
  now += 2s;
  queue.submit(by("s", 2, annotate("a", 2, true)), 1, now);
  EXPECT_EQ(queue.due(now), due) << "a newer generation doesn't begin to wait anew";
  queue.submit(by("s", 3, clear("a")), 2, now);
  EXPECT_EQ(send(), "s#3");
}

TEST_F(WriteQueue, ForgetsWhatAnOwnerThatIsNoMoreAskedFor) {
  queue.submit(by("s", 1, create("x")), std::nullopt, now);
  queue.submit(by("s", 1, create("y"), "m2"), std::nullopt, now);
  EXPECT_EQ(queue.forget({"m1", "s"}, now), by("s", 1, create("x")));
  EXPECT_EQ(queue.forget({"m1", "s"}, now), std::nullopt);
  EXPECT_EQ(send(), "s#1") << "a cloned member's slice has the same UID";
  EXPECT_EQ(last.owner.member, "m2");
  EXPECT_EQ(queue.forget({"m2", "s"}, now), std::nullopt) << "in flight";
  EXPECT_TRUE(queue.retry(last, failed(errc::throttled), now)) << "and sent no further time";
  now += 1min;
  EXPECT_EQ(send(), "-");
  queue.submit(by("s", 2, create("x")), std::nullopt, now);
  queue.submit(by("other", 1, create("x")), std::nullopt, now);
  EXPECT_EQ(send(), "s#2");
  queue.read_later(last, failed(errc::unavailable), now);
  EXPECT_EQ(queue.forget({"m1", "s"}, now), std::nullopt);
  wait();
  EXPECT_EQ(send(), "s#2?") << "the next write of that key needs to know what became of this one";
  queue.finished(last, verdict::done, now);
  EXPECT_EQ(send(), "other#1");
}

command repair(const std::string& name, unsigned undone, std::uint64_t digest = 1) {
  apply_export out = std::get<apply_export>(change(name, digest));
  out.repair = true;
  out.undone = undone;
  return out;
}

TEST_F(WriteQueue, RepairsLaterEachTimeItIsUndone) {
  const struct {
    unsigned undone;
    std::chrono::nanoseconds longest;
  } table[] = {{0, 0s}, {1, 0s}, {2, 1s}, {3, 2s}, {4, 4s}, {9, 128s}, {10, 256s}, {11, 5min}, {4'000'000'000U, 5min}};
  for (const auto& [undone, longest] : table) {
    SCOPED_TRACE(undone);
    write_queue hub({200, 400, 64}, 1);
    hub.submit(by("s", 1, repair("x", undone)), std::nullopt, now);
    EXPECT_LE(*hub.due(now), now + longest);
    EXPECT_GE(*hub.due(now), longest == 0s ? tick{} : now + longest * 4 / 5);
    if (longest == 0s)
      continue;
    EXPECT_EQ(send(hub), "-");
    hub.submit(by("other", 1, change("y")), std::nullopt, now);
    EXPECT_EQ(send(hub), "other#1") << "another key isn't held up";
    hub.submit(by("twin", 1, withdraw("x")), std::nullopt, now);
    EXPECT_EQ(send(hub), "twin#1") << "nor is another owner of the same one";
    hub.finished(last, verdict::done, now);
  }
}

TEST_F(WriteQueue, NewerRepairDoesNotBeginToWaitAnew) {
  queue.submit(by("s", 1, repair("x", 6)), std::nullopt, now);
  const auto due = queue.due(now);
  now += 5s;
  queue.submit(by("s", 2, repair("x", 7, 2)), 1, now);
  EXPECT_EQ(queue.due(now), due);
  now = *due;
  EXPECT_EQ(send(), "s#2");
  queue.retry(last, failed(errc::throttled), now);
  queue.submit(by("s", 3, repair("x", 7, 3)), 2, now);
  EXPECT_LT(*queue.due(now), now + 1s) << "it has waited, and a failed attempt changes nothing about that";
  queue.submit(by("s", 4, change("x", 4)), 3, now);
  queue.submit(by("s", 5, repair("x", 2, 5)), 4, now);
  EXPECT_GE(*queue.due(now), now + 800ms) << "what it replaces had no such wait";
}

TEST_F(WriteQueue, GetsTakeTokens) { // HT11
  write_queue slow({10, 2, 64}, 1);
  for (std::uint64_t i = 0; i < 3; ++i)
    slow.submit(by(std::to_string(i), 1, create(std::to_string(i))), std::nullopt, now);
  EXPECT_NE(send(slow), "-");
  EXPECT_EQ(slow.reserve(now), now);
  EXPECT_EQ(send(slow), "-");
  EXPECT_EQ(slow.due(now), now + 100ms);
  EXPECT_EQ(slow.reserve(now), now + 100ms);
  EXPECT_EQ(slow.due(now), now + 200ms);
  now += 200ms;
  EXPECT_NE(send(slow), "-");
  EXPECT_EQ(slow.waits().count, 2U);
  EXPECT_EQ(slow.waits().total, 300ms);
}

TEST_F(WriteQueue, CountsWhatWaits) {
  queue.submit(by("s1", 1, withdraw("x")), std::nullopt, now);
  queue.submit(by("s2", 1, create("x")), std::nullopt, now);
  queue.submit(by("s3", 1, annotate("a")), std::nullopt, now);
  EXPECT_EQ(queue.depth(), (std::array<std::size_t, 4>{1, 0, 1, 1}));
  now += 4s;
  EXPECT_EQ(queue.oldest_age(now), 4s);
  send();
  EXPECT_EQ(queue.depth(), (std::array<std::size_t, 4>{1, 0, 1, 0}));
  EXPECT_EQ(queue.in_flight(), 1U);
  queue.finished(last, verdict::done, now);
  send();
  send();
  EXPECT_EQ(queue.depth(), (std::array<std::size_t, 4>{}));
  EXPECT_EQ(queue.oldest_age(now), 0s);
}

} // namespace
} // namespace sliceferry::core
