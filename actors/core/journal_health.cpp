#include "actors/core/journal_health.hpp"

#include <utility>

namespace sliceferry::core {

const char* name_of(journal_state state) {
  switch (state) {
    case journal_state::opening:
      return "opening";
    case journal_state::healthy:
      return "healthy";
    case journal_state::degraded:
      return "degraded";
  }
  return "";
}

void journal_health::opened(tick now) {
  if (state_ == journal_state::opening)
    enter(journal_state::healthy, now);
}

void journal_health::failed(std::string why, tick now) {
  give_up(std::move(why), now);
  retry_at_ = now + retries_.shortened(longest_wait(retry_limits, ++failures_));
}

void journal_health::give_up(std::string why, tick now) {
  why_ = std::move(why);
  if (is_degraded())
    return;
  ++degradations_;
  enter(journal_state::degraded, now);
}

void journal_health::healed(tick now) {
  why_.clear();
  failures_ = 0;
  enter(journal_state::healthy, now);
}

bool journal_health::review(std::optional<tick> oldest, tick now) {
  if (is_degraded() || !oldest || now - *oldest < answer_within)
    return false;
  give_up(state_ == journal_state::opening ? "the journal is still being examined" : "the disk doesn't answer", now);
  return true;
}

void journal_health::enter(journal_state next, tick now) {
  state_ = next;
  since_ = now;
}

} // namespace sliceferry::core
