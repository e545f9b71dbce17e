#include "actors/ending_signals.hpp"

#include <csignal>

namespace sliceferry {
namespace {

sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

} // namespace

void block_ending_signals() {
  const auto signals = ending_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

int await_ending_signal() {
  const auto signals = ending_signals();
  int got = 0;
  sigwait(&signals, &got);
  return got;
}

} // namespace sliceferry
