#pragma once
#include "k8s/io_loop.hpp"
#include "k8s/name_lookup.hpp"

#include <boost/asio/io_context.hpp>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace sliceferry::k8s {

/// The event loop itself, for the files of this folder that own sockets.
///
/// Shared, because a socket must not outlive its context, and who owns sockets may outlive the
/// `io_loop`. Whatever sits in the context itself must not own the core: that would be a cycle.
struct loop_core {
  /// Runs `work` on the loop, in turn. Once the loop has ended it is dropped, and so is what waits when it
  /// ends, on the loop's thread: a context gives its own queue up only with itself, which work that owns the
  /// core would prevent for ever.
  void post(std::function<void()> work);

  bool on_loop() const { return std::this_thread::get_id() == thread_id; }

  /// Runs `work` on the loop and waits for it; once the loop has ended, runs it right here.
  void run_and_wait(const std::function<void()>& work);

  std::thread::id thread_id;
  std::mutex guard;
  std::condition_variable changed;
  std::deque<std::function<void()>> posted; ///< under `guard`
  bool ended = false;                       ///< under `guard`: nothing runs on the loop any more

  // Last, since they may post until they are gone.
  boost::asio::io_context context{1};
  name_lookup names;
};

struct io_loop::impl {
  std::shared_ptr<loop_core> core;
  std::thread thread;
};

} // namespace sliceferry::k8s
