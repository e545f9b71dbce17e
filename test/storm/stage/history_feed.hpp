#pragma once
#include "test/storm/history/entry.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace sliceferry::storm {

/// Reads the simulated servers' history from a pipe, line by line, on a thread of its own.
class history_feed {
public:
  /// `take` is called on that thread, which ends when the pipe's writers have closed it. `copy`: a file that all lines
  /// go to as they are; empty: none.
  history_feed(int pipe, std::function<void(const history_entry&)> take, const std::filesystem::path& copy = {});
  ~history_feed();
  history_feed(const history_feed&) = delete;
  history_feed& operator=(const history_feed&) = delete;

  std::uint64_t entries() const { return entries_; }
  std::uint64_t unreadable() const { return unreadable_; }

private:
  void run();

  int pipe_;
  std::function<void(const history_entry&)> take_;
  std::ofstream copy_;
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> entries_{0}, unreadable_{0};
  std::thread thread_;
};

} // namespace sliceferry::storm
