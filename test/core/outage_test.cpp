#include "test/core/write_queue_fixture.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace sliceferry::core {
namespace {

using namespace asking;

constexpr write_limits limits{};

/// Exporters, a writer's shell and a server in virtual time. Each exporter wants its newest content written.
class shipping {
public:
  /// Why the server refuses, or nothing.
  using server = std::function<std::optional<failure>(const attempt&, tick)>;

  shipping(std::uint64_t seed, server answers) : queue(limits, seed), random(seed), answers_(std::move(answers)) {}

  /// A change happens: the exporter owes one more version.
  void change_to(const std::string& owner, const std::string& member, const command& what) {
    auto& each = exporters_[owner];
    if (each.done == each.wanted)
      ++owed;
    ++each.wanted;
    each.member = member;
    each.what = what;
    const auto replaces = each.out;
    if (replaces && each.is_too_late)
      return;
    submit(owner, each, replaces);
  }

  /// Until that moment, or until nothing is left to happen.
  void run_until(tick end) {
    while (true) {
      while (const auto sent = queue.next(now))
        leave(*sent, now);
      after_each_pump();
      const auto due = queue.due(now);
      const tick step = std::min(due.value_or(tick::max()), flights.empty() ? tick::max() : flights.begin()->first);
      if (step > end || step == tick::max()) {
        now = std::max(now, end == tick::max() ? now : end);
        return;
      }
      now = std::max(now, step);
      while (!flights.empty() && flights.begin()->first <= now)
        land();
    }
  }

  /// N requests in any window of length t: N − burst fit into t at the rate. All windows at once, by the lowest
  /// beginning so far.
  void expect_rate_kept() const {
    constexpr std::int64_t second = 1'000'000'000;
    std::int64_t lowest = 0;
    for (std::size_t i = 0; i < sent_at.size(); ++i) {
      const std::int64_t passed = (sent_at[i] - sent_at[0]).count() * limits.qps;
      const std::int64_t spent = static_cast<std::int64_t>(i) * second - passed;
      lowest = std::min(lowest, spent);
      ASSERT_LE(spent - lowest, static_cast<std::int64_t>(limits.burst - 1) * second) << "request " << i;
    }
  }

  std::size_t sent_between(tick from, tick to) const {
    return static_cast<std::size_t>(
      std::ranges::count_if(sent_at, [&](tick when) { return when > from && when <= to; }));
  }

  tick now = noon;
  write_queue queue;
  jitter random;
  std::multimap<tick, attempt> flights;
  std::vector<tick> sent_at; ///< writes and GETs, in order of time
  std::size_t owed = 0;      ///< exporters whose newest version isn't written
  tick last_done{};
  std::size_t reads = 0;
  std::map<std::string, std::vector<tick>> attempts; ///< by owner, if `keeps_attempts`
  bool keeps_attempts = false;
  std::function<void()> after_each_pump = [] {};

private:
  struct exporter {
    std::string member;
    command what;
    std::uint64_t wanted = 0, done = 0, sent = 0;
    std::optional<std::uint64_t> out;
    bool is_too_late = false;
  };

  void submit(const std::string& owner, exporter& by_whom, std::optional<std::uint64_t> replaces) {
    const auto end = queue.submit({by_whom.member, owner, ++tickets_, by_whom.what}, replaces, now);
    by_whom.is_too_late = !end.accepted;
    if (!end.accepted)
      return;
    by_whom.out = tickets_;
    by_whom.sent = by_whom.wanted;
  }

  void leave(const attempt& what, tick when) {
    sent_at.insert(std::upper_bound(sent_at.begin(), sent_at.end(), when), when);
    reads += what.read ? 1 : 0;
    if (keeps_attempts)
      attempts[what.asked.slice_uid].push_back(when);
    flights.emplace(when + 5ms + random.up_to(20ms), what);
  }

