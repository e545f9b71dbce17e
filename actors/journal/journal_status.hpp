#pragma once
#include "actors/core/journal_health.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace sliceferry::journal {

/// How the journal stands, for metrics, readiness and people. Counts are since the program began, but for those of
/// the file.
struct journal_status {
  core::journal_state state = core::journal_state::opening;
  std::string why;                  ///< it is degraded; one sentence
  std::chrono::nanoseconds lasts{}; ///< how long it has been in this state
  std::uint64_t events = 0;         ///< appended
  std::uint64_t handed_over = 0;    ///< the newest position that `append` returned
  std::uint64_t durable = 0;        ///< the newest of these that is on the disk
  std::uint64_t waiting_bytes = 0;  ///< appended and not on the disk
  std::uint64_t noted_streams = 0;  ///< changed while degraded, to be written later
  std::uint64_t commits = 0;
  std::uint64_t failures = 0;     ///< of attempts to write
  std::uint64_t degradations = 0; ///< how often it became degraded
  std::uint64_t set_aside = 0;    ///< files put aside as damaged, foreign or too far behind
  std::uint64_t cut_records = 0;  ///< damaged ones, taken from the end of the log
  // The file; 0 until it is open.
  std::uint64_t first = 0;           ///< position of the oldest record in the log
  std::uint64_t last = 0;            ///< of the newest
  std::uint64_t snapshot_covers = 0; ///< the newest position that the snapshot knows of
  std::uint64_t snapshot_streams = 0;
  std::uint64_t bytes_used = 0; ///< pages that hold something; the file itself never shrinks
  std::uint64_t snapshots = 0;  ///< completed
  bool snapshot_under_way = false;
  std::chrono::nanoseconds snapshot_took{}; ///< the newest completed one
};

} // namespace sliceferry::journal
