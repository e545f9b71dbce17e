#include "actors/core/write_queue.hpp"

#include "test/core/write_queue_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

using namespace asking;

class WriteQueue : public ::testing::Test {
protected:
  /// Sends the next work; `uid#ticket`, with `?` if only a GET, or `-` for none.
  std::string send(write_queue& from) {
    const auto sent = from.next(now);
    if (!sent)
      return "-";
    last = id_of(sent->asked);
    return sent->asked.slice_uid + '#' + std::to_string(sent->asked.ticket) + (sent->read ? "?" : "");
  }
  std::string send() { return send(queue); }

  /// Moves to the moment that `due` names, if it names one.
  void wait() {
    const auto due = queue.due(now);
    ASSERT_TRUE(due);
    now = std::max(now, *due);
  }

  tick now = noon;
  work_id last;
  write_queue queue{{200, 400, 64}, 1};
};

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
  EXPECT_EQ(queue.submit(by("s", 5, withdraw("z")), 4, now), (submission{false, std::nullopt})) << "in flight";
  queue.retry(last, failed(errc::unavailable), now);
  EXPECT_EQ(queue.submit(by("s", 6, withdraw("z")), 4, now), (submission{true, 4})) << "surely not applied";
  wait();
  EXPECT_EQ(send(), "s#6");
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

TEST_F(WriteQueue, Throttled) { // HT10, WR30
  write_queue narrow({10000, 10000, 8}, 3);
  for (std::uint64_t i = 0; i < 60; ++i)
    narrow.submit(by(std::to_string(i), 1, create(std::to_string(i))), std::nullopt, now);
  std::vector<work_id> out;
  while (send(narrow) != "-")
    out.push_back(last);
  ASSERT_EQ(out.size(), 8U);
  narrow.retry(out[0], failed(errc::throttled, 3s), now);
  narrow.retry(out[1], failed(errc::throttled, 2s), now);
  EXPECT_EQ(narrow.concurrency(), 4U) << "halved once per round";
  for (std::size_t i = 2; i < 8; ++i)
    narrow.finished(out[i], verdict::done, now);
  EXPECT_EQ(narrow.concurrency(), 5U);
  now += 3s - 1ns;
  EXPECT_EQ(send(narrow), "-") << "the whole writer pauses";
  EXPECT_GE(*narrow.due(now), noon + 3s);
  now = *narrow.due(now);
  out.clear();
  while (send(narrow) != "-")
    out.push_back(last);
  ASSERT_EQ(out.size(), 5U);
  narrow.retry(out[0], failed(errc::throttled), now);
  EXPECT_EQ(narrow.concurrency(), 2U);
  for (std::size_t i = 1; i < 5; ++i)
    narrow.finished(out[i], verdict::done, now);
  now += 1s;
  for (int i = 0; i < 60 && send(narrow) != "-"; ++i)
    narrow.finished(last, verdict::done, now);
  EXPECT_EQ(narrow.concurrency(), 8U) << "grows by one per healthy round, up to its limit";
}

TEST_F(WriteQueue, ServerAwayLeavesOneProbeAtATime) {
  for (const errc code : {errc::unavailable, errc::unauthorized}) {
    SCOPED_TRACE(to_string(code));
    write_queue away({200, 400, 64}, 5);
    for (std::uint64_t i = 0; i < 6; ++i)
      away.submit(by(std::to_string(i), 1, create(std::to_string(i))), std::nullopt, now);
    std::vector<work_id> out;
    while (send(away) != "-")
      out.push_back(last);
    ASSERT_EQ(out.size(), 6U);
    for (const work_id& id : out)
      away.retry(id, failed(code), now);
    EXPECT_TRUE(away.server_open());
    EXPECT_EQ(send(away), "-");
    EXPECT_GE(*away.due(now), now + 800ms);
    const auto probe = away.due(now);
    now = *probe;
    EXPECT_NE(send(away), "-");
    EXPECT_EQ(send(away), "-");
    EXPECT_FALSE(away.due(now));
    away.retry(last, failed(code, 7s), now);
    EXPECT_GE(*away.due(now), now + 7s);
    now = *away.due(now);
    const std::string first = send(away);
    away.refused(last, now); // an answer, too
    EXPECT_FALSE(away.server_open());
    for (int i = 0; i < 5; ++i)
      EXPECT_NE(send(away), "-") << "CR06: back-offs are gone with the outage";
  }
}

TEST_F(WriteQueue, OneFlawedConnectionHoldsUpOnlyItsKey) {
  queue.submit(by("s1", 1, create("x1")), std::nullopt, now);
  EXPECT_EQ(send(), "s1#1");
  queue.retry(last, failed(errc::unavailable, 1s), now);
  queue.submit(by("s2", 1, create("x2")), std::nullopt, now);
  EXPECT_EQ(send(), "s2#1");
  queue.finished(last, verdict::done, now);
  EXPECT_EQ(send(), "-");
  EXPECT_GE(*queue.due(now), now + 1s);
}

