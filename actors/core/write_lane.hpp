#pragma once
#include "actors/core/breaker.hpp"
#include "actors/core/write_entry.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace sliceferry::core {

/// What one member has to write, at most one entry per key: those that may leave, by rank and
/// order, and those that must wait, by time. Holds the breaker of the member's hub namespace,
/// which lets changes and withdrawals pass: only creates need the namespace to be there.
class write_lane {
public:
  explicit write_lane(std::uint64_t seed) : creates(1, seed) {}

  void add(write_entry& entry, tick due, tick now);
  void remove(write_entry& entry);

  /// The earliest moment at which `pick` finds something.
  std::optional<tick> wake() const;

  /// Removes what goes next; nothing before `wake`. By rank, but each fourth time the one that has
  /// waited longest, so that a stream of urgent work starves nobody. What a lost answer left open goes before
  /// everything; as a `probe` always, lest each probe of a server that answers nothing leave one more open.
  write_entry* pick(tick now, bool probe = false);

  /// Shows those that wait for time, latest first, then those that the breakers alone hold up, oldest first, until
  /// `more` is false. Without what a lost answer left open.
  void show_held_up(bool server_open, const std::function<bool(const write_entry&)>& more) const;

  breaker creates;

private:
  struct queue {
    std::map<std::uint64_t, write_entry*> ready;
    std::map<std::pair<tick, std::uint64_t>, write_entry*> delayed;
  };

  queue& queue_of(const write_entry& entry);
  std::optional<tick> wake(std::size_t at) const;

  std::array<queue, 4> queues_; ///< what a lost answer left open, then by rank
  unsigned picks_ = 0;
};

} // namespace sliceferry::core
