#include "actors/core/write_queue.hpp"

#include "test/core/write_queue_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::core {
namespace {

using namespace asking;

constexpr write_limits limits{200, 50, 16};

/// A writer's shell and its server in virtual time; checks the queue's laws at each step.
class storm {
public:
  /// How the server answers: nothing for success, else the failure.
  using server = std::function<std::optional<failure>(const attempt&, tick)>;

  storm(std::uint64_t seed, server answers) : random(seed), queue(limits, seed), answers_(std::move(answers)) {}

  std::string submit(const std::string& owner, command what, const std::string& member) {
    const std::uint64_t ticket = ++tickets_;
    const auto replaces = waiting_.count(owner) ? std::optional(waiting_[owner]) : std::nullopt;
    const auto end = queue.submit(by(owner, ticket, std::move(what), member), replaces, now);
    EXPECT_TRUE(end.accepted || (replaces && sent_.count(*replaces))) << "too late only for what was sent";
    if (!end.accepted) {
      wish_away(*replaces);
      return "too late";
    }
    EXPECT_EQ(end.superseded, replaces);
    if (end.superseded)
      revoked_.insert(*end.superseded);
    waiting_[owner] = ticket;
    return "";
  }

  void take_back(const std::string& owner, const std::string& member) {
    if (!waiting_.count(owner))
      return;
    if (!queue.take_back({{member, owner}, waiting_[owner]}, now))
      return wish_away(waiting_[owner]);
    revoked_.insert(waiting_[owner]);
    waiting_.erase(owner);
  }

  /// Runs until `end`, or until nothing is left to do.
  void run_until(tick end) {
    while (!::testing::Test::HasFatalFailure()) {
      send_all();
      const auto due = queue.due(now);
      const auto answer = flying.empty() ? std::nullopt : std::optional(flying.begin()->first);
      if (!due && !answer) {
        now = end;
        return;
      }
      const tick step = std::max(now, std::min(due.value_or(tick::max()), answer.value_or(tick::max())));
      if (step > end) {
        expect_nothing_before(due.value_or(tick::max()), end);
        now = end;
        return;
      }
      expect_nothing_before(due.value_or(tick::max()), step);
      now = step;
      if (due == now) {
        ASSERT_TRUE(send()) << "due says now";
      }
      if (answer == now)
        land();
    }
  }

  void expect_rate_kept() const {
    for (std::size_t from = 0; from < attempts.size(); from += 5)
      for (std::size_t to = from + limits.burst; to < attempts.size(); ++to)
        ASSERT_LE(static_cast<std::int64_t>(to - from + 1 - limits.burst) * 1'000'000'000,
                  (attempts[to] - attempts[from]).count() * limits.qps);
  }

  tick now = noon;
  jitter random;
  write_queue queue;
  std::multimap<tick, attempt> flying;
  std::vector<tick> attempts;       ///< writes and GETs
  std::map<std::string, tick> done; ///< owner → when its newest work was done
  std::map<std::string, tick> first_sent;

private:
  /// It came too late; of an attempt whose answer was lost only a GET will tell.
  void wish_away(std::uint64_t ticket) {
    for (const auto& [when, sent] : flying)
      if (sent.asked.ticket == ticket && !sent.read)
        wished_away_.insert(ticket);
  }

  void expect_nothing_before(tick due, tick next_news) {
    const tick before = std::min(due, next_news) - 1ns;
    if (before <= now)
      return;
    now = before;
    ASSERT_FALSE(queue.next(now)) << "before due";
  }

  bool send() {
    const auto sent = queue.next(now);
    if (!sent)
      return false;
    EXPECT_FALSE(revoked_.count(sent->asked.ticket)) << "revoked, yet sent";
    const work_key key = key_of(sent->asked);
    for (const auto& [when, other] : flying)
      EXPECT_FALSE(key_of(other.asked) == key) << "two in flight for a key";
    EXPECT_LE(queue.in_flight(), limits.concurrency);
    sent_.insert(sent->asked.ticket);
    first_sent.emplace(sent->asked.slice_uid, now);
    attempts.push_back(now);
    flying.emplace(now + 1ms + random.up_to(30ms), *sent);
    return true;
  }

