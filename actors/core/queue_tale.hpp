#pragma once
#include "messages/command.hpp"
#include "messages/failure.hpp"

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

namespace sliceferry::core {

/// How a wish of one slice stands in a writer.
enum class wish_state {
  in_flight,        ///< sent, the answer is awaited
  waiting,          ///< it goes when its turn comes and the rate allows it
  backing_off,      ///< it failed, and time may heal that
  parked,           ///< its server refused this very content
  delayed,          ///< something fights us over its object
  behind_server,    ///< the server is away: one probe at a time finds out when it is back
  behind_namespace, ///< the hub namespace is missing or terminating: the same
  throttled,        ///< the server asked everybody to slow down
  behind_journal,   ///< what led to it isn't durable yet; no queue holds it so far
};

std::string_view to_string(wish_state is);

/// What a writer has to say of one command.
struct wish_tale {
  command what;
  wish_state is = wish_state::waiting;
  bool only_reads = false;        ///< an earlier answer was lost: what leaves next is a GET
  unsigned failures = 0;          ///< of its key, in a row; for `parked` how often this content was refused
  std::chrono::nanoseconds age{}; ///< since it was first asked for
  std::optional<std::chrono::nanoseconds> next_try; ///< from now on at the earliest; nothing while it is in flight or
                                                    ///< while only the end of a probe can tell
  std::optional<failure> last_error;                ///< of its key, or of what it is behind

  bool operator==(const wish_tale&) const = default;
};

/// What a writer knows of one slice: what waits and what is in flight, in order of asking. A slice has at most one that
/// waits; those that were sent and can't be taken back come on top.
struct queue_tale {
  std::vector<wish_tale> wishes;

  bool operator==(const queue_tale&) const = default;
};

} // namespace sliceferry::core
