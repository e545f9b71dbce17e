#pragma once
#include "actors/journal/journal_options.hpp"
#include "actors/journal/journal_port.hpp"
#include "actors/journal/journal_status.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace sliceferry::journal {

/// The memory of a stream that an earlier run left behind.
struct recovered_stream {
  std::string slice_uid;
  object_key slice; ///< where the slice was found last
  core::memory held;
};

struct recovery_counts {
  std::uint64_t streams = 0;
  std::uint64_t records = 0; ///< of the log, folded onto the snapshot
  std::uint64_t skipped = 0; ///< streams that couldn't be read
  std::chrono::nanoseconds took{};
  std::string failure; ///< why it ended early; empty: it didn't
};

/// Both must be set. They are called on a thread of the journal's own, one call at a time; `done` once, and last.
struct recovery_hooks {
  std::function<void(const std::string& member, std::vector<recovered_stream> streams)> recovered;
  std::function<void(const recovery_counts&)> done;
};

/// The journal of a directory: an append log of all events, and a snapshot of what they add up to, in one LMDB file.
///
/// One process writes a directory; others may read beside it. `append` copies into a buffer, and one thread commits
/// what queued while its last commit ran. Where the disk fails, is full or doesn't answer within half a second the
/// journal is degraded: nobody waits for it, and of each stream that changes its newest memory is kept for later. When
/// the disk is back, these follow an `interruption`. What it finds damaged or foreign it sets aside and begins anew.
///
/// Positions handed out count from the start of the process; those in the file go on from the last run's.
class journal final : public journal_port {
public:
  /// Short: makes the directory, takes its lock and has the version looked up; the rest follows in the background, and
  /// what is appended meanwhile waits for it as for a slow disk. To be called before the process has other threads, as
  /// the file is examined by a forked child (whatever it holds, it can't harm the program).
  ///
  /// The text says why the program must not start: another one writes there, or a newer version has. A directory that
  /// can't be written is no such reason: the journal is degraded, and tried again.
  static std::variant<std::unique_ptr<journal>, std::string> open(journal_options options);
  /// As `stop`.
  ~journal() override;
  journal(const journal&) = delete;
  journal& operator=(const journal&) = delete;

  std::uint64_t append(const addition& made) override;
  std::uint64_t durable() const override;
  void when_durable(std::uint64_t position, std::function<void()> then) override;

  /// Tells what was known when the journal was opened, in the background; once. What was appended since isn't in it.
  void recover(recovery_hooks hooks);
  journal_status status() const;
  /// Begins a snapshot now, if none is under way, however few records it would cover.
  void snapshot_now();
  /// Time went on: becomes degraded if the disk owes an answer for too long. A thread of the journal's own does this.
  void review();
  /// From now on nobody is called: what waits in `when_durable`, and what `recover` was given, is dropped. Events are
  /// taken and written as before. To be called before those go who were to be called.
  void fall_silent();
  /// Falls silent, writes what waits, for at most two seconds, and lets go of the directory. What is appended later
  /// goes nowhere, and nobody need wait for anything: `durable` is the maximum.
  void stop();

private:
  class parts;
  explicit journal(std::shared_ptr<parts> made);

  std::shared_ptr<parts> parts_; ///< shared with threads that a hanging disk may hold for longer than we live
};

} // namespace sliceferry::journal
