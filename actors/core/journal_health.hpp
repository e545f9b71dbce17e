#pragma once
#include "actors/core/backoff.hpp"
#include "messages/clock.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace sliceferry::core {

enum class journal_state {
  opening,  ///< what is appended waits for the file to be examined
  healthy,  ///< what is appended is on the disk soon
  degraded, ///< nobody waits; only the newest memory of each stream that changes is kept
};

/// "opening", "healthy", "degraded".
const char* name_of(journal_state state);

/// Whether to wait for the journal's disk, and when to try it again.
///
/// Any failure of a write, and half a second without an answer while something waits, make it degraded. It is healthy
/// again once all that was missed is on the disk, which the writer says. No I/O; `now` never steps back.
class journal_health {
public:
  /// How long the disk may owe an answer.
  static constexpr std::chrono::milliseconds answer_within{500};
  static constexpr backoff_limits retry_limits{std::chrono::milliseconds(200), std::chrono::seconds(4)};

  journal_health(std::uint64_t seed, tick now) : since_(now), retries_(seed) {}

  /// What was opened can be written, and nothing was missed while it was being opened.
  void opened(tick now);
  /// A write, or opening the file, failed.
  void failed(std::string why, tick now);
  /// More waits than may, or something else than the disk's word ends the patience.
  void give_up(std::string why, tick now);
  /// A write succeeded: the next failure begins with short pauses.
  void written() { failures_ = 0; }
  /// All that was missed is on the disk.
  void healed(tick now);
  /// `oldest`: when the first of what waits for the disk was appended. True if that makes it degraded.
  bool review(std::optional<tick> oldest, tick now);

  journal_state state() const { return state_; }
  bool is_degraded() const { return state_ == journal_state::degraded; }
  tick since() const { return since_; }
  /// Why it is degraded; the newest failure is the reason.
  const std::string& why() const { return why_; }
  /// Before that the disk isn't tried again.
  tick retry_at() const { return retry_at_; }
  std::uint64_t degradations() const { return degradations_; }

private:
  void enter(journal_state next, tick now);

  journal_state state_ = journal_state::opening;
  tick since_;
  std::string why_;
  jitter retries_;
  unsigned failures_ = 0; ///< in a row
  tick retry_at_{};
  std::uint64_t degradations_ = 0;
};

} // namespace sliceferry::core