  void send_all() {
    while (send())
      ;
    const auto due = queue.due(now);
    EXPECT_TRUE(!due || *due > now) << "nothing is left at this moment";
  }

  void land() {
    const attempt sent = flying.begin()->second;
    flying.erase(flying.begin());
    const work_id id = id_of(sent.asked);
    const auto why = answers_(sent, now);
    if (!why) {
      queue.finished(id, verdict::done, now);
      done[sent.asked.slice_uid] = now;
      waiting_.erase(sent.asked.slice_uid);
    } else if (why->code == errc::ambiguous || sent.read) {
      queue.read_later(id, *why, now);
    } else if (why->code == errc::invalid) {
      queue.refused(id, failed(errc::invalid), now);
      waiting_.erase(sent.asked.slice_uid);
    } else if (why->code == errc::conflict) {
      attempts.push_back(queue.reserve(now));
      queue.finished(id, verdict::conflict, now);
      waiting_.erase(sent.asked.slice_uid);
    } else {
      const bool ended = queue.retry(id, *why, now);
      EXPECT_EQ(ended, wished_away_.count(sent.asked.ticket) != 0) << "what nobody wants any more ends";
      sent_.erase(sent.asked.ticket); // surely not applied: revocable again
      if (ended) {
        revoked_.insert(sent.asked.ticket);
        waiting_.erase(sent.asked.slice_uid);
      }
    }
  }

  server answers_;
  std::uint64_t tickets_ = 0;
  std::map<std::string, std::uint64_t> waiting_; ///< owner → its ticket whose end is open
  std::set<std::uint64_t> revoked_;
  std::set<std::uint64_t> sent_;
  std::set<std::uint64_t> wished_away_; ///< while in flight
};

command any_command(jitter& random, const std::string& name) {
  const std::uint64_t digest = random.next() % 3;
  switch (random.next() % 6) {
    case 0:
      return withdraw(name);
    case 1:
      return change(name, digest);
    case 2:
      return annotate(name, static_cast<std::int64_t>(digest), random.next() % 4 == 0);
    case 3:
      return clear(name);
    default:
      return create(name, digest);
  }
}

TEST(WriteQueueLaws, HoldUnderAnyMixOfWishesAndFailures) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    jitter faults(seed * 977);
    const std::uint64_t sound = 1 + faults.next() % 100; // of a hundred answers
    storm run(seed, [&](const attempt&, tick) -> std::optional<failure> {
      if (faults.next() % 100 < sound)
        return std::nullopt;
      const errc codes[] = {
        errc::throttled, errc::unavailable, errc::unauthorized, errc::namespace_missing, errc::namespace_terminating,
        errc::invalid,   errc::ambiguous,   errc::conflict,     errc::forbidden};
      return failed(codes[faults.next() % 9],
                    faults.next() % 4 == 0 ? std::optional(std::chrono::seconds(faults.next() % 3)) : std::nullopt);
    });
    for (int step = 0; step < 400; ++step) {
      const std::string member = "m" + std::to_string(run.random.next() % 3);
      const std::string owner = member + "-s" + std::to_string(run.random.next() % 20);
      if (run.random.next() % 10 == 0)
        run.take_back(owner, member);
      else // few names, so that owners meet
        run.submit(owner, any_command(run.random, "x" + std::to_string(run.random.next() % 15)), member);
      run.run_until(run.now + run.random.up_to(run.random.next() % 20 == 0 ? 5s : 50ms));
      if (HasFatalFailure())
        return;
    }
    run.expect_rate_kept();
  }
}

