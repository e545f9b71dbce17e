#pragma once
#include "actors/core/consent_view.hpp"
#include "actors/core/hub_view.hpp"
#include "actors/core/leave_progress.hpp"
#include "actors/core/leftover.hpp"
#include "actors/core/leftover_queue.hpp"
#include "actors/core/member_identity.hpp"
#include "actors/core/memory.hpp"
#include "actors/core/mirrored.hpp"
#include "actors/core/slice_search.hpp"
#include "actors/core/slice_table.hpp"
#include "actors/core/touched.hpp"
#include "messages/clock.hpp"
#include "messages/inputs.hpp"
#include "messages/outcome.hpp"
#include "messages/watch_event.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry::core {

/// What a writer's answer means: how the command ended, for the exporter of its slice, and which
/// other slices the object in the answer touched.
struct answer_effect {
  touched others; ///< without the slice of the command: its exporter gets `end`
  outcome end;
  bool relist_member = false; ///< the answer contradicts what the member's streams told
  bool relist_hub = false;    ///< the same of the hub
};

/// All that is known of one member: its slices ⋈ its ServiceExports ⋈ its exports on the hub.
///
/// Each feed takes what was seen and says whose inputs may have changed; echoes of our own writes
/// and repetitions touch nobody. Per object the newest resourceVersion wins (`newness`). No feed
/// looks at more than what the news concerns, but for the end of a list.
///
/// An input is synced from its first complete list on and stays so; at that moment all slices are touched.
/// The table also keeps, by UID, the memory of slices whose exporters have retired, and the
/// numbers of the observations sent to those that are awake.
class member_table {
public:
  explicit member_table(std::shared_ptr<const member_identity> who);
  member_table(member_table&&) = default;
  member_table& operator=(member_table&&) = default;

  touched slices(const watch_batch<endpoint_slice>& seen);
  touched consents(const watch_batch<service_export>& seen);
  touched exports(const watch_batch<slice_export>& seen);
  answer_effect answered(const write_answer& answer);

  bool synced(mirrored collection) const;
  /// Before that, nothing can be decided about any slice: news needs no hearers.
  bool decides() const { return leaving_ || (slices_.synced() && consents_.synced() && hub_.synced()); }
  bool knows(const std::string& uid) const { return slices_.knows(uid); }
  /// The whole picture of one slice; of an unknown one nothing but what is synced.
  inputs inputs_of(const std::string& uid) const;
  /// The UID of the slice that the member holds here.
  std::optional<std::string> uid_at(const object_key& where) const;
  /// All that is known under this name. Looks at all slices and exports.
  slice_search search(const object_key& where) const;
  /// The picture of a slice that `search` found here. Of one that isn't known: its exports, and no proof of anything.
  inputs inputs_at(const std::string& uid, const object_key& where) const;
  /// Some slice of the member claims the export under this name.
  bool is_claimed(const std::string& name) const;
  /// Visits all slices, each read once: its row and its picture. `visit` may `adopt` the one at hand.
  template <class Visit>
  void for_each(const Visit& visit) {
    for (record_store::slot at = 0; at < rows_->end(); ++at) {
      rows_->expect(at + 8);
      if (rows_->holds(at) && rows_->peek(at).recorded) {
        auto seen = picture(rows_->look(at));
        visit(rows_->look(at), std::move(seen));
      }
    }
  }
  /// UIDs of all slices, in no order.
  std::vector<std::string> uids() const { return slices_.uids(); }
  /// UIDs of the slices whose annotation holds this export name.
  std::vector<std::string> carrying(const std::string& name) const { return slices_.carrying(name); }
  /// The slice is gone, or no ServiceExport is there for it, or one that ends. Cheaper than its inputs.
  bool lacks_input(const std::string& uid) const;
  /// How many exports the member's hub namespace holds.
  std::size_t exports() const { return hub_.size(); }
  /// True once for each list of exports that shows that the hub was restored from a backup.
  bool take_hub_restored() { return hub_.take_restored(); }
  /// The member holds no slice at all.
  bool is_without_slices() const { return slices_.is_empty(); }

