#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace sliceferry {

/// What the kernel says of this process.
struct process_figures {
  double cpu_seconds = 0;   ///< user and system, since the start
  double start_seconds = 0; ///< since the Unix epoch
  std::uint64_t virtual_bytes = 0;
  std::uint64_t resident_bytes = 0;
  std::uint64_t threads = 0;
  std::uint64_t open_files = 0;
  std::uint64_t open_files_max = 0;
};

/// Reads them from /proc now; whatever can't be read stays 0.
process_figures read_process_figures();

/// The part of `/proc/PID/stat` that matters, in the kernel's units.
struct process_stat {
  std::uint64_t user_ticks = 0;
  std::uint64_t system_ticks = 0;
  std::uint64_t threads = 0;
  std::uint64_t start_ticks = 0; ///< since boot
  std::uint64_t virtual_bytes = 0;
  std::uint64_t resident_pages = 0;

  bool operator==(const process_stat&) const = default;
};

/// Reads one line of it. The program's name in it may hold blanks and parentheses (proc(5)).
std::optional<process_stat> parse_process_stat(std::string_view line);

} // namespace sliceferry
