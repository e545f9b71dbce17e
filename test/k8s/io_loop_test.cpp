#include "k8s/io_loop.hpp"

#include "k8s/deadline.hpp"
#include "k8s/loop_core.hpp"
#include "test/k8s/client_fixture.hpp"

namespace sliceferry::k8s::test {

namespace {

TEST(IoLoop, RunsWorkInOrderOnOneThread) {
  io_loop loop;
  std::vector<int> seen;
  for (int i = 0; i < 100; ++i)
    loop.post([&seen, i] { seen.push_back(i); });
  on_loop(loop, [] {});
  ASSERT_EQ(seen.size(), 100U);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

TEST(IoLoop, ATimerRunsOnceUnlessItIsGone) {
  io_loop loop;
  std::promise<void> fired;
  int gone = 0;
  io_loop::timer kept;
  on_loop(loop, [&] {
    {
      const auto dropped = loop.after(1ms, [&] { ++gone; });
    }
    auto cancelled = loop.after(1ms, [&] { ++gone; });
    cancelled.cancel();
    auto replaced = loop.after(1ms, [&] { ++gone; });
    replaced = loop.after(0ms, [&] { ++gone; });
    replaced = {};
    kept = loop.after(20ms, [&] {
      kept = {}; // from within
      fired.set_value();
    });
  });
  ASSERT_EQ(fired.get_future().wait_for(patience), std::future_status::ready);
  EXPECT_EQ(gone, 0);
}

TEST(IoLoop, MayGoBeforeItsTimers) {
  auto loop = std::make_unique<io_loop>();
  auto timer = loop->after(1h, [] { FAIL(); });
  loop->stop();
  loop->stop();
  loop->post([] { FAIL(); });
  loop.reset();
  timer.cancel();
}

TEST(IoLoop, DropsWhatWaitsWhenItStops) {
  auto loop = std::make_unique<io_loop>();
  const auto core = loop->native().core; // as one keeps it who owns sockets
  std::promise<void> entered;
  std::promise<void> leave;
  loop->post([&] {
    entered.set_value();
    leave.get_future().wait();
  });
  entered.get_future().wait();
  const auto owned = std::make_shared<int>();
  std::promise<std::thread::id> freed;
  struct posts_when_dropped {
    io_loop& loop;
    std::promise<std::thread::id>& freed;
    ~posts_when_dropped() {
      loop.post([] { FAIL(); });
      freed.set_value(std::this_thread::get_id());
    }
  };
  loop->post([owned] { FAIL(); });
  loop->post([owned = std::make_shared<posts_when_dropped>(*loop, freed)] { FAIL(); });
  loop->stop();
  leave.set_value();
  loop.reset();
  EXPECT_EQ(freed.get_future().get(), core->thread_id);
  EXPECT_EQ(owned.use_count(), 1);
  core->post([owned] { FAIL(); });
  EXPECT_EQ(owned.use_count(), 1) << "after the end, too";
}

TEST(Deadline, MovesBothWays) {
  io_loop loop;
  auto& context = loop.native().core->context;
  std::promise<void> passed;
  int early = 0;
  std::optional<deadline> moved;
  std::optional<deadline> gone;
  on_loop(loop, [&] {
    moved.emplace(context, [&] {
      moved.reset(); // from within
      passed.set_value();
    });
    moved->set(1h);
    moved->set(5ms);
    moved->set(40ms);
    gone.emplace(context, [&] { ++early; });
    gone->set(1ms);
    gone->clear();
  });
  ASSERT_EQ(passed.get_future().wait_for(patience), std::future_status::ready);
  on_loop(loop, [&] { gone.reset(); });
  EXPECT_EQ(early, 0);
}

} // namespace

} // namespace sliceferry::k8s::test
