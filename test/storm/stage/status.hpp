#pragma once
#include "test/storm/stage/child.hpp"
#include "test/storm/stage/program.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace sliceferry::storm {

/// A run at one moment, for people.
struct status {
  std::string phase;
  std::chrono::milliseconds since{}, length{}; ///< of the storm
  double changes_per_s = 0;                    ///< that users made, over the last interval
  double exports_per_s = 0;                    ///< writes of the program that the hub accepted
  std::uint64_t changes = 0;
  std::size_t slices = 0;  ///< that stand in the members
  std::size_t exports = 0; ///< on the hub that the program keeps
  std::size_t backlog = 0; ///< slices whose content isn't on the hub yet, or whose export must go
  std::chrono::microseconds p50{}, p99{};
  std::uint64_t violations = 0;
  std::vector<std::string> news; ///< stories of violations since the last status
  unsigned process_starts = 0;
  std::string latest_fault;
  program_figures program;
  process_sample process;
  double program_cpu = 0; ///< cores used over the last interval
};

/// The status as a block of lines without the last newline; each run's blocks have the same number of lines.
std::string block_of(const status& now, bool in_colour);
/// The status in one line.
std::string line_of(const status& now);

} // namespace sliceferry::storm
