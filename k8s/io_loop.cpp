#include "k8s/io_loop.hpp"

#include "k8s/loop_core.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <csignal>
#include <future>

namespace sliceferry::k8s {

namespace {

/// OpenSSL writes with `write(2)`, which answers a closed peer with SIGPIPE. All sockets live on
/// this thread, so it is enough to block the signal here and leave the process its own handling.
void block_sigpipe() {
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
}

void run(loop_core& core, std::promise<void> started) {
  block_sigpipe();
  core.thread_id = std::this_thread::get_id();
  started.set_value();
  const auto busy = boost::asio::make_work_guard(core.context);
  core.context.run();
  for (;;) {
    std::deque<std::function<void()>> dropped; // without the lock: what it owned may post in turn
    const std::lock_guard lock{core.guard};
    if (core.posted.empty()) {
      core.ended = true;
      core.changed.notify_all();
      return;
    }
    dropped.swap(core.posted);
  }
}

} // namespace

void loop_core::post(std::function<void()> work) {
  {
    const std::lock_guard lock{guard};
    if (ended)
      return;
    posted.push_back(std::move(work));
  }
  boost::asio::post(context, [this] {
    std::unique_lock lock{guard};
    const auto next = std::move(posted.front());
    posted.pop_front();
    lock.unlock();
    next();
  });
}

void loop_core::run_and_wait(const std::function<void()>& work) {
  if (on_loop())
    return work();
  bool done = false;
  post([this, &work, &done] {
    work();
    const std::lock_guard lock{guard};
    done = true;
    changed.notify_all();
  });
  std::unique_lock lock{guard};
  changed.wait(lock, [&] { return done || ended; });
  if (!done)
    work();
}

io_loop::io_loop() : impl_{std::make_unique<impl>()} {
  impl_->core = std::make_shared<loop_core>();
  std::promise<void> started;
  auto running = started.get_future();
  impl_->thread =
    std::thread{[core = impl_->core.get(), started = std::move(started)]() mutable { run(*core, std::move(started)); }};
  running.wait();
}

io_loop::~io_loop() {
  stop();
  impl_->thread.join();
}

void io_loop::post(std::function<void()> work) {
  impl_->core->post(std::move(work));
}

void io_loop::stop() {
  impl_->core->context.stop();
}

struct io_loop::timer::impl {
  struct pending {
    boost::asio::steady_timer clock;
    std::function<void()> work;
  };

  /// Before `waiting`: the clock's context must outlive the clock.
  std::shared_ptr<loop_core> core;
  std::shared_ptr<pending> waiting;
};

io_loop::timer::timer() = default;

io_loop::timer::~timer() {
  cancel();
}

io_loop::timer::timer(timer&&) noexcept = default;

io_loop::timer& io_loop::timer::operator=(timer&& other) noexcept {
  cancel();
  impl_ = std::move(other.impl_);
  return *this;
}

void io_loop::timer::cancel() {
  if (!impl_)
    return;
  // The expiry may be in the queue already, where the clock cannot reach it: hence the work goes too.
  impl_->waiting->work = nullptr;
  impl_->waiting->clock.cancel();
  impl_.reset();
}

io_loop::timer io_loop::after(std::chrono::milliseconds delay, std::function<void()> work) {
  auto waiting = std::make_shared<timer::impl::pending>(
    timer::impl::pending{boost::asio::steady_timer{impl_->core->context, delay}, std::move(work)});
  waiting->clock.async_wait([waiting](const boost::system::error_code& cancelled) {
    if (cancelled || !waiting->work)
      return;
    const auto due = std::exchange(waiting->work, nullptr);
    due();
  });
  timer out;
  out.impl_ = std::make_unique<timer::impl>(timer::impl{impl_->core, std::move(waiting)});
  return out;
}

} // namespace sliceferry::k8s
