#pragma once
#include "actors/core/leftover.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace sliceferry::core {

/// How suspected leftovers are proven: a few by reading each slice, many by one more consistent
/// list of the member's slices, which costs the API server less than many reads.
///
/// Only a list that began after it was asked for proves anything. Reads that failed are tried again.
class leftover_proof {
public:
  static constexpr std::size_t reads_max = 32;

  /// What to do now about what is suspected.
  struct plan {
    std::vector<leftover> read;
    bool relist = false;
  };

  plan add(std::vector<leftover> suspected) {
    if (suspected.size() + reading_ <= reads_max) {
      reading_ += suspected.size();
      return {std::move(suspected), false};
    }
    next_list_.insert(next_list_.end(), suspected.begin(), suspected.end());
    return {{}, must_relist()};
  }

  /// A read was answered, with the slice or with its absence.
  void answered() { --reading_; }

  /// A read failed and tells nothing.
  void failed(leftover suspect) {
    --reading_;
    unread_.push_back(std::move(suspect));
  }

  bool has_unread() const { return !unread_.empty(); }

  /// What to do about the reads that failed, after a while.
  plan try_again() { return add(std::exchange(unread_, {})); }

  /// A consistent list of the slices begins.
  void list_began() {
    asked_ = false;
    listed_.insert(listed_.end(), next_list_.begin(), next_list_.end());
    next_list_.clear();
  }

  /// It is complete: these suspects can be judged by what the table now knows.
  std::vector<leftover> list_done() { return std::exchange(listed_, {}); }

  /// True if a list must be asked for now: for what was suspected while one was under way, when that one is complete.
  bool must_relist() {
    const bool must = !asked_ && listed_.empty() && !next_list_.empty();
    asked_ = asked_ || must;
    return must;
  }

private:
  std::size_t reading_ = 0;
  std::vector<leftover> unread_;
  std::vector<leftover> next_list_; ///< wait for a list to begin
  std::vector<leftover> listed_;    ///< wait for the list at hand to end
  bool asked_ = false;              ///< for a list that has not begun yet
};

} // namespace sliceferry::core
