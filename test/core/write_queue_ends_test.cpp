#include "actors/core/write_queue.hpp"

#include "test/core/write_queue_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

using namespace asking;

using WriteQueueEnds = WriteQueueTest;

TEST_F(WriteQueueEnds, Throttled) { // HT10, WR30
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

TEST_F(WriteQueueEnds, ServerAwayLeavesOneProbeAtATime) {
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
    away.refused(last, failed(errc::invalid), now); // an answer, too
    EXPECT_FALSE(away.server_open());
    for (int i = 0; i < 5; ++i)
      EXPECT_NE(send(away), "-") << "CR06: back-offs are gone with the outage";
  }
}

TEST_F(WriteQueueEnds, OneFlawedConnectionHoldsUpOnlyItsKey) {
  queue.submit(by("s1", 1, create("x1")), std::nullopt, now);
  EXPECT_EQ(send(), "s1#1");
  queue.retry(last, failed(errc::unavailable, 1s), now);
  queue.submit(by("s2", 1, create("x2")), std::nullopt, now);
  EXPECT_EQ(send(), "s2#1");
  queue.finished(last, verdict::done, now);
  EXPECT_EQ(send(), "-");
  EXPECT_GE(*queue.due(now), now + 1s);
}

TEST_F(WriteQueueEnds, OutageForgetsTheWaitsThatBeganBeforeItWasKnown) { // CR06
  for (const char* uid : {"s1", "s2", "s3"})
    queue.submit(by(uid, 1, create(uid)), std::nullopt, now);
  for (int i = 0; i < 2; ++i) {
    send();
    queue.retry(last, failed(errc::unavailable, 60s), now);
  }
  EXPECT_FALSE(queue.server_open());
  send();
  queue.retry(last, failed(errc::unavailable), now);
  EXPECT_TRUE(queue.server_open());
  wait();
  EXPECT_NE(send(), "-");
  queue.finished(last, verdict::done, now);
  EXPECT_NE(send(), "-");
  EXPECT_NE(send(), "-");
  EXPECT_LT(now, noon + 2s);
}