  void land() {
    attempt sent = flights.begin()->second;
    flights.erase(flights.begin());
    const work_id id = id_of(sent.asked);
    const auto why = answers_(sent, now);
    if (!why && !sent.read)
      return end(id, verdict::done);
    if (!why) // The read shows that the write wasn't done: the exporter asks again.
      return end(id, verdict::ambiguous);
    if (sent.read)
      return queue.read_later(id, *why, now);
    if (why->code == errc::ambiguous) {
      sent.read = true;
      return leave(sent, queue.reserve(now));
    }
    if (why->code == errc::invalid || why->code == errc::quota || why->code == errc::forbidden) {
      queue.refused(id, *why, now);
      return ended(id, false);
    }
    if (queue.retry(id, *why, now))
      ended(id, false);
  }

  void end(const work_id& id, verdict how) {
    queue.finished(id, how, now);
    ended(id, how == verdict::done);
  }

  void ended(const work_id& id, bool is_done) {
    auto& each = exporters_.at(id.owner.slice_uid);
    each.out.reset();
    each.is_too_late = false;
    if (is_done)
      each.done = each.sent;
    if (each.done != each.wanted)
      return submit(id.owner.slice_uid, each, std::nullopt);
    --owed;
    last_done = now;
  }

  server answers_;
  std::unordered_map<std::string, exporter> exporters_;
  std::uint64_t tickets_ = 0;
};

command any_of(std::size_t i, std::uint64_t version) {
  const auto name = "x" + std::to_string(i);
  switch (i % 3) {
    case 0:
      return create(name, version);
    case 1:
      return change(name, version);
    default:
      return withdraw(name);
  }
}

struct outage {
  const char* name;
  errc code;
  std::optional<std::chrono::seconds> retry_after;
  std::chrono::nanoseconds length;
  std::chrono::nanoseconds probes_apart; ///< at least, on average, once it is known
};

const outage outages[] = {
  {"the hub is away", errc::unavailable, {}, 6h, 3200ms},
  {"the hub is away and its balancer says for how long", errc::unavailable, 1s, 1h, 3200ms},
  {"the hub answers nothing", errc::ambiguous, {}, 6h, 3200ms},
  {"the hub throttles everything", errc::throttled, {}, 1h, 1s},
  {"the hub throttles everything and says for how long", errc::throttled, 1s, 1h, 1s},
  {"our credentials are no good", errc::unauthorized, {}, 1h, 3200ms},
  {"the kind isn't served", errc::kind_missing, {}, 1h, 3200ms},
};

constexpr std::size_t changes = 50'000;

TEST(Outage, AllIsRightAsSoonAsTheRateAllows) {
  std::uint64_t seed = 0;
  for (const auto& [name, code, retry_after, length, probes_apart] : outages) {
    SCOPED_TRACE(name);
    const tick back = noon + length;
    shipping run(++seed, [&](const attempt&, tick at) {
      return at < back ? std::optional(failed(code, retry_after)) : std::nullopt;
    });
    for (std::size_t i = 0; i < changes; ++i) { // of 40,000 exports of five members, all through the outage
      run.run_until(noon + length / changes * static_cast<std::int64_t>(i));
      const std::size_t which = i % 40'000;
      run.change_to("s" + std::to_string(which), "m" + std::to_string(which % 5), any_of(which, i));
    }
    run.run_until(back);
    ASSERT_EQ(run.owed, 40'000U);
    EXPECT_LE(run.sent_between(noon + 10s, back), (length + probes_apart) / probes_apart + 2 * limits.concurrency);
    const auto reads_before = run.reads;
    run.run_until(tick::max());
    ASSERT_EQ(run.owed, 0U);
    const std::size_t reads = run.reads - reads_before;
    EXPECT_LE(reads, limits.concurrency + 5U) << "of all that an outage leaves open";
    EXPECT_LE(run.last_done, back + std::chrono::nanoseconds(1s) * (40'000 + reads) / limits.qps + 5s);
    run.expect_rate_kept();
  }
}

TEST(Outage, FiftyThousandAtOnceWithAllSentBefore) {
  // What was in flight as it began is unknown, and the bucket is empty as it ends.
  const tick gone = noon + 30s, back = gone + 90s;
  shipping run(77, [&](const attempt&, tick at) {
    return at >= gone && at < back ? std::optional(failed(errc::ambiguous)) : std::nullopt;
  });
  for (std::size_t i = 0; i < changes; ++i)
    run.change_to("s" + std::to_string(i), "m" + std::to_string(i % 5), any_of(i, 1));
  run.run_until(back);
  const std::size_t owed = run.owed, reads_before = run.reads;
  ASSERT_GT(owed, 40'000U);
  run.run_until(tick::max());
  ASSERT_EQ(run.owed, 0U);
  EXPECT_LE(run.last_done, back + std::chrono::nanoseconds(1s) * (owed + run.reads - reads_before) / limits.qps + 5s);
  run.expect_rate_kept();
}

TEST(Outage, OfOneNamespaceHoldsUpItsCreatesAlone) {
  for (const errc code : {errc::namespace_terminating, errc::namespace_missing}) {
    SCOPED_TRACE(to_string(code));
    const tick back = noon + 1h;
    shipping run(5, [&](const attempt& sent, tick at) {
      const bool is_hit = sent.asked.member == "m0" && rank_of(sent.asked.what) == work_rank::create;
      return at < back && is_hit ? std::optional(failed(code)) : std::nullopt;
    });
    constexpr std::size_t hit = changes / 5, others = changes - hit;
    for (std::size_t i = 0; i < changes; ++i)
      run.change_to("s" + std::to_string(i), "m" + std::to_string(i % 5),
                    i % 5 == 0 ? create("x" + std::to_string(i)) : any_of(i, 1));
    run.run_until(noon + std::chrono::nanoseconds(1s) * others / limits.qps + 5s);
    EXPECT_EQ(run.owed, hit) << "the others, whose namespaces are there, aren't held up";
    const tick settled = run.now;
    run.run_until(back);
    EXPECT_EQ(run.owed, hit);
    EXPECT_LE(run.sent_between(settled, back), (back - settled) / 3200ms + 1) << "one owed POST at a time";
    run.run_until(tick::max());
    ASSERT_EQ(run.owed, 0U);
    EXPECT_LE(run.last_done, back + std::chrono::nanoseconds(1s) * hit / limits.qps + 5s);
    run.expect_rate_kept();
  }
}

TEST(Outage, NoHopelessKeyHoldsUpAnother) {
  const errc ways[] = {errc::invalid, errc::quota, errc::forbidden, errc::expired};
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::set<std::string> waiting; // the sound ones that were not sent yet
    shipping run(seed, [&](const attempt& sent, tick) -> std::optional<failure> {
      const auto& [member, owner, ticket, what] = sent.asked;
      if (owner[0] != 'h')
        return std::nullopt;
      return failed(member == "m9" ? errc::namespace_terminating : ways[std::stoul(owner.substr(1)) / 4 % 4]);
    });
    run.keeps_attempts = true;
    token_bucket bucket(limits.qps, limits.burst);
    std::size_t counted = 0;
    run.after_each_pump = [&] {
      for (; counted < run.sent_at.size(); ++counted)
        ASSERT_TRUE(bucket.take(run.sent_at[counted]));
      std::erase_if(waiting, [&](const auto& owner) { return run.attempts.count(owner) != 0; });
      EXPECT_TRUE(waiting.empty() || bucket.ready_at() > run.now || run.flights.size() >= limits.concurrency)
        << *waiting.begin() << " waits, and not for the limiter";
    };
    for (std::size_t i = 0; i < 1000; ++i) {
      const auto name = std::to_string(i);
      if (i % 20 == 0)
        run.change_to("h" + name, "m9", create("h" + name));
      else if (i % 4 == 0)
        run.change_to("h" + name, "m1", change("h" + name));
      waiting.insert("s" + name);
      run.change_to("s" + name, "m" + std::to_string(i % 3), any_of(i, 1));
      run.run_until(run.now + 4ms);
    }
    run.run_until(run.now + 60s);
    EXPECT_TRUE(waiting.empty());
    for (const auto& [owner, when] : run.attempts)
      EXPECT_LE(when.size(), owner[0] == 'h' ? 20U : 1U) << owner;
  }
}

} // namespace
} // namespace sliceferry::core
