#pragma once
#include "actors/core/inventory.hpp"
#include "actors/core/member_identity.hpp"
#include "actors/core/slice_record.hpp"
#include "actors/core/touched.hpp"
#include "actors/core/uid_index.hpp"
#include "actors/core/unreadable_keys.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>
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
class slice_table {
public:
  explicit slice_table(const member_identity& who)
    : every_version_counts_(who.refresh_resource_version_always), keeps_fallback_(who.serving_fallback) {}

  void init() {
    present_.init();
    unreadable_.init();
  }
  void spare(const object_key& key) {
    present_.spare(key);
    unreadable_.add(key);
  }
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
  /// The UID of the slice whose memory came from a journal and holds this export under this name, or null.
  const std::string* remembering(const std::string& name, const std::string& hub_uid) const;
  /// Every export is known: none will come that must be found by the name that a memory holds.
  void forget_names() { by_remembered_ = {}; }
  /// Records a slice of which only an export tells. It must not be known. `assumed`: without proof that it is gone.
  void add_leftover(const sighting& who, bool assumed = false);
  void drop(const std::string& uid) { records_.erase(uid); }

  bool synced() const { return present_.synced(); }
  /// No slice is there.
  bool is_empty() const { return present_.is_empty(); }
  /// True once for each time that answers contradicted the stream: it needs one more list.
  bool take_doubt() { return present_.take_doubt(); }
  /// The newest list holds a slice here that could not be decoded, whichever it is.
  bool is_unreadable(const object_key& key) const { return unreadable_.contains(key); }
  std::size_t size() const { return records_.size(); }
  const slice_record* find(const std::string& uid) const;
  slice_record* find(const std::string& uid);
  std::vector<std::string> uids() const;
  const std::string* uid_at(const object_key& key) const { return present_.uid_at(key); }
  /// Visits each record: its UID and key.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& [uid, record] : records_)
      visit(uid, record.key);
  }
  /// UIDs of the records that are assumed to be gone, or were.
  std::vector<std::string> assumed() const;
  /// How many slices carry annotations of ours.
  std::size_t annotated() const { return annotated_; }
  /// UIDs of the slices of this Service, and of those whose annotation holds this export name.
  const std::set<std::string>& of_service(const object_key& service) const { return by_service_.of(service); }
  const std::set<std::string>& carrying(const std::string& name) const { return by_name_.of(name); }

private:
  void put(const endpoint_slice& seen, const admission& how, touch_list& out);
  void lose(const std::string& uid, touch_list& out);
  slice_record& record_of(const std::string& uid);
  /// What is remembered of slices that never were seen shows that these are gone, unless one is where it can't be read.
  void conclude_remembered(touch_list& out);
  void index(const endpoint_slice& slice);
  void unindex(const endpoint_slice& slice);

  bool every_version_counts_;
  bool keeps_fallback_;
  inventory present_;
  unreadable_keys unreadable_;
  std::unordered_map<std::string, slice_record> records_;
  std::unordered_map<std::string, slice_record> waiting_; ///< remembered, and not seen yet
  uid_index<std::string> by_remembered_;                  ///< name of an export → UIDs of slices that remember it
  uid_index<object_key> by_service_;
  uid_index<std::string> by_name_;
  std::size_t annotated_ = 0;
};

} // namespace sliceferry::core
