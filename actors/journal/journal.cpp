#include "actors/journal/journal.hpp"

#include "actors/journal/append_queue.hpp"
#include "actors/journal/examination.hpp"
#include "actors/journal/journal_writer.hpp"
#include "actors/journal/recovery.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace sliceferry::journal {
namespace {

using namespace std::chrono_literals;

constexpr auto admission_within = 2s;
constexpr auto stop_within = 2s;
/// Half of the patience: what begins to wait right after a look is seen before it has waited too long.
constexpr auto look_every = core::journal_health::answer_within / 2;

} // namespace

/// All that the journal's threads share. None of them is joined for longer than `stop` may take.
class journal::parts {
public:
  explicit parts(journal_options given) : options(std::move(given)), queue(options), writer(options, queue) {}

  const journal_options options;
  append_queue queue;
  journal_writer writer;
  std::atomic<bool> stopped{false};

  recovery_hooks told; ///< used and changed within outgoing calls, or after the last of them

  std::mutex mutex;
  std::condition_variable changed;
  bool writer_ended = false;
  bool stops = false;

  void write() {
    writer.run();
    const std::lock_guard lock(mutex);
    writer_ended = true;
    changed.notify_all();
  }

  /// A writer that a disk holds can't look at the clock itself.
  void watch() {
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, next_look(), [this] { return stops; })) {
      lock.unlock();
      queue.review();
      lock.lock();
    }
  }

  std::chrono::nanoseconds next_look() const {
    return std::clamp<std::chrono::nanoseconds>(queue.patience_left(), 1ms, look_every);
  }

  void recover() {
    recovery_counts counts;
    recovery_hooks hooks;
    hooks.recovered = [&](const std::string& member, std::vector<recovered_stream> streams) {
      queue.outgoing().make([&] { told.recovered(member, std::move(streams)); });
    };
    if (const auto claim = writer.claim_reading()) {
      const tick began = options.steady();
      counts = recover_streams(writer.store(), claim->last, hooks, stopped);
      counts.took = options.steady() - began;
      writer.forget_pages();
      writer.end_reading();
    } else {
      counts.failure = "the journal wasn't opened";
    }
    queue.outgoing().make([&] {
      told.done(counts);
      told = {}; // They hold their callers.
    });
  }
};

std::variant<std::unique_ptr<journal>, std::string> journal::open(journal_options options) {
  auto begun = std::make_unique<examination>();
  std::string failure = begun->begin(options.directory);
  owned_descriptor lock;
  if (failure.empty()) {
    auto answer = begun->admitted(admission_within);
    if (answer && answer->refused)
      return std::move(answer->why);
    if (answer) {
      lock = std::move(answer->lock);
      failure = answer->why;
    }
    // No answer: the disk hangs. The writer's thread goes on asking.
  }
  if (!failure.empty())
    begun.reset();
  auto made = std::make_shared<parts>(std::move(options));
  made->writer.take_over(std::move(begun), std::move(lock), std::move(failure));
  std::thread([made] { made->write(); }).detach();
  std::thread([made] { made->watch(); }).detach();
  return std::unique_ptr<journal>(new journal(made));
}

journal::journal(std::shared_ptr<parts> made) : parts_(std::move(made)) {}

journal::~journal() {
  stop();
}

std::uint64_t journal::append(const addition& made) {
  return parts_->queue.append(made);
}

std::uint64_t journal::durable() const {
  return parts_->queue.durable();
}

void journal::when_durable(std::uint64_t position, std::function<void()> then) {
  parts_->queue.when_durable(position, std::move(then));
}

void journal::recover(recovery_hooks hooks) {
  parts_->queue.outgoing().make([&] { parts_->told = std::move(hooks); });
  std::thread([shared = parts_] { shared->recover(); }).detach();
}

journal_status journal::status() const {
  journal_status out = parts_->queue.status();
  parts_->writer.add_to(out);
  return out;
}

void journal::snapshot_now() {
  parts_->writer.request_snapshot();
}

void journal::review() {
  parts_->queue.review();
}

void journal::fall_silent() {
  parts_->queue.fall_silent();
  parts_->told = {};
}

void journal::stop() {
  fall_silent();
  parts_->stopped = true;
  parts_->queue.stop();
  std::unique_lock lock(parts_->mutex);
  parts_->stops = true;
  parts_->changed.notify_all();
  if (!parts_->changed.wait_for(lock, stop_within, [this] { return parts_->writer_ended; }))
    parts_->writer.give_up();
  lock.unlock();
  parts_->queue.end();
}

} // namespace sliceferry::journal
