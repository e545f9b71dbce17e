#pragma once
#include "actors/core/uid_packer.hpp"
#include "actors/core/work.hpp"
#include "messages/clock.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

namespace sliceferry::core {

/// What the member's dispatcher knows of a slice that must wait.
struct wait_marks {
  work_rank rank = work_rank::create; ///< of the write that it is about, by what the clusters show
  bool refused = false;               ///< a server refused what is owed
  bool exported = false;              ///< its memory knows of an export on the hub

  bool operator==(const wait_marks&) const = default;
};

/// The slices of one member that something is owed for and that have no exporter, since as many are awake as may be.
///
/// Each slice waits at most once. Removals that news put off have the first turn. Then come removals that had an
/// exporter, which could not get on and gave up its place (`rest`); then changes that news put off, changes that
/// rested, creates in the same way, and last what was refused; but each fourth of these turns is for whoever has waited
/// longest, so that nobody starves. Equals go in order of arrival.
///
/// What rests has its turn once it has rested for `rest_for`. Before, it takes only a place that nobody else wants, and
/// no other exporter must give up its own for its sake: else places would change hands in a loop.
///
/// About 80 bytes a slice. All but `keep_if` and `ready` take constant time. No I/O; `now` never steps back.
class wake_queue {
public:
  static constexpr std::chrono::seconds rest_for{30};

  struct waiting {
    std::string slice_uid;
    wait_marks marks;
    tick since{}; ///< when the news that put it off came, or when it began to rest
  };

  /// How many wait, and of them how many are of which kind.
  struct counts {
    std::size_t all = 0;
    std::size_t owed = 0; ///< these three add up to `all`
    std::size_t withdrawing = 0;
    std::size_t refused = 0;
    std::size_t exported = 0; ///< any of these
  };

  /// How many may have others give up their places.
  struct turns {
    std::array<std::size_t, 3> by_rank{}; ///< in the order of `work_rank`, without those refused
    std::size_t all = 0;                  ///< with them
  };

  /// News: something is owed for the slice. If it waits already it keeps its place, unless it rests or now asks for
  /// another kind of write.
  void put(const std::string& slice_uid, const wait_marks& marks, tick since);
  /// Its exporter could not get on.
  void rest(const std::string& slice_uid, const wait_marks& marks, tick now);
  /// Nothing is owed any more, or it is awake. False: it didn't wait.
  bool remove(const std::string& slice_uid);
  /// Takes out whoever gets the next free place.
  std::optional<waiting> take(tick now);
  /// Takes out all of which this is not true.
  void keep_if(const std::function<bool(const std::string& slice_uid)>& is_kept);

  /// Counts no further than `at_most` in all, the most urgent first.
  turns ready(tick now, std::size_t at_most) const;
  bool contains(const std::string& slice_uid) const;
  bool empty() const { return slices_.empty(); }
  std::size_t size() const { return slices_.size(); }
  const counts& count() const { return counts_; }

private:
  struct entry {
    const packed_uuid* key = nullptr;
    entry* before = nullptr;
    entry* after = nullptr;
    tick since{};
    wait_marks marks;
    std::uint8_t line = 0;
  };
  struct line {
    entry* first = nullptr;
    entry* last = nullptr;
    std::size_t size = 0;
  };
  using slice_map = std::unordered_map<packed_uuid, entry, packed_uuid_hash>;

  entry* find(const std::string& slice_uid);
  void append(const std::string& slice_uid, std::size_t to, const wait_marks& marks, tick since);
  void drop(entry& gone);
  void unlink(entry& gone);
  void mark(entry& held, const wait_marks& marks);
  bool is_due(std::size_t at, tick now) const;
  entry* next(tick now);
  std::size_t count_due(std::size_t at, tick now, std::size_t at_most) const;

  uid_packer uids_;
  slice_map slices_;
  std::array<line, 9> lines_; ///< in the order of their turns
  counts counts_;
  unsigned picks_ = 0;
};

} // namespace sliceferry::core
