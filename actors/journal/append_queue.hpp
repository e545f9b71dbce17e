#pragma once
#include "actors/core/journal_health.hpp"
#include "actors/journal/journal_options.hpp"
#include "actors/journal/journal_port.hpp"
#include "actors/journal/journal_status.hpp"
#include "actors/journal/outgoing_calls.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sliceferry::journal {

/// Encoded records, one behind the other.
struct record_batch {
  std::string bytes;
  std::vector<std::uint32_t> ends; ///< of each record in `bytes`
  std::uint64_t handed_over = 0;   ///< position of the newest as `append` returned it; 0: none of these was
  std::optional<tick> since;       ///< when the oldest was appended

  bool empty() const { return ends.empty(); }
  void add(const journal_record& what);
  void add_encoded(std::string_view record);
  void clear();
};

/// What stands between those who append and the thread that writes: the buffer, who waits for what, and the journal's
/// health. Thread-safe; touches no disk.
///
/// While degraded it keeps, instead of events, the newest memory of each stream that changes (`notes`). What was in the
/// buffer before stays and is written first.
class append_queue final : public journal_port {
public:
  explicit append_queue(const journal_options& options);

  std::uint64_t append(const addition& made) override;
  std::uint64_t durable() const override { return durable_.load(std::memory_order_acquire); }
  void when_durable(std::uint64_t position, std::function<void()> then) override;

  // For the writer's thread.

  /// Waits until something is there to be written, `wake`, or time is up; while degraded, only for the latter two.
  /// False once `stop` was called.
  bool wait(std::chrono::nanoseconds at_most);
  /// Makes `wait` return.
  void wake();
  /// Swaps what is in the buffer for `out`, which must be empty.
  void take(record_batch& out);
  /// What was taken is on the disk.
  void committed(const record_batch& what);
  /// The file can be written; what waited in the meantime follows.
  void opened();
  void failed(std::string why);

  bool is_degraded() const;
  /// When it became degraded, and why.
  interruption missed() const;
  /// How long to leave the disk alone.
  std::chrono::nanoseconds pause() const;
  /// Adds up to `count` notes to `out`. True if none is left.
  bool take_notes(std::size_t count, record_batch& out);
  /// Becomes healthy if so few notes are left that they fit in front of what is appended next. What was taken before
  /// must have been written.
  bool heal();
  /// More streams changed than may be noted: what the journal holds is of no use to them.
  bool overflowed() const;
  /// The journal was begun anew: of no stream does it know what was before, so each addition carries its memory.
  void begin_anew();

  // For everyone.

  /// True if the disk's silence made it degraded just now.
  bool review();
  /// How long the disk may still owe its answer; the longest time there is if it owes none.
  std::chrono::nanoseconds patience_left() const;
  /// Nobody is called any more; those who wait are forgotten. Must not be called by an outgoing call.
  void fall_silent();
  /// No more is appended; what waits may still be written.
  void stop();
  /// Nothing more will be written, or nobody waits for it: `durable` is the maximum from now on.
  void end();
  void tell(bool alarming, const std::string& text);
  outgoing_calls& outgoing() { return outgoing_; }
  /// All but what is known of the file.
  journal_status status() const;

private:
  using callbacks = std::vector<std::function<void()>>;

  void note(const addition& made);
  void encode(const addition& made);
  /// Nobody waits any more; returns those who did.
  callbacks give_way();
  callbacks release(std::uint64_t up_to);
  std::optional<tick> oldest_waiting() const;
  /// Under no lock: tells people, if it gave way, and calls those who waited.
  void let_go(bool gave_way, const callbacks& all);
  /// With the lock held. Once ended, it stays.
  void set_durable(std::uint64_t position);

  const journal_options& options_;
  outgoing_calls outgoing_;
  mutable std::mutex mutex_;
  std::condition_variable wake_writer_;
  std::atomic<std::uint64_t> durable_{0};
  core::journal_health health_;
  record_batch filling_;
  journal_record scratch_; ///< keeps its memory
  std::size_t taken_bytes_ = 0;
  std::optional<tick> taken_since_; ///< of what was taken and not committed
  std::uint64_t handed_over_ = 0;
  std::uint64_t committed_ = 0; ///< of these
  std::multimap<std::uint64_t, std::function<void()>> waiting_;
  std::unordered_map<std::string, std::string> notes_; ///< by stream key, encoded records
  moment degraded_at_{};
  bool overflowed_ = false;
  bool anew_ = false;
  bool woken_ = false;
  bool writer_waits_ = false;
  bool silent_ = false;
  bool stopped_ = false;
  bool ended_ = false;
  std::uint64_t events_ = 0;
  std::uint64_t commits_ = 0;
  std::uint64_t failures_ = 0;
};

} // namespace sliceferry::journal
