#pragma once
#include "actors/journal/append_queue.hpp"
#include "actors/journal/journal_layout.hpp"
#include "actors/journal/lmdb_environment.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::journal {

/// What is known of the file without looking.
struct store_figures {
  std::uint64_t first = 1; ///< position of the oldest record; `last` + 1 if there is none
  std::uint64_t last = 0;
  std::optional<layout::snapshot_mark> snapshot;
  std::uint64_t snapshot_streams = 0;
  std::uint64_t spare_streams = 0; ///< in the other database: a snapshot in the making, or one to be emptied
  std::uint64_t log_bytes = 0;
  std::uint64_t bytes_used = 0;

  std::uint64_t covered() const { return snapshot ? snapshot->covers : 0; }
  unsigned spare() const { return snapshot && snapshot->which == 0 ? 1 : 0; }
};

/// Where the parts of an open file are, for whoever reads it.
struct store_parts {
  lmdb::database meta = 0;
  lmdb::database log = 0;
  lmdb::database snapshots[2] = {0, 0};
};

/// The journal's file. One thread writes; others read in short transactions of their own while they hold `reading`.
class journal_store {
public:
  struct settings {
    std::string path;
    std::uint64_t map_bytes = 0;
    bool relaxed = false;
  };
  explicit journal_store(settings how) : how_(std::move(how)) {}

  /// Of an absent file it makes a new one. Waits for those who read. `reserve`: how much more than usual the map takes.
  lmdb::failure open(std::uint64_t reserve = 0);
  void close();
  bool is_open() const { return environment_.is_open(); }
  lmdb::failure sync() { return environment_.sync(); }

  // One transaction: `begin`, whatever it shall do, `commit`. If anything fails, `abandon`, and nothing has happened.
  lmdb::failure begin();
  lmdb::failure append(const record_batch& records);
  /// Adds a stream to the snapshot in the making; in the order of keys.
  lmdb::failure keep(std::string_view key, std::string_view memory);
  /// What was made is the snapshot now, and knows all records up to here.
  lmdb::failure flip(std::uint64_t covers);
  /// Removes up to `count` streams of the spare snapshot; none are left if `spare_streams` says so after the commit.
  lmdb::failure empty_spare(std::size_t count);
  /// Removes up to `count` of the oldest records, none that the snapshot doesn't cover.
  lmdb::failure trim(std::size_t count);
  /// Removes up to `count` of the newest records, but none before `first_bad`. Each is handed to `see` before.
  lmdb::failure cut(std::uint64_t first_bad, std::size_t count, std::string& removed);
  lmdb::failure commit();
  void abandon();

  const store_figures& figures() const { return figures_; }
  /// As they will be once the transaction is committed; of its records, at least.
  const store_figures& coming() const { return next_; }
  /// When the oldest record was written, if there is one that can be read.
  std::optional<moment> oldest();

  // For readers on other threads.

  /// To be held while a transaction of one's own is open.
  std::shared_lock<std::shared_mutex> reading() const { return std::shared_lock(use_); }
  /// These are good for as long as `reading` is held, and only if the file is open.
  const lmdb::environment& environment() const { return environment_; }
  const store_parts& parts() const { return parts_; }
  /// Another one means another file.
  std::uint64_t generation() const { return generation_.load(); }
  /// The file is about to be put aside.
  void begin_anew() { ++generation_; }
  void forget_pages() { environment_.forget_pages(); }

private:
  lmdb::failure prepare();
  lmdb::failure measure(lmdb::transaction& in, store_figures& out) const;

  const settings how_;
  mutable std::shared_mutex use_; ///< exclusive to open and close
  lmdb::environment environment_;
  store_parts parts_;
  lmdb::transaction writing_;
  store_figures figures_;
  store_figures next_; ///< once `writing_` is committed
  std::atomic<std::uint64_t> generation_{1};
};

} // namespace sliceferry::journal
