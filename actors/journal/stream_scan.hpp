#pragma once
#include "actors/journal/journal_store.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sliceferry::journal {

/// All streams with their memory as of one position, in the order of their keys: the snapshot, and the records after it
/// folded onto it. Streams that are over are left out.
///
/// It reads in short transactions of its own (a long one would keep all pages that are given up meanwhile), so the
/// snapshot must not be replaced while it reads. Its own memory is bounded: of records it holds no more than their
/// places, and where there are too many of them, it reads the log again for the next part of the keys.
class stream_scan {
public:
  /// `memory` is encoded.
  using visitor = std::function<void(std::string_view key, std::string_view memory)>;

  /// `places_max`: how many records' places are held at once, at least.
  stream_scan(const journal_store& store, std::uint64_t through, std::size_t places_max = std::size_t{1} << 20);

  /// Visits `count` more streams, or a few more. What is wrong, or nothing.
  std::string next(std::size_t count, const visitor& visit);
  bool is_done() const { return done_; }
  std::uint64_t through() const { return through_; }
  std::uint64_t records() const { return records_; } ///< of the log, that were or will be folded
  std::uint64_t skipped() const { return skipped_; } ///< streams of which something couldn't be read

private:
  /// Where a record is, by the first bytes of its stream's key, which are as good as random.
  struct place {
    std::uint64_t head;
    std::uint64_t position;
    auto operator<=>(const place&) const = default;
  };
  /// The records of one stream, as bytes of the transaction that is open.
  struct tail {
    std::string_view key;
    std::vector<std::pair<std::uint64_t, std::string_view>> records;
  };

  std::string find_places();
  void add_place(const place& found);
  void drop_beyond_cut();
  std::string read_on(std::size_t count, const visitor& visit);
  /// The next streams of the log, all whose keys begin alike; false if there are none.
  bool load_tails(lmdb::transaction& in);
  void fold_tail(std::optional<std::string_view> before, const visitor& visit);

  const journal_store& store_;
  const std::uint64_t through_;
  const std::size_t places_max_;
  std::uint64_t generation_;
  std::optional<layout::snapshot_mark> snapshot_;
  bool searched_ = false;
  bool done_ = false;
  std::uint64_t from_ = 0;           ///< heads of keys from here on are to be read
  std::optional<std::uint64_t> cut_; ///< and before here are in `places_`; none: all are
  std::uint64_t search_at_ = 0;
  std::vector<place> places_;
  std::size_t next_place_ = 0;
  std::vector<tail> tails_;
  std::size_t next_tail_ = 0;
  std::uint64_t missing_ = 0; ///< position of a record that was there when its place was found
  std::string last_key_;      ///< of the snapshot, visited
  bool began_ = false;
  std::uint64_t records_ = 0;
  bool counted_ = false;
  std::uint64_t skipped_ = 0;
  std::string encoded_;
};

} // namespace sliceferry::journal
