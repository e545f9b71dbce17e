#include "actors/await_signal.hpp"

#include <malloc.h>

namespace sliceferry {

int await_signal(const sigset_t& signals, const std::function<bool()>& is_ready, std::chrono::nanoseconds look_every) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(look_every);
  const timespec pause{seconds.count(), (look_every - seconds).count()};
  bool returned = false;
  bool was_ready = false;
  for (;;) {
    const int got = returned ? sigwaitinfo(&signals, nullptr) : sigtimedwait(&signals, nullptr, &pause);
    if (got > 0)
      return got;
    if (returned)
      continue; // a debugger stopped us for a moment
    const bool ready = is_ready();
    if (ready && was_ready) {
      malloc_trim(0);
      returned = true;
    }
    was_ready = ready;
  }
}

} // namespace sliceferry