  /// A journal kept this memory of a slice, which is or was at this key. It is taken where it says more than the
  /// clusters did: by a slice whose last exporter left nothing. A slice that isn't known yet finds it when it is seen;
  /// one that a complete list doesn't hold is gone by that list, and its exports are withdrawn or its stream ends.
  /// Exports that it created are the slice's, whatever their reference says by now.
  touched remember(const std::string& uid, const object_key& key, const memory& held);

  /// The memory that the slice's last exporter left; nothing while one is awake, and for an unknown slice.
  std::optional<memory> kept(const std::string& uid) const;
  /// The slice's exporter starts: hands over the memory that the last one left. Unless the slice is known, nothing.
  memory wake(const std::string& uid);
  /// The number of the next observation for the slice's exporter, from 1 on.
  std::uint64_t next_number(const std::string& uid);
  /// The exporter asks to end with this memory, having seen the observation of this number. Refused
  /// (false) if a later one is on its way: it will ask again. A slice that is gone and has no
  /// export left is forgotten then.
  bool retire(const std::string& uid, std::uint64_t last_seen, memory held);
  /// Of a dormant slice that remembers nothing there is only to remember this: as if an exporter had woken, seen what
  /// the clusters show and retired.
  void adopt(const std::string& uid, memory held);
  /// The exporter died and its memory with it; the next one starts from what the clusters show.
  void died(const std::string& uid);
  std::size_t awake() const { return rows_->count().awake; }
  std::size_t dormant() const { return slices_.size() - awake(); }
  /// How many of the dormant slices remember an export of theirs.
  std::size_t resting() const { return rows_->count().resting; }

  /// Exports of our cluster whose slice isn't there, once slices and exports are synced, and hasn't been for
  /// `orphan_grace`. The caller reads each slice from the member and reports by `confirm`; until then it is not
  /// named again.
  std::vector<leftover> take_leftovers(tick now);
  /// Some may become due without news: ask for them now and then.
  bool has_waiting_leftovers() const { return leftovers_.has_waiting(); }
  /// What the list of slices that is now complete shows under the slice's key, for `confirm`. A slice there that could
  /// not be decoded may be the one.
  std::optional<std::string> uid_listed(const leftover& suspected) const;
  /// What the read found under the slice's key: its UID, or nothing (404). If it isn't that slice, a
  /// record is made from which an exporter can withdraw the export.
  touched confirm(const leftover& suspected, const std::optional<std::string>& uid_found);

  /// An operator has the member leave the fleet: no export of it is made and all there are go, with or without a slice,
  /// whether the member can be asked or not. Off: what was withdrawn comes back under new names (C27), and of slices
  /// that were never seen nothing more is withdrawn without proof.
  touched leave(bool on);
  bool is_leaving() const { return leaving_; }
  core::leave_progress leave_progress() const;

private:
  /// What holds for every slice.
  inputs picture() const;
  /// `row` may no longer be valid afterwards.
  inputs picture(const slice_row& row) const;
  /// Nobody is awake for it any more.
  void came_to_rest(const std::string& uid);
  void take_slice(const write_answer& answer, outcome& end, touch_list& out);
  void take_export(const write_answer& answer, outcome& end, touch_list& out);
  void take_export(const slice_export& seen, touch_list& out);
  void touch_service(const object_key& service, touch_list& out) const;
  void touch_export(const hub_change& change, touch_list& out);
  /// Of an export of ours without a slice: it is suspected or, while leaving, on record at once.
  void answer_for(const std::string& name, touch_list& out);
  void answer_for_all(touch_list& out);
  /// The record, if nobody is awake for it and it rests on nothing but a leave that was taken back: its exports are
  /// suspected as any others.
  void drop_unfounded(const std::string& uid);
  /// The slice is gone and so are its exports, and no exporter of it is awake.
  bool nothing_is_left(const std::string& uid) const;
  bool owner_is_known(const std::string& name) const;
  /// Live, ours, and of a slice that isn't known.
  bool is_orphan(const hub_record& seen) const;
  bool is_suspect(const hub_record& seen) const;
  /// A list of slices or exports has just ended.
  void list_ended(bool was_synced, touch_list& out);

  std::shared_ptr<const member_identity> who_;
  std::shared_ptr<record_store> rows_; ///< of `slices_` and `hub_`
  slice_table slices_;
  consent_view consents_;
  hub_view hub_;
  leftover_queue leftovers_;
  bool leaving_ = false;
};

} // namespace sliceferry::core