TEST(WriteQueueLaws, EverythingIsSentOnceTheServerIsSound) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    struct row {
      const char* name;
      errc code;
      std::chrono::nanoseconds outage;
    };
    for (const auto& [name, code, outage] :
         {row{"server away, briefly", errc::unavailable, 2s},
          row{"server away for long (CR06)", errc::unavailable, 10min}, row{"answers lost", errc::ambiguous, 90s},
          row{"credentials", errc::unauthorized, 1min},
          row{"hub namespace missing (WR13)", errc::namespace_missing, 5min}}) {
      SCOPED_TRACE(name);
      const tick back = noon + outage;
      std::optional<tick> first_done;
      storm run(seed, [&](const attempt&, tick at) -> std::optional<failure> {
        if (at < back)
          return failed(code);
        first_done = first_done.value_or(at);
        return std::nullopt;
      });
      constexpr std::size_t owed = 600;
      for (std::size_t i = 0; i < owed; ++i)
        run.submit("s" + std::to_string(i), create("x" + std::to_string(i)), "m" + std::to_string(i % 3));
      run.run_until(back + 10min);
      ASSERT_EQ(run.done.size(), owed);
      ASSERT_TRUE(first_done);
      EXPECT_LE(*first_done, back + 4s + 30ms) << "the probes are no farther apart";
      tick last = back;
      for (const auto& [owner, when] : run.done)
        last = std::max(last, when);
      const tick open = code == errc::namespace_missing ? back + 4s + 30ms : *first_done; // three breakers
      EXPECT_LE(last, open + std::chrono::nanoseconds(1s) * owed / limits.qps + 5s);
      run.expect_rate_kept();
    }
  }
}

TEST(WriteQueueLaws, OutageCostsFewAttempts) {
  storm run(4, [](const attempt&, tick) -> std::optional<failure> { return failed(errc::unavailable); });
  for (int i = 0; i < 1000; ++i)
    run.submit("s" + std::to_string(i), create("x" + std::to_string(i)), "m1");
  run.run_until(noon + 10min);
  EXPECT_LT(run.attempts.size(), 16U + 2U + 600U * 5U / 16U);
}

TEST(WriteQueueLaws, NothingStarves) {
  // One member has far more to do than the other, and its withdrawals never end; one key is hopeless.
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    storm run(seed, [](const attempt& sent, tick) -> std::optional<failure> {
      return key_of(sent.asked).object.name == "hopeless" ? std::optional(failed(errc::forbidden)) : std::nullopt;
    });
    run.submit("hopeless", create("hopeless"), "big");
    for (int i = 0; i < 200; ++i)
      run.submit("c" + std::to_string(i), create("c" + std::to_string(i)), "big");
    int withdrawals = 0;
    for (int step = 0; step < 800; ++step) { // 10 ms each: two withdrawals for each token
      for (int i = 0; i < 4; ++i, ++withdrawals)
        run.submit("w" + std::to_string(withdrawals), withdraw("w" + std::to_string(withdrawals)), "big");
      if (step % 100 == 50)
        run.submit("small" + std::to_string(step), create("small" + std::to_string(step)), "small");
      const tick asked = run.now;
      run.run_until(run.now + 10ms);
      if (step % 100 == 50) {
        run.run_until(run.now + 10ms);
        ASSERT_TRUE(run.first_sent.count("small" + std::to_string(step))) << "a member's turn comes at once";
        EXPECT_LE(run.first_sent["small" + std::to_string(step)], asked + 40ms);
      }
    }
    for (int i = 0; i < 200; ++i)
      ASSERT_TRUE(run.done.count("c" + std::to_string(i))) << "a quarter of the turns goes to the oldest";
    EXPECT_LT(run.done["w0"], run.done["c20"]);
    run.expect_rate_kept();
  }
}

TEST(WriteQueueLaws, ChangingFasterThanTheServerStillArrives) {
  storm run(9, [](const attempt&, tick) { return std::optional<failure>(); });
  for (int i = 0; i < 400; ++i)
    run.submit("other" + std::to_string(i), create("o" + std::to_string(i)), "m1");
  for (std::uint64_t step = 0; step < 1000 && !run.first_sent.count("busy"); ++step) {
    run.submit("busy", create("x", step), "m1");
    run.run_until(run.now + 5ms);
  }
  EXPECT_TRUE(run.first_sent.count("busy"));
  EXPECT_LE(run.first_sent["busy"], noon + 400 * 5ms + 1s);
}

} // namespace
} // namespace sliceferry::core