TEST_F(WriteQueue, MissingNamespaceHoldsUpCreatesInItAlone) { // WR12, WR13
  for (const errc code : {errc::namespace_missing, errc::namespace_terminating}) {
    SCOPED_TRACE(to_string(code));
    write_queue hub({200, 400, 64}, 5);
    for (std::uint64_t i = 0; i < 5; ++i)
      hub.submit(by(std::to_string(i), 1, create(std::to_string(i))), std::nullopt, now);
    EXPECT_EQ(send(hub), "0#1");
    hub.retry(last, failed(code), now);
    EXPECT_EQ(hub.namespaces_open(), std::vector<std::string>{"m1"});
    EXPECT_FALSE(hub.server_open());
    hub.submit(by("w", 1, withdraw("w")), std::nullopt, now);
    hub.submit(by("h", 1, change("h")), std::nullopt, now);
    hub.submit(by("o", 1, create("o"), "m2"), std::nullopt, now);
    std::vector<std::string> sent{send(hub), send(hub), send(hub)};
    std::sort(sent.begin(), sent.end());
    EXPECT_EQ(sent, (std::vector<std::string>{"h#1", "o#1", "w#1"}));
    EXPECT_EQ(send(hub), "-");
    now = *hub.due(now);
    EXPECT_EQ(send(hub), "1#1") << "the probe is one owed POST, of another key each time";
    EXPECT_EQ(send(hub), "-");
    hub.retry(last, failed(errc::throttled, 1s), now); // says nothing about the namespace
    now += 3s;
    EXPECT_EQ(send(hub), "2#1");
    EXPECT_EQ(send(hub), "-");
    hub.retry(last, failed(code), now);
    EXPECT_GE(*hub.due(now), now + 1600ms);
    now = *hub.due(now);
    EXPECT_EQ(send(hub), "3#1");
    hub.finished(last, verdict::done, now);
    EXPECT_TRUE(hub.namespaces_open().empty());
    for (const char* expected : {"4#1", "0#1", "1#1", "2#1"})
      EXPECT_EQ(send(hub), expected);
  }
}

TEST_F(WriteQueue, RefusedContentWaitsAndChangedContentDoesNot) { // WR17
  queue.submit(by("s", 1, change("x", 5)), std::nullopt, now);
  EXPECT_EQ(send(), "s#1");
  queue.refused(last, now);
  EXPECT_EQ(queue.parked(), 1U);
  queue.submit(by("s", 2, change("x", 5, "8")), std::nullopt, now); // a new resourceVersion is no new content
  EXPECT_EQ(send(), "-");
  queue.submit(by("other", 1, change("y", 5)), std::nullopt, now);
  EXPECT_EQ(send(), "other#1");
  EXPECT_GE(*queue.due(now), now + 24s);
  EXPECT_LE(*queue.due(now), now + 30s);
  queue.submit(by("s", 3, change("x", 6)), 2, now);
  EXPECT_EQ(send(), "s#3");
  queue.retry(last, failed(errc::throttled), now);
  now += 1s;
  queue.submit(by("s", 4, change("x", 5)), 3, now);
  EXPECT_EQ(send(), "-") << "back to what was refused";
  std::chrono::nanoseconds longest = 30s;
  for (std::uint64_t ticket = 5; ticket < 11; ++ticket) {
    wait();
    EXPECT_NE(send(), "-");
    queue.refused(last, now);
    longest = std::min<std::chrono::nanoseconds>(longest * 2, 5min);
    queue.submit(by("s", ticket, change("x", 5)), std::nullopt, now);
    EXPECT_GE(*queue.due(now), now + longest * 4 / 5);
    EXPECT_LE(*queue.due(now), now + longest);
  }
  queue.submit(by("s", 11, change("x", 7)), 10, now);
  EXPECT_EQ(send(), "s#11");
  queue.finished(last, verdict::done, now);
  EXPECT_EQ(queue.parked(), 0U);
  queue.submit(by("s", 12, change("x", 5)), std::nullopt, now);
  EXPECT_EQ(send(), "s#12") << "it changed in between";
}

TEST_F(WriteQueue, ForgetsAParkedKeyThatNobodyWants) {
  queue.submit(by("s", 1, create("x")), std::nullopt, now);
  send();
  queue.refused(last, now);
  EXPECT_FALSE(queue.due(now));
  now += 330s;
  queue.due(now);
  EXPECT_EQ(queue.parked(), 0U);
}

TEST_F(WriteQueue, ParkedOwnerDoesNotHoldUpAnotherOfTheSameKey) {
  queue.submit(by("s1", 1, create("x", 1)), std::nullopt, now);
  send();
  queue.refused(last, now);
  queue.submit(by("s1", 2, create("x", 1)), std::nullopt, now);
  queue.submit(by("s2", 1, withdraw("x")), std::nullopt, now);
  EXPECT_EQ(send(), "s2#1");
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

TEST_F(WriteQueue, WhatIsAskedAgainAtOnceDoesNotLoopHot) { // WR01, WR15
  for (const verdict how : {verdict::conflict, verdict::already_exists, verdict::ambiguous}) {
    SCOPED_TRACE(to_string(how));
    write_queue looping({10000, 10000, 64}, 5);
    std::uint64_t sent = 0;
    for (tick end = now + 60s; now < end; now = std::max(now, *looping.due(now))) {
      looping.submit(by("s", ++sent, change("x")), std::nullopt, now);
      if (sent == 2) {
        EXPECT_EQ(looping.due(now), now) << "the first time again at once";
      }
      if (send(looping) != "-")
        looping.finished(last, how, now);
      looping.submit(by("s", ++sent, change("x")), std::nullopt, now);
    }
    EXPECT_LT(sent, 60U);
  }
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
