#include "test/core/write_queue_fixture.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace sliceferry::core {
namespace {

using namespace asking;
using namespace std::chrono_literals;

class WriteQueueTale : public WriteQueueTest {
protected:
  wish_tale only(const std::string& uid = "a") const {
    const auto tale = queue.tell_of({"m1", uid}, now);
    EXPECT_EQ(tale.wishes.size(), 1U);
    return tale.wishes.empty() ? wish_tale{} : tale.wishes.front();
  }

  failure because(errc code) const { return {code, "why", std::nullopt, 500}; }
};

TEST_F(WriteQueueTale, OfNobodyIsEmpty) {
  queue.submit(by("a", 1, create("x")), {}, now);
  EXPECT_TRUE(queue.tell_of({"m1", "b"}, now).wishes.empty());
  EXPECT_TRUE(queue.tell_of({"m2", "a"}, now).wishes.empty()) << "slices of cloned clusters share UIDs";
}

TEST_F(WriteQueueTale, FollowsAWishToItsEnd) {
  queue.submit(by("a", 1, create("x")), {}, now);
  now += 2s;
  EXPECT_EQ(only().is, wish_state::waiting);
  EXPECT_EQ(only().age, 2s);
  EXPECT_EQ(only().next_try, 0ns);
  EXPECT_EQ(only().last_error, std::nullopt);
  ASSERT_EQ(send(), "a#1");
  EXPECT_EQ(only().is, wish_state::in_flight);
  EXPECT_EQ(only().next_try, std::nullopt);
  queue.finished(last, verdict::done, now);
  EXPECT_TRUE(queue.tell_of({"m1", "a"}, now).wishes.empty());
}

TEST_F(WriteQueueTale, SaysWhatHoldsItUp) {
  const struct {
    const char* name;
    command what;
    errc why;
    unsigned times;
    wish_state is;
    unsigned failures;
  } table[] = {
    {"a failure of its own", change("x"), errc::malformed, 1, wish_state::backing_off, 1},
    {"and one more", change("x"), errc::malformed, 2, wish_state::backing_off, 2},
    {"its namespace", create("x"), errc::namespace_missing, 1, wish_state::behind_namespace, 0},
    {"its server", change("x"), errc::unavailable, 3, wish_state::behind_server, 0},
    {"credentials", change("x"), errc::unauthorized, 1, wish_state::behind_server, 0},
    {"a 429", change("x"), errc::throttled, 1, wish_state::throttled, 0},
  };
  for (const auto& [name, what, why, times, is, failures] : table) {
    SCOPED_TRACE(name);
    write_queue fresh{{200, 400, 64}, 1};
    fresh.submit(by("a", 1, what), {}, now);
    for (unsigned i = 0; i < times; ++i) {
      now = std::max(now, fresh.due(now).value_or(now));
      ASSERT_EQ(send(fresh), "a#1");
      fresh.retry(last, because(why), now);
    }
    const auto told = fresh.tell_of({"m1", "a"}, now).wishes.at(0);
    EXPECT_EQ(told.is, is) << to_string(told.is);
    EXPECT_EQ(told.failures, failures);
    EXPECT_EQ(told.last_error, because(why));
    ASSERT_TRUE(told.next_try);
    EXPECT_EQ(now + *told.next_try, fresh.due(now)) << "it is tried when the tale says";
  }
}

TEST_F(WriteQueueTale, OfARefusedContentSaysWhy) {
  queue.submit(by("a", 1, create("x", 5)), {}, now);
  ASSERT_EQ(send(), "a#1");
  queue.refused(last, because(errc::quota), now);
  EXPECT_TRUE(queue.tell_of({"m1", "a"}, now).wishes.empty());
  queue.submit(by("a", 2, create("x", 5)), {}, now);
  EXPECT_EQ(only().is, wish_state::parked);
  EXPECT_EQ(only().failures, 1U);
  EXPECT_EQ(only().last_error, because(errc::quota));
  ASSERT_TRUE(only().next_try);
  EXPECT_EQ(now + *only().next_try, queue.due(now));
  EXPECT_GT(*only().next_try, 20s);
  queue.submit(by("a", 3, create("x", 6)), 2, now);
  EXPECT_EQ(only().is, wish_state::waiting) << "other content isn't parked";
  EXPECT_EQ(only().next_try, 0ns);
}

TEST_F(WriteQueueTale, SaysWhatNobodyElseCanTake) {
  queue.submit(by("a", 1, change("x")), {}, now);
  ASSERT_EQ(send(), "a#1");
  queue.submit(by("a", 2, change("x", 2)), {}, now);
  const auto both = queue.tell_of({"m1", "a"}, now).wishes;
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].is, wish_state::in_flight);
  EXPECT_EQ(both[1].is, wish_state::waiting);
  EXPECT_EQ(both[1].next_try, std::nullopt) << "only once the first one has ended";
  queue.read_later(last, because(errc::ambiguous), now);
  EXPECT_TRUE(queue.tell_of({"m1", "a"}, now).wishes[0].only_reads);
}

TEST_F(WriteQueueTale, OfASixthNameIsThatItIsDelayed) {
  queue.submit(by("a", 1, annotate("x", 1, true)), {}, now);
  EXPECT_EQ(only().is, wish_state::delayed);
  ASSERT_TRUE(only().next_try);
  EXPECT_EQ(now + *only().next_try, queue.due(now));
}

TEST_F(WriteQueueTale, ForgetsAnErrorThatIsOver) {
  queue.submit(by("a", 1, change("x")), {}, now);
  ASSERT_EQ(send(), "a#1");
  queue.retry(last, because(errc::malformed), now);
  wait();
  ASSERT_EQ(send(), "a#1");
  queue.finished(last, verdict::done, now);
  queue.submit(by("a", 2, change("x")), {}, now);
  EXPECT_EQ(only().last_error, std::nullopt);
  EXPECT_EQ(only().failures, 0U);
}

} // namespace
} // namespace sliceferry::core
