#include "test/storm/stage/interruption.hpp"

#include <csignal>
#include <poll.h>

namespace sliceferry::storm {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void note(int) {
  interrupted = 1;
}

} // namespace

void listen_for_interruption() {
  struct sigaction how {};
  how.sa_handler = note;
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(each, nullptr, &before);
    if (before.sa_handler != SIG_IGN) // nohup means it
      ::sigaction(each, &how, nullptr);
  }
  ::signal(SIGPIPE, SIG_IGN);
}

bool is_interrupted() {
  return interrupted != 0;
}

bool wait_unless_interrupted(std::chrono::milliseconds span) {
  // A signal ends poll at once.
  const auto until = std::chrono::steady_clock::now() + span;
  while (!is_interrupted()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0)
      return false;
    ::poll(nullptr, 0, static_cast<int>(left.count()));
  }
  return true;
}

} // namespace sliceferry::storm
