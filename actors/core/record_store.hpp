#pragma once
#include "actors/core/blob_store.hpp"
#include "actors/core/row_codec.hpp"
#include "actors/core/slice_row.hpp"
#include "actors/core/slot_index.hpp"
#include "actors/core/text_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::core {

/// The rows of one member's table, packed, and the ways to find them. A row is read as a whole and replaced as a whole.
///
/// A slice UID has at most one row, a key at most one row whose slice is there, and a name on the hub at most one
/// export in all rows; whoever writes sees to the last two. Rows that say nothing are removed.
class record_store {
public:
  using slot = std::uint32_t;

  /// Counted as rows change.
  struct totals {
    std::size_t recorded = 0;
    std::size_t awake = 0;
    std::size_t present = 0;   ///< slices that the member holds
    std::size_t annotated = 0; ///< of these, those that carry annotations of ours
    std::size_t resting = 0;   ///< records at rest whose memory holds an export
    std::size_t exports = 0;
    std::size_t claimed = 0; ///< exports that a slice of ours claims
  };

  /// An export, by its row and its place in it.
  struct export_place {
    slot row = 0;
    std::size_t index = 0;
  };

  explicit record_store(std::string cluster) : codec_(std::move(cluster), pool_) {}
  record_store(const record_store&) = delete;
  record_store& operator=(const record_store&) = delete;

  std::optional<slot> of_uid(const std::string& uid) const;
  /// The row whose slice is at this key.
  std::optional<slot> at_key(const object_key& key) const;
  /// The rows whose slices belong to this Service.
  std::vector<slot> of_service(const object_key& service) const;
  /// The rows whose slice carries this name, whose memory has it, or of which an export is so named.
  std::vector<slot> naming(const std::string& name) const;
  std::optional<export_place> export_named(const std::string& name) const;

  /// Valid until the next call, whichever it is.
  const slice_row& look(slot at) const;
  /// A copy to be changed and saved.
  slice_row take(slot at) const;
  std::string uid_of(slot at) const { return row_codec::uid_of(blobs_.at(at)); }
  std::pair<std::string, object_key> identify(slot at) const { return codec_.identify(blobs_.at(at)); }
  row_head peek(slot at, std::vector<hearing>* heard = nullptr) const { return row_codec::peek(blobs_.at(at), heard); }
  /// Replaces the row at `at`, whose UID stays.
  void save(slot at, slice_row next);
  /// What was read or saved last isn't kept at hand: it isn't asked for next, or refers to what goes now.
  void forget_latest() { latest_ = {}; }
  /// Changes nothing but these two, which change most often.
  void mark(slot at, bool awake, std::uint64_t number);
  /// A row of its own for a UID that has none, or for an export of nobody.
  slot add(slice_row first);

  /// Slots are below this number.
  slot end() const { return end_; }
  /// This one will be read soon.
  void expect(slot at) const { blobs_.expect(at); }
  bool holds(slot at) const { return !blobs_.at(at).empty(); }
  const totals& count() const { return totals_; }
  /// How many texts the rows share.
  std::size_t shared_texts() const { return pool_.size(); }
  /// Of the packed rows and of what lies unused between them.
  std::size_t bytes() const { return blobs_.capacity(); }

private:
  /// By what a row is found, hashed, and what it counts for.
  struct traces {
    std::optional<std::uint32_t> key;
    std::optional<std::uint32_t> service;
    std::vector<std::uint32_t> names; ///< each once, in order
    totals counts;
  };
  /// The row that was read or written last: often the next to be asked for.
  struct latest {
    std::optional<slot> at;
    std::optional<slice_row> row;    ///< empty if it was taken
    std::optional<traces> traced;    ///< where it was asked for
    std::vector<std::uint32_t> used; ///< texts of the pool
  };

  static traces trace(const slice_row& row);
  static totals counts_of(const slice_row& row);
  static void move(slot_index& index, slot at, std::optional<std::uint32_t> from, std::optional<std::uint32_t> to);
  void load(slot at) const;
  void write(slot at, slice_row next, const traces& before, const std::vector<std::uint32_t>& used);
  void rename(slot at, const std::vector<std::uint32_t>& from, const std::vector<std::uint32_t>& to);
  void remove(slot at);
  void recount(const totals& before, const totals& after);

  text_pool pool_;
  row_codec codec_;
  blob_store blobs_;
  slot_index by_uid_;
  slot_index by_key_;
  slot_index by_service_;
  slot_index by_name_;
  std::vector<slot> free_;
  slot end_ = 0;
  totals totals_;
  mutable latest latest_;
};

} // namespace sliceferry::core
