#include "actors/await_signal.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include <malloc.h>
#include <unistd.h>

namespace sliceferry {
namespace {

constexpr std::chrono::milliseconds often{1};

/// SIGUSR1, which only `await_signal` takes.
sigset_t ours() {
  sigset_t out;
  sigemptyset(&out);
  sigaddset(&out, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &out, nullptr);
  return out;
}

TEST(AwaitSignal, LooksUntilTheProgramIsReadyTwiceInARow) {
  const auto signals = ours();
  const bool looks[] = {false, true, false, true, true};
  std::size_t looked = 0;
  const auto is_ready = [&] {
    const bool ready = looks[looked++];
    if (looked == std::size(looks))
      pthread_kill(pthread_self(), SIGUSR1);
    EXPECT_LE(looked, std::size(looks));
    return ready;
  };
  EXPECT_EQ(await_signal(signals, is_ready, often), SIGUSR1);
  EXPECT_EQ(looked, std::size(looks));
}

TEST(AwaitSignal, ReturnsASignalThatCameBefore) {
  const auto signals = ours();
  pthread_kill(pthread_self(), SIGUSR1);
  EXPECT_EQ(await_signal(signals, [] { return false; }), SIGUSR1);
}

#ifndef __SANITIZE_ADDRESS__ // whose allocator keeps other books
std::size_t resident_pages() {
  std::size_t pages = 0;
  std::ifstream{"/proc/self/statm"}.ignore(64, ' ') >> pages;
  return pages;
}

TEST(AwaitSignal, GivesBackWhatWasFreed) {
  constexpr std::size_t blocks = 64 * 1024, size = 1024;
  std::vector<std::unique_ptr<char[]>> held(blocks);
  for (auto& each : held)
    each = std::make_unique<char[]>(size);
  const auto last = std::move(held.back()); // what lies behind the free ones keeps them in the process
  const auto before = resident_pages();
  for (auto& each : held)
    each.reset();
  const auto signals = ours();
  const auto is_ready = [looks = 0]() mutable {
    if (++looks == 2)
      pthread_kill(pthread_self(), SIGUSR1);
    return true;
  };
  EXPECT_EQ(await_signal(signals, is_ready, often), SIGUSR1);
  EXPECT_LT(resident_pages() + blocks * size / 2 / 4096, before);
}
#endif

} // namespace
} // namespace sliceferry
