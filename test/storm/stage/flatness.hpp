#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace sliceferry::storm {

/// The program at one moment of a run.
struct program_sample {
  std::chrono::milliseconds at{};  ///< since the storm's begin
  std::chrono::milliseconds age{}; ///< of the process: a restart begins anew
  std::uint64_t private_bytes = 0; ///< memory that no file backs
  std::size_t threads = 0;
  std::size_t descriptors = 0;
  std::size_t queued = 0; ///< commands that wait in its writers
};

struct flatness_limits {
  double memory_growth = 0.02;               ///< of the last third's mean over the middle third's
  std::uint64_t memory_noise = 4 << 20;      ///< a heap of some threads grows by steps; less than this is no growth
  std::chrono::milliseconds warm_up{20'000}; ///< of each process; younger samples don't count
  std::chrono::milliseconds third_least{20'000};
  std::size_t threads_more = 1;      ///< a snapshot of the journal is read by one that ends with it
  std::size_t descriptors_more = 48; ///< connections come and go: pools of 32 and watches that overlap
};

/// What grew over time, as text; empty where all stayed flat. Thirds that are too short or have too few samples prove
/// nothing, which `measured` tells.
struct flatness {
  std::vector<std::string> growths;
  bool measured = false;
  double memory_ratio = 0; ///< last third over middle third; 0 where not measured
};

/// Compares the last third of a process's life with its middle third, both after the warm-up: means for memory, maxima
/// for the others. Where the program was started again, the process that lived longest is judged: two processes differ
/// by how their heaps happened to grow, which says nothing of a leak.
flatness judge_flatness(const std::vector<program_sample>& samples, const flatness_limits& limits = {});

} // namespace sliceferry::storm