TEST_F(WriteQueueEnds, MissingNamespaceHoldsUpCreatesInItAlone) { // WR12, WR13
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

TEST_F(WriteQueueEnds, WhatWasWishedAwayTooLateIsNotSentAgain) {
  const struct {
    const char* name;
    errc code;
    bool ends; ///< without: it is only known that it may have been done
  } table[] = {
    {"server away", errc::unavailable, true},  {"throttled", errc::throttled, true},
    {"credentials", errc::unauthorized, true}, {"hub namespace missing", errc::namespace_missing, true},
    {"answer lost", errc::ambiguous, false},
  };
  for (const auto& [name, code, ends] : table)
    for (const bool replaced : {false, true}) {
      SCOPED_TRACE(std::string{name} + (replaced ? ", replaced" : ", taken back"));
      write_queue hub({200, 400, 64}, 5);
      hub.submit(by("s", 1, create("x")), std::nullopt, now);
      EXPECT_EQ(send(hub), "s#1");
      if (replaced)
        EXPECT_FALSE(hub.submit(by("s", 2, create("x", 2)), 1, now).accepted);
      else
        EXPECT_FALSE(hub.take_back({{"m1", "s"}, 1}, now));
      if (ends) {
        EXPECT_TRUE(hub.retry(last, failed(code), now)) << "its end is known";
        now += 1min;
        EXPECT_EQ(send(hub), "-");
        hub.submit(by("s", 3, create("x", 3)), std::nullopt, now);
        EXPECT_EQ(send(hub), "s#3") << "the server's state was noted, and probed by what is wanted";
        EXPECT_FALSE(hub.retry(last, failed(code), now)) << "nobody wished this one away";
      } else {
        hub.read_later(last, failed(code), now);
        now += 1min;
        EXPECT_EQ(send(hub), "s#1?");
      }
    }
}

TEST_F(WriteQueueEnds, WhatAFormerExporterHasInFlightGivesWayToANewWish) {
  queue.submit(by("s", 1, withdraw("x")), std::nullopt, now);
  EXPECT_EQ(send(), "s#1");
  const work_id former = last;
  queue.submit(by("s", 2, annotate("s")), std::nullopt, now);
  EXPECT_EQ(send(), "s#2");
  EXPECT_TRUE(queue.retry(former, failed(errc::throttled), now));
  EXPECT_FALSE(queue.retry(last, failed(errc::throttled), now));
}

TEST_F(WriteQueueEnds, RefusedContentWaitsAndChangedContentDoesNot) { // WR17
  queue.submit(by("s", 1, change("x", 5)), std::nullopt, now);
  EXPECT_EQ(send(), "s#1");
  queue.refused(last, failed(errc::invalid), now);
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
    queue.refused(last, failed(errc::invalid), now);
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

TEST_F(WriteQueueEnds, MissingRightIsTriedSoonAndComesBackForAll) {
  for (const auto* name : {"a", "b", "c"}) {
    queue.submit(by(name, 1, create(name)), std::nullopt, now);
    send();
    queue.refused(last, failed(errc::forbidden), now);
    queue.submit(by(name, 2, create(name)), std::nullopt, now);
  }
  queue.submit(by("d", 1, create("d"), "m2"), std::nullopt, now);
  send();
  queue.refused(last, failed(errc::forbidden), now);
  queue.submit(by("d", 2, create("d"), "m2"), std::nullopt, now);
  EXPECT_EQ(send(), "-");
  EXPECT_LE(*queue.due(now), now + 1s) << "an API server that has just started may have no roles yet";
  queue.submit(by("e", 1, withdraw("e")), std::nullopt, now);
  EXPECT_EQ(send(), "e#1");
  queue.finished(last, verdict::done, now);
  EXPECT_EQ(send(), "-") << "the right to delete proves no right to create";
  queue.submit(by("f", 1, create("f")), std::nullopt, now);
  EXPECT_EQ(send(), "f#1");
  queue.finished(last, verdict::done, now);
  std::set<std::string> freed{send(), send(), send()};
  EXPECT_EQ(freed, (std::set<std::string>{"a#2", "b#2", "c#2"}));
  EXPECT_EQ(send(), "-") << "another member's right is another one";
}

TEST_F(WriteQueueEnds, RefusalsOfAnotherKindCountAnew) {
  queue.submit(by("s", 1, create("x")), std::nullopt, now);
  for (int i = 0; i < 6; ++i) { // a right is missing for a while
    ASSERT_NE(send(), "-") << i;
    queue.refused(last, failed(errc::forbidden), now);
    queue.submit(by("s", static_cast<std::uint64_t>(i) + 2, create("x")), std::nullopt, now);
    now += 64s;
  }
  ASSERT_NE(send(), "-");
  queue.refused(last, failed(errc::quota), now);
  queue.submit(by("s", 9, create("x")), std::nullopt, now);
  now += 30s;
  EXPECT_NE(send(), "-") << "the first time that its content is refused";
}

TEST_F(WriteQueueEnds, RightThatOneKeyAloneLacksIsNotTriedWithEachSuccessOfOthers) {
  std::uint64_t ticket = 0, refusals = 0, others = 0;
  queue.submit(by("s", ++ticket, change("x")), std::nullopt, now);
  for (const tick end = now + 60s; now < end; now += 100ms) {
    ++ticket;
    queue.submit(by("other", ticket, change("y", ticket)), std::nullopt, now);
    while (send() != "-") {
      if (last.owner.slice_uid == "s") {
        ++refusals;
        queue.refused(last, failed(errc::forbidden), now);
        queue.submit(by("s", ++ticket, change("x")), std::nullopt, now);
      } else {
        ++others;
        queue.finished(last, verdict::done, now);
      }
    }
  }
  EXPECT_EQ(others, 600U);
  EXPECT_LE(refusals, 8U);
}

TEST_F(WriteQueueEnds, ForgetsAParkedKeyThatNobodyWants) {
  queue.submit(by("s", 1, create("x")), std::nullopt, now);
  send();
  queue.refused(last, failed(errc::invalid), now);
  EXPECT_FALSE(queue.due(now));
  now += 330s;
  queue.due(now);
  EXPECT_EQ(queue.parked(), 0U);
}

TEST_F(WriteQueueEnds, ParkedOwnerDoesNotHoldUpAnotherOfTheSameKey) {
  queue.submit(by("s1", 1, create("x", 1)), std::nullopt, now);
  send();
  queue.refused(last, failed(errc::invalid), now);
  queue.submit(by("s1", 2, create("x", 1)), std::nullopt, now);
  queue.submit(by("s2", 1, withdraw("x")), std::nullopt, now);
  EXPECT_EQ(send(), "s2#1");
}

TEST_F(WriteQueueEnds, WhatIsAskedAgainAtOnceDoesNotLoopHot) { // WR01, WR15
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

TEST_F(WriteQueueEnds, RemembersForAMinuteWhatWentWithItsNamespaceOrKind) {
  struct row {
    errc why;
    bool own;
    bool others;
  };
  for (const auto& [why, own, others] : {row{errc::namespace_missing, true, false},
                                         {errc::namespace_terminating, true, false},
                                         {errc::kind_missing, true, true},
                                         {errc::unavailable, false, false}}) {
    write_queue subject(write_limits{}, 1);
    subject.submit(by("s", 1, create("x")), std::nullopt, now);
    const auto sent = subject.next(now);
    ASSERT_TRUE(sent);
    const auto member = sent->asked.member;
    subject.retry(id_of(sent->asked), {why, "", {}, 0}, now);
    EXPECT_EQ(subject.was_uprooted(member, now + 59s), own) << to_string(why);
    EXPECT_EQ(subject.was_uprooted("another", now + 59s), others) << to_string(why);
    EXPECT_FALSE(subject.was_uprooted(member, now + 60s)) << to_string(why);
  }
}

} // namespace
} // namespace sliceferry::core
