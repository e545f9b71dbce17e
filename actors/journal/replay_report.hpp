#pragma once
#include "actors/journal/journal_reader.hpp"
#include "actors/journal/replay.hpp"
#include "actors/journal/stream_folds.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::journal {

/// What a replay found, in words for people or programs.
class replay_report {
public:
  /// `degraded`: how the running program's journal is, if it is that.
  replay_report(bool json, std::optional<degradation> degraded) : json_(json), degraded_(std::move(degraded)) {}

  void add(const disagreement& found);
  /// A record or a memory that can't be read, or isn't there.
  void add_fault(std::uint64_t position, const std::string& what);
  /// Only counted where the program's journal is degraded.
  void add_running(const stream_id& whose, const std::string& what);
  void add(const fold_counts& part);
  void count_record() { ++records_; }
  void count_compared(std::uint64_t more) { compared_ += more; }

  bool differs() const { return disagreements_ + faults_ + running_ > 0; }
  std::string text(const journal_outline& seen) const;

private:
  std::string counts_as_json(const journal_outline& seen) const;
  std::string counts_for_people(const journal_outline& seen) const;

  std::string verdict() const;

  bool json_;
  std::optional<degradation> degraded_;
  std::string told_;
  fold_counts folds_;
  std::uint64_t records_ = 0;
  std::uint64_t compared_ = 0;
  std::uint64_t disagreements_ = 0;
  std::uint64_t faults_ = 0;
  std::uint64_t running_ = 0;
  std::uint64_t unwritten_ = 0;
};

} // namespace sliceferry::journal
