#pragma once
#include "actors/journal/journal_options.hpp"
#include "actors/journal/journal_store.hpp"
#include "actors/journal/stream_chunks.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace sliceferry::journal {

/// How much is kept.
struct retention_rule {
  std::chrono::milliseconds history{};
  std::uint64_t bytes_max = 0;
};

/// A snapshot is worth its price once half as many records as it has streams aren't in it (and a hundred thousand at
/// least), or where the file is nearly full and a good part of it would become free.
bool wants_snapshot(const store_figures& now, const retention_rule& rule);
/// The oldest record may go, and must: `age` is its own, nothing if it can't be told.
bool wants_trim(const store_figures& now, const retention_rule& rule, std::optional<std::chrono::milliseconds> age);

/// What is done for the journal's file besides appending to it: makes snapshots and drops what they cover, in steps
/// that each ride with a commit and take a millisecond or so. Used by the writer's thread.
///
/// A snapshot in the making counts for nothing before its last step: ended anywhere, it is emptied and begun again. All
/// records that it doesn't cover stay.
class upkeep {
public:
  /// `ready` is called, on another thread, when `has_step` may have become true.
  upkeep(std::shared_ptr<journal_store> store, const journal_options& options, std::function<void()> ready);

  /// A snapshot shall be begun however little it would cover.
  void request() { requested_ = true; }
  /// While held, no snapshot is completed and nothing is removed: somebody reads.
  void hold(bool held) { held_ = held; }
  /// Looks whether something is due.
  void look();
  bool has_step() const;
  /// Does one step within the store's open transaction, to which so many records were added: so that the file doesn't
  /// grow, more than they are removed.
  lmdb::failure step(std::size_t added);
  /// The step was committed, or wasn't.
  void committed();
  void undone() { stepped_ = stepping::nothing; }
  /// What was under way is given up: the file is closed.
  void drop();

  bool under_way() const { return chunks_ != nullptr; }
  std::uint64_t snapshots() const { return snapshots_; }
  std::chrono::nanoseconds snapshot_took() const { return took_; }

private:
  enum class stepping { nothing, kept, flipped }; ///< what the open transaction did with a chunk

  void begin_snapshot();
  bool has_chunk() const;
  bool empties() const;
  std::optional<std::chrono::milliseconds> age() const;

  const std::shared_ptr<journal_store> store_;
  const std::function<void()> ready_;
  const std::function<moment()> now_;
  const std::function<tick()> steady_;
  const retention_rule rule_;
  std::unique_ptr<stream_chunks> chunks_;
  stepping stepped_ = stepping::nothing;
  bool requested_ = false;
  bool held_ = false;
  bool trims_ = false;
  tick snapshot_at_{}; ///< not before
  tick age_at_{};      ///< of the next look at the oldest record
  tick began_{};
  std::uint64_t snapshots_ = 0;
  std::chrono::nanoseconds took_{};
};

} // namespace sliceferry::journal
