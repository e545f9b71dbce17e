#pragma once
#include "messages/clock.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace sliceferry::core {

/// From when on it is no accident that exports are undone.
struct hands_limits {
  std::size_t exports = 5;
  std::chrono::nanoseconds window = std::chrono::minutes(10);
};

/// Counts how somebody else undoes one member's exports: changes what we had put right, or removes it. Two agents for
/// one member, or two members of one name, would write against each other for ever (pitfalls MC10, MC13).
///
/// Undone once each is a restored backup or one `kubectl delete` and no cause for alarm. Bounded: beyond `names_max`
/// exports no more are watched, beyond `managers_max` managers no more are told apart. No I/O; `now` never steps back.
class foreign_hands {
public:
  static constexpr std::size_t names_max = 10'000;
  static constexpr std::size_t managers_max = 8;

  explicit foreign_hands(hands_limits limits = {}) : limits_(limits) {}

  /// The export was changed by `manager` (who wrote its `spec` last, empty if unknown) or removed (empty: a DELETE
  /// names nobody).
  void undone(const std::string& export_name, const std::string& manager, tick now);
  /// What was undone so far was no hand: the hub itself went back to what it was.
  void forgive();
  /// How often lately, 0 for never: each within the window of the one before. The export's writes are delayed by it.
  unsigned times(const std::string& export_name) const;
  /// More than `exports` exports were undone at least twice within the window. Ends at a `review`.
  bool alarmed() const { return repeated_ > limits_.exports; }
  /// No export was undone lately.
  bool is_quiet() const { return names_.empty(); }
  /// Some export was undone at least twice within the window.
  bool is_repeated() const { return repeated_ != 0; }
  /// Forgets the exports that were not undone within the window and returns their names: their delay ends.
  std::vector<std::string> review(tick now);
  /// One sentence for people: how many exports, and by whom; empty if none was undone lately.
  std::string text() const;

private:
  struct record {
    unsigned times = 0;
    tick last{};
    tick before{}; ///< the one before `last`, if `times` is at least two
    bool is_repeated = false;
  };
  struct hand {
    std::string manager;
    unsigned times = 0;
    tick last{};
  };

  void mark(record& of, tick now);
  void mark_all(tick now);
  hand& hand_of(const std::string& manager);

  hands_limits limits_;
  std::unordered_map<std::string, record> names_;
  std::vector<hand> hands_; ///< at most `managers_max` that are told apart
  hand others_;
  std::size_t repeated_ = 0; ///< exports so marked
};

} // namespace sliceferry::core
