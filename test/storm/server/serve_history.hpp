#pragma once
#include "test/storm/history/entry.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace sliceferry::storm {

/// Numbers the entries of all clusters and writes them as lines, in a thread of its own, at most 50 ms late.
///
/// Bounded: whoever pushes waits while too much is queued, so that nothing is lost. What was pushed before its
/// destruction is written.
class serve_history {
public:
  /// Owns neither descriptor nor what is behind it.
  explicit serve_history(int descriptor, std::size_t bytes_max = 64 << 20);
  ~serve_history();
  serve_history(const serve_history&) = delete;
  serve_history& operator=(const serve_history&) = delete;

  void push(history_entry entry);
  std::size_t queued_bytes() const { return queued_; }
  /// Nobody can read it any more; what is pushed is dropped.
  bool is_broken() const { return broken_; }

private:
  void run();
  void write_lines(std::vector<history_entry>& entries);
  void write_out(std::string& lines);

  int descriptor_;
  std::size_t bytes_max_;
  std::uint64_t seq_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable room_;
  std::vector<history_entry> entries_;
  bool ending_ = false;
  std::atomic<std::size_t> queued_ = 0;
  std::atomic<bool> broken_ = false;
  std::thread thread_;
};

} // namespace sliceferry::storm
