#pragma once
#include "actors/journal/append_queue.hpp"
#include "actors/journal/examination.hpp"
#include "actors/journal/journal_store.hpp"
#include "actors/journal/upkeep.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry::journal {

/// What the thread that writes does: brings the file up, commits what queued while the last commit ran, does the
/// file's upkeep in between, and after a failure writes what was missed.
class journal_writer {
public:
  journal_writer(const journal_options& options, append_queue& queue);

  /// What `open` learned. An examination that has begun is gone on with.
  void take_over(std::unique_ptr<examination> begun, owned_descriptor lock, std::string failure);
  /// Returns once the queue is stopped and what waited is written, as far as that goes.
  void run();
  /// `run` shall return without having written all. From any thread, as is all that follows.
  void give_up() { given_up_ = true; }

  /// The figures of the file, added to what the queue says.
  void add_to(journal_status& out) const;
  void request_snapshot();
  /// Waits until the file is open; nothing if that will not be. While a claim exists, its snapshot stays.
  struct reading_claim {
    std::uint64_t last = 0; ///< position of the newest record that an earlier run left
  };
  std::optional<reading_claim> claim_reading();
  void end_reading();
  const journal_store& store() const { return *store_; }
  void forget_pages();

private:
  bool bring_up();
  bool claim_file();
  bool judge_file();
  bool open_file(std::uint64_t reserve = 0);
  bool cut(const inspection& found);
  bool put_aside(const std::string& why);
  void write_round();
  void heal_round();
  /// Commits what is pending; true if that is done.
  bool write(bool with_upkeep);
  lmdb::failure write_once(bool with_upkeep);
  void make_room();
  bool begin_anew(const std::string& why);
  void failed(const std::string& why);
  std::string words_of(const lmdb::failure& why) const;
  void sync_if_due(bool now);
  std::chrono::nanoseconds pause();
  void finish();
  void see_readers();
  void publish();

  const journal_options& options_;
  append_queue& queue_;
  const std::shared_ptr<journal_store> store_;
  upkeep upkeep_;
  std::unique_ptr<examination> examination_;
  owned_descriptor lock_;
  bool judged_ = false;
  std::string failure_; ///< that `open` met
  std::vector<record_batch> pending_;
  std::uint64_t attempted_ = 0; ///< position of the last record of a commit that may have been done though it failed
  bool told_interruption_ = false;
  std::uint64_t unsynced_ = 0; ///< commits
  tick synced_at_{};
  std::atomic<bool> given_up_{false};
  std::atomic<bool> snapshot_requested_{false};

  mutable std::mutex mutex_; ///< of what follows
  std::condition_variable opened_;
  bool is_open_ = false; ///< was, at least
  bool ended_ = false;
  std::uint64_t last_at_open_ = 0;
  unsigned readers_ = 0;
  store_figures published_;
  std::uint64_t set_aside_ = 0;
  std::uint64_t cut_records_ = 0;
  std::uint64_t snapshots_ = 0;
  bool snapshot_under_way_ = false;
  std::chrono::nanoseconds snapshot_took_{};
};

} // namespace sliceferry::journal
