#pragma once
#include <atomic>
#include <cstdint>

namespace sliceferry::storm {

inline constexpr const char* disk_control_variable = "STORM_DISK_CONTROL"; ///< names the control file to the shim

/// Where a commit of LMDB can be cut: it writes its pages, syncs them, then writes the meta page that makes them count.
enum class commit_step : std::uint32_t { pages_written, pages_synced, meta_written };

/// A small file that the stage and the process under the shim both map: what the disk under the journal shall do, and
/// what it did. All zeros is a disk without faults.
struct disk_control {
  // told by the stage
  std::atomic<std::uint32_t> full;           ///< 1: nothing can be written
  std::atomic<std::uint32_t> hangs;          ///< 1: writes and syncs don't return until it is 0 again
  std::atomic<std::uint32_t> errors_percent; ///< of writes and syncs that fail with EIO
  std::atomic<std::uint32_t> sync_delay_ms;  ///< that each sync takes longer
  std::atomic<std::uint64_t> chance;         ///< state of the dice for errors
  std::atomic<std::uint32_t> kill_step;      ///< a `commit_step`
  std::atomic<std::int64_t> kill_in;         ///< SIGKILL when that step is taken for the n-th time from now; 0: never
  // told by the shim
  std::atomic<std::uint64_t> writes; ///< of the journal's files, the refused ones included
  std::atomic<std::uint64_t> syncs;
  std::atomic<std::uint64_t> refused; ///< writes and syncs that were made to fail
  std::atomic<std::uint64_t> kills;
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "it is shared between processes");

} // namespace sliceferry::storm
