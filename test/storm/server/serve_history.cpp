#include "test/storm/server/serve_history.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace sliceferry::storm {
namespace {

constexpr std::size_t write_bytes = 256 << 10;
constexpr std::size_t eager_bytes = 1 << 20; ///< with so much queued, the writer doesn't wait for its time
constexpr std::chrono::milliseconds pause{20};

std::size_t cost_of(const history_entry& entry) {
  return sizeof entry + entry.object.size();
}

} // namespace

serve_history::serve_history(int descriptor, std::size_t bytes_max)
  : descriptor_{descriptor}, bytes_max_{bytes_max}, thread_{[this] { run(); }} {}

serve_history::~serve_history() {
  {
    const std::lock_guard lock{mutex_};
    ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void serve_history::push(history_entry entry) {
  const std::size_t cost = cost_of(entry);
  std::unique_lock lock{mutex_};
  entry.seq = ++seq_;
  if (queued_ + cost > bytes_max_ && queued_ > 0) {
    wake_.notify_one();
    room_.wait(lock, [&] { return queued_ + cost <= bytes_max_ || queued_ == 0 || broken_; });
  }
  if (broken_)
    return;
  entries_.push_back(std::move(entry));
  const std::size_t before = queued_.fetch_add(cost);
  // Waking the writer for each entry would cost a system call for each.
  if (before / eager_bytes != (before + cost) / eager_bytes)
    wake_.notify_one();
}

void serve_history::run() {
  std::vector<history_entry> batch;
  std::unique_lock lock{mutex_};
  while (!ending_ || !entries_.empty()) {
    wake_.wait_for(lock, pause, [&] { return ending_ || queued_ >= std::min(eager_bytes, bytes_max_ / 2); });
    batch.swap(entries_);
    lock.unlock();
    write_lines(batch);
    batch.clear();
    lock.lock();
  }
}

void serve_history::write_lines(std::vector<history_entry>& entries) {
  std::string lines;
  std::size_t cost = 0;
  const auto written = [&] {
    write_out(lines);
    {
      const std::lock_guard lock{mutex_};
      queued_ -= std::exchange(cost, 0);
    }
    room_.notify_one();
  };
  for (auto& entry : entries) {
    cost += cost_of(entry);
    (lines += format(entry)) += '\n';
    entry.object = {};
    if (lines.size() >= write_bytes)
      written();
  }
  if (cost > 0)
    written();
}

void serve_history::write_out(std::string& lines) {
  std::size_t done = 0;
  while (done < lines.size() && !broken_) {
    const ssize_t step = ::write(descriptor_, lines.data() + done, lines.size() - done);
    if (step >= 0) {
      done += static_cast<std::size_t>(step);
    } else if (errno == EAGAIN) {
      pollfd room{descriptor_, POLLOUT, 0};
      poll(&room, 1, -1);
    } else if (errno != EINTR) {
      broken_ = true;
    }
  }
  lines.clear();
}

} // namespace sliceferry::storm
