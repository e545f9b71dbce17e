#pragma once
#include "actors/journal/journal_record.hpp"
#include "messages/clock.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace sliceferry::journal {

/// Something about the journal that people should read in the log: what was set aside, cut, given up or healed.
struct notice {
  bool alarming = false; ///< something was lost, or isn't kept now
  std::string text;
};

struct journal_options {
  std::string directory; ///< made if it isn't there
  /// Commits wait for no sync: one follows at least each second, and `durable()` counts what a crash of the program,
  /// but not a loss of power, leaves behind.
  bool relaxed = false;
  std::chrono::hours retention{7 * 24};             ///< how long history is kept, if `max_bytes` allows
  std::uint64_t max_bytes = std::uint64_t{4} << 30; ///< how much of it at most; the file may be twice as long
  std::uint64_t seed = 0;                           ///< spreads retries
  std::function<moment()> now;                      ///< stamps records; must be set
  std::function<tick()> steady = [] { return std::chrono::steady_clock::now(); };
  std::function<void(const notice&)> tell; ///< called on whatever thread, under no lock of the journal; may be empty
  /// Of the bytes that wait for the disk; beyond it the journal is degraded.
  std::uint64_t buffer_bytes_max = std::uint64_t{64} << 20;
  /// How many streams are remembered for later while the journal can't be written; beyond it, it is begun anew.
  std::size_t noted_streams_max = 200'000;
  /// Address space for the file; 0: twice `max_bytes` and one GiB.
  std::uint64_t map_bytes = 0;
};

} // namespace sliceferry::journal
