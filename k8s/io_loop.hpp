#pragma once
#include <chrono>
#include <functional>
#include <memory>

namespace sliceferry::k8s {

/// The one thread on which all sockets and their timers live. What it runs may not block.
///
/// Everything in this folder that takes an `io_loop&` is confined to it: its callbacks run there,
/// and its methods may be called from there only unless they say otherwise.
class io_loop {
public:
  io_loop();
  ~io_loop(); ///< stops and joins
  io_loop(const io_loop&) = delete;
  io_loop& operator=(const io_loop&) = delete;

  /// Runs `work` on the loop; callable from any thread. Dropped once the loop has stopped.
  void post(std::function<void()> work);

  /// A pending call; destroying or cancelling it on the loop's thread prevents the call.
  class timer {
  public:
    timer();
    ~timer();
    timer(timer&&) noexcept;
    timer& operator=(timer&&) noexcept;
    void cancel();

  private:
    friend class io_loop;
    struct impl;
    std::unique_ptr<impl> impl_;
  };

  /// Runs `work` once after `delay`, unless the returned timer is gone by then.
  [[nodiscard]] timer after(std::chrono::milliseconds delay, std::function<void()> work);

  /// Ends the thread after the work at hand; callable from any other thread, more than once.
  void stop();

  struct impl;
  /// The executor behind it, for the files that own sockets.
  impl& native() { return *impl_; }

private:
  std::unique_ptr<impl> impl_;
};

} // namespace sliceferry::k8s
