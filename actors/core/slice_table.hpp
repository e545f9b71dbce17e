#pragma once
#include "actors/core/member_identity.hpp"
#include "actors/core/newness.hpp"
#include "actors/core/record_store.hpp"
#include "actors/core/slice_row.hpp"
#include "actors/core/touched.hpp"
#include "actors/core/unreadable_keys.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry::core {

/// The member's slices: one record per UID, found by UID, by Service and by the export name that
/// they carry. A name that changes hands makes one record gone and another one seen (LW22, ES29).
///
/// A record outlives its slice until it is dropped, since its export must still be withdrawn.
/// Nothing but a slice's own change touches it here; a change of its resourceVersion alone
/// (metadata of others, D12) does so only if `refresh_resource_version_always`, or while its exporter is
/// awake: one whose write met no such slice waits for the slice to be seen again. Without `serving_fallback`
/// the endpoints for it are not kept.
///
/// The records are rows of a store that it shares with the member's `hub_view`.
class slice_table {
public:
  slice_table(const member_identity& who, std::shared_ptr<record_store> rows)
    : every_version_counts_(who.refresh_resource_version_always), keeps_fallback_(who.serving_fallback),
      rows_(std::move(rows)) {}

  void init() {
    news_.init();
    unreadable_.init();
  }
  void spare(const object_key& key);
  void init_done(const std::string& resource_version, touch_list& out);
  void applied(const endpoint_slice& seen, touch_list& out);
  void deleted(const endpoint_slice& last, touch_list& out);
  /// The object in the answer to a write of ours. One under a name that nobody holds is too late:
  /// we write to slices that were seen, so that one has gone meanwhile.
  void answered(const endpoint_slice& seen, touch_list& out);
  /// Takes the memory that a journal kept of a slice. A record that is dormant and remembers nothing takes it; the
  /// clusters win over a journal, so that any other one leaves it. Of an unknown slice it waits for the slice, as
  /// nobody's record, until that is seen or a complete list doesn't hold it, which is proof that it is gone. False if
  /// it isn't taken.
  bool remember(const sighting& who, const memory& held, touch_list& out);
  /// The UID of the slice whose memory holds this export under this name, or empty.
  std::string remembering(const std::string& name, const std::string& hub_uid) const;
  /// Records a slice of which only an export tells. It must not be known. `assumed`: without proof that it is gone.
  void add_leftover(const sighting& who, bool assumed = false);
  void drop(const std::string& uid);

  bool synced() const { return news_.synced(); }
  /// No slice is there.
  bool is_empty() const { return rows_->count().present == 0; }
  /// True once for each time that answers contradicted the stream: it needs one more list.
  bool take_doubt() { return news_.take_doubt(); }
  /// The newest list holds a slice here that could not be decoded, whichever it is.
  bool is_unreadable(const object_key& key) const { return unreadable_.contains(key); }
  std::size_t size() const { return rows_->count().recorded; }
  bool knows(const std::string& uid) const { return find(uid) != nullptr; }
  /// The record, or null. Valid until the next call of anything that reads or writes the store.
  const slice_row* find(const std::string& uid) const;
  /// Changes the record by `change(row)`, if there is one.
  template <class Change>
  void update(const std::string& uid, const Change& change) {
    const auto at = rows_->of_uid(uid);
    if (!at || !rows_->look(*at).recorded)
      return;
    slice_row row = rows_->take(*at);
    change(row);
    rows_->save(*at, std::move(row));
  }
  /// The record's exporter is awake or not, and was sent the observation of this number last.
  void mark(const std::string& uid, bool awake, std::uint64_t number) {
    if (const auto at = rows_->of_uid(uid); at && rows_->look(*at).recorded)
      rows_->mark(*at, awake, number);
  }
  std::vector<std::string> uids() const;
  std::optional<std::string> uid_at(const object_key& key) const {
    const auto at = rows_->at_key(key);
    return at ? std::optional{rows_->look(*at).uid} : std::nullopt;
  }
  /// Visits each record: its UID and key.
  template <class Visit>
  void for_each(Visit visit) const {
    for (record_store::slot at = 0; at < rows_->end(); ++at)
      if (rows_->holds(at) && rows_->peek(at).recorded) {
        const auto [uid, key] = rows_->identify(at);
        visit(uid, key);
      }
  }
  /// UIDs of the records that are assumed to be gone, or were.
  std::vector<std::string> assumed() const;
  /// How many slices carry annotations of ours.
  std::size_t annotated() const { return rows_->count().annotated; }
  /// UIDs of the slices of this Service, and of those whose annotation holds this export name.
  std::vector<std::string> of_service(const object_key& service) const;
  std::vector<std::string> carrying(const std::string& name) const;

private:
  void take(const endpoint_slice& seen, bool is_answer, touch_list& out);
  void put(const endpoint_slice& seen, const hearing& heard, touch_list& out);
  void lose(const std::string& uid, touch_list& out);
  std::optional<holding> held_at(record_store::slot at) const;
  void hear(record_store::slot at, const hearing& heard);
  void store(std::optional<record_store::slot> at, slice_row row);

  bool every_version_counts_;
  bool keeps_fallback_;
  newness news_;
  unreadable_keys unreadable_;
  std::shared_ptr<record_store> rows_;
};

} // namespace sliceferry::core
