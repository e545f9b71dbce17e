#pragma once
#include "actors/journal/stream_scan.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::journal {

/// A part of a snapshot that one transaction can take.
struct stream_chunk {
  std::vector<std::pair<std::string, std::string>> streams; ///< keys and memories
  bool last = false;
};

/// Reads all streams on a thread of its own, a few chunks ahead of whoever takes them: folding a million memories must
/// not hold up the thread that commits.
class stream_chunks {
public:
  /// `ready` is called on that thread when `peek` has something to say.
  stream_chunks(std::shared_ptr<const journal_store> store, std::uint64_t through, std::function<void()> ready);
  /// Doesn't wait for the thread: the disk may hold it.
  ~stream_chunks();
  stream_chunks(const stream_chunks&) = delete;
  stream_chunks& operator=(const stream_chunks&) = delete;

  /// The next chunk, or null if there is none yet.
  const stream_chunk* peek() const;
  void pop();
  /// Why there will be no more; empty: there will.
  std::string failure() const;
  std::uint64_t through() const { return through_; }

private:
  struct desk {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<stream_chunk> ready;
    std::string failure;
    bool unwanted = false;
  };
  static void read(const std::shared_ptr<const journal_store>& store, std::uint64_t through,
                   const std::shared_ptr<desk>& to, const std::function<void()>& ready);

  const std::uint64_t through_;
  std::shared_ptr<desk> desk_ = std::make_shared<desk>();
};

} // namespace sliceferry::journal
