#include "actors/journal/upkeep.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::journal {
namespace {

constexpr std::uint64_t records_min = 100'000;
constexpr std::size_t removals_per_step = 500;
constexpr std::chrono::seconds look_every{60};
constexpr std::chrono::seconds look_again_after{5}; ///< a snapshot that failed

} // namespace

bool wants_snapshot(const store_figures& now, const retention_rule& rule) {
  const std::uint64_t tail = now.last - now.covered();
  if (tail > std::max(records_min, now.snapshot_streams / 2))
    return true;
  if (now.bytes_used < rule.bytes_max - rule.bytes_max / 4 || tail == 0)
    return false;
  const std::uint64_t records = now.last - now.first + 1;
  return now.log_bytes / records * tail >= rule.bytes_max / 8;
}

bool wants_trim(const store_figures& now, const retention_rule& rule, std::optional<std::chrono::milliseconds> age) {
  if (now.first > now.covered())
    return false;
  return now.bytes_used > rule.bytes_max || (age && *age > rule.history);
}

upkeep::upkeep(std::shared_ptr<journal_store> store, const journal_options& options, std::function<void()> ready)
  : store_(std::move(store)), ready_(std::move(ready)), now_(options.now),
    steady_(options.steady), rule_{options.retention, options.max_bytes} {}

std::optional<std::chrono::milliseconds> upkeep::age() const {
  const auto written = store_->oldest();
  return written ? std::optional{now_() - *written} : std::nullopt;
}

void upkeep::look() {
  const store_figures& now = store_->figures();
  if (chunks_ != nullptr && !chunks_->failure().empty()) {
    drop();
    snapshot_at_ = steady_() + look_again_after;
  }
  // To learn the oldest record's age takes a transaction.
  const bool looks = trims_ || steady_() >= age_at_;
  if (looks)
    age_at_ = steady_() + look_every;
  trims_ = wants_trim(now, rule_, looks ? age() : std::nullopt);
  if (chunks_ == nullptr && now.spare_streams == 0 &&
      (requested_ || (wants_snapshot(now, rule_) && steady_() >= snapshot_at_)))
    begin_snapshot();
}

void upkeep::begin_snapshot() {
  requested_ = false;
  began_ = steady_();
  chunks_ = std::make_unique<stream_chunks>(store_, store_->figures().last, ready_);
}

bool upkeep::has_chunk() const {
  const stream_chunk* next = chunks_ == nullptr ? nullptr : chunks_->peek();
  return next != nullptr && !(next->last && held_);
}

bool upkeep::empties() const {
  return chunks_ == nullptr && store_->figures().spare_streams > 0;
}

bool upkeep::has_step() const {
  return has_chunk() || (!held_ && (trims_ || empties()));
}

lmdb::failure upkeep::step(std::size_t added) {
  stepped_ = stepping::nothing;
  const std::size_t removals = removals_per_step + 2 * added;
  // The snapshot in the making reads nothing that may be trimmed.
  if (trims_ && !held_)
    if (lmdb::failure why = store_->trim(removals))
      return why;
  if (empties() && !held_)
    return store_->empty_spare(removals);
  if (!has_chunk())
    return {};
  const stream_chunk& next = *chunks_->peek();
  for (const auto& [key, memory] : next.streams)
    if (lmdb::failure why = store_->keep(key, memory))
      return why;
  stepped_ = next.last ? stepping::flipped : stepping::kept;
  return next.last ? store_->flip(chunks_->through()) : lmdb::failure{};
}

void upkeep::committed() {
  switch (std::exchange(stepped_, stepping::nothing)) {
    case stepping::kept:
      chunks_->pop();
      break;
    case stepping::flipped:
      chunks_.reset();
      ++snapshots_;
      took_ = steady_() - began_;
      age_at_ = {}; // what it covers may be too old
      break;
    case stepping::nothing:
      break;
  }
}

void upkeep::drop() {
  chunks_.reset();
  trims_ = false;
  stepped_ = stepping::nothing;
}

} // namespace sliceferry::journal
