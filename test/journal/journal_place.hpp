#pragma once
#include "actors/journal/journal.hpp"

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::journal {

/// A directory that is gone with its owner.
class temporary_directory {
public:
  temporary_directory();
  ~temporary_directory();
  temporary_directory& operator=(temporary_directory&& other) noexcept {
    path_.swap(other.path_);
    return *this;
  }
  temporary_directory(temporary_directory&& other) noexcept : path_(std::exchange(other.path_, {})) {}

  const std::string& path() const { return path_; }
  std::string file() const { return path_ + "/journal.mdb"; }
  /// Names of all that is in it.
  std::vector<std::string> names() const;
  /// The first whose name holds this; empty if there is none.
  std::string name_with(const std::string& part) const;

private:
  std::string path_;
};

/// Time that tests move. The wall clock begins in 2026.
struct moved_clock {
  std::atomic<std::int64_t> steady_ns{1'000'000'000};
  std::atomic<std::int64_t> wall_ms{1'780'000'000'000};

  tick steady() const { return tick{std::chrono::nanoseconds{steady_ns.load()}}; }
  moment wall() const { return moment{std::chrono::milliseconds{wall_ms.load()}}; }
  void advance(std::chrono::nanoseconds by) { steady_ns += by.count(); }
};

/// One slice's stream, as its exporter would tell it: each step names the export anew.
class told_stream {
public:
  told_stream(std::string member, unsigned number);

  /// The next step is appended; returns its position.
  std::uint64_t tell(journal_port& to);
  /// The slice is gone; the stream is over.
  std::uint64_t end(journal_port& to);
  /// From a memory that was recovered.
  void go_on(core::memory held) {
    held_ = std::move(held);
    began_ = true;
  }
  const stream_id& whose() const { return whose_; }
  const core::memory& held() const { return held_; }
  bool began() const { return began_; }

private:
  std::uint64_t append(journal_port& to, const std::vector<event>& told);

  stream_id whose_;
  object_key slice_;
  core::memory held_;
  bool began_ = false;
};

/// Waits until `durable()` has reached the position; false if that takes suspiciously long.
bool wait_durable(journal_port& of, std::uint64_t position);
/// Waits until this holds, looking again and again; false if that takes suspiciously long.
bool wait_until(const std::function<bool()>& holds);

std::unique_ptr<journal> open_or_die(journal_options options);

using memories = std::map<stream_id, core::memory>;
/// What a journal recovers.
struct recovered {
  memories streams;
  recovery_counts counts;
};
recovered recover_all(journal& of);

/// All records in the file of a journal that is closed, in order; as LMDB reads them.
std::vector<journal_record> read_log(const std::string& directory);
/// Folds them all, from blank.
memories fold_all(const std::vector<journal_record>& log);

} // namespace sliceferry::journal
