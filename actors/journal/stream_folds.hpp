#pragma once
#include "actors/journal/journal_record.hpp"
#include "actors/journal/memory_codec.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::journal {

/// Something that two ways to a stream's memory don't agree on.
struct disagreement {
  std::string stream_key;
  object_key slice;
  std::uint64_t position = 0; ///< the stream's newest record that both know of
  std::string about;          ///< who says what: a sentence
  std::vector<std::string> fields;

  bool operator==(const disagreement&) const = default;
};

struct fold_counts {
  std::uint64_t streams = 0;          ///< in the log or in the snapshot
  std::uint64_t from_start = 0;       ///< folded from where the log tells the whole memory
  std::uint64_t from_snapshot = 0;    ///< folded from the snapshot's memory
  std::uint64_t checked_snapshot = 0; ///< the snapshot's memory, or its lack, against the log's events up to there
  std::uint64_t checked_end = 0;      ///< both ways against each other after the last record
};

/// Folds streams twice: from the log alone, and as a restart does, from the snapshot and what the log has beyond it.
///
/// From the log alone a memory is known from the stream's first `remembered` on; what comes before it was cut with its
/// beginning. A stream that is not in the snapshot is taken to be blank at what the snapshot covers; the snapshot
/// leaves out those that are over. Takes streams up to a number only, those with the lowest keys, so that millions can
/// be folded in parts.
class stream_folds {
public:
  using complaint = std::function<void(const disagreement&)>;
  /// Gets each stream's last memory, the restart's.
  using outcome = std::function<void(std::string_view key, const core::memory& held)>;

  /// `covers`: the newest position of which the snapshot knows; nothing without a snapshot. Keys before `from_key` are
  /// not taken.
  stream_folds(std::optional<std::uint64_t> covers, std::string from_key, std::size_t streams_max);

  bool takes(std::string_view key) const;
  /// All of the snapshot first, in the order of keys; then all of the log, in the order of positions.
  void keep(std::string_view key, kept_memory kept);
  void add(std::string_view key, const journal_record& next);
  /// Compares what is left, and counts.
  fold_counts finish(const outcome& last);

  /// The first key that was not taken for want of room; nothing: all were.
  const std::optional<std::string>& end_key() const { return end_key_; }
  /// In the order of keys; after `finish`.
  const std::vector<disagreement>& found() const { return found_; }

private:
  struct stream {
    object_key slice;
    std::optional<core::memory> log; ///< by the log alone, as far as known
    std::optional<kept_memory> kept; ///< what the snapshot says
    core::memory restart;            ///< from it and the log beyond
    std::uint64_t position = 0;      ///< of the newest record taken
    bool crossed = false;            ///< what the snapshot covers is behind us
    bool checked = false;            ///< against the snapshot
    std::optional<disagreement> wrong;
  };

  stream* find(std::string_view key);
  void cross(std::string_view key, stream& which);
  void complain(std::string_view key, stream& which, std::string about, const core::memory& is,
                const core::memory& should_be);

  std::optional<std::uint64_t> covers_;
  std::string from_key_;
  std::size_t streams_max_;
  std::optional<std::string> end_key_;
  std::map<std::string, stream, std::less<>> streams_;
  fold_counts counts_;
  std::vector<disagreement> found_;
};

} // namespace sliceferry::journal
