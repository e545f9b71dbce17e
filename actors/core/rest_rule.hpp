#pragma once
#include "actors/core/wake_queue.hpp"
#include "messages/clock.hpp"

#include <string>
#include <vector>

namespace sliceferry::core {

/// An exporter that holds a place and can't get on.
struct stuck_exporter {
  std::string slice_uid;
  tick until{};                       ///< not before then, as far as is known
  tick moved{};                       ///< when it woke, or its last command ended
  work_rank rank = work_rank::create; ///< as `wait_marks`
};

/// Who is asked to give up its place for `waiting`, when all are taken: at most so many as wait.
///
/// Whoever is about something less urgent than what waits; else only those that have long to wait yet, or have long
/// held their place without getting on: while a server is away all are stuck, and a change of places helps nobody.
std::vector<std::string> choose_to_rest(std::vector<stuck_exporter> stuck, const wake_queue::turns& waiting, tick now);

} // namespace sliceferry::core
