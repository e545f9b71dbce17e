#pragma once
#include "actors/core/inventory.hpp"
#include "actors/core/member_identity.hpp"
#include "actors/core/uid_index.hpp"
#include "messages/hub_export.hpp"
#include "messages/slice_export.hpp"

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sliceferry::core {

/// One export of the member's hub namespace, and whose it is.
struct hub_record {
  hub_export seen;      ///< `mine` is false: that depends on who asks
  std::string owner;    ///< UID of the one slice that claims it, or empty
  bool created = false; ///< claimed because our hub write for that slice made or changed it
  object_key slice;     ///< where its reference says that the slice is
};

/// What news did to one name on the hub. `version`: only its resourceVersion moved.
struct hub_change {
  enum class extent { none, version, content };
  std::string name;
  extent what = extent::none;
  std::string former_owner;
  std::string owner;
};

/// The exports in a member's hub namespace, by name; those of other namespaces don't exist for it.
///
/// An export belongs to one slice: the one for which we wrote it, else the one that its
/// reference names under our cluster id. The first claim wins and holds for the life of the
/// object while that slice is known, whatever a foreign hand makes of the reference (law 6).
class hub_view {
public:
  explicit hub_view(std::shared_ptr<const member_identity> who) : who_(std::move(who)) {}

  bool concerns(const slice_export& seen) const { return seen.key.nspace == who_->hub_nspace; }

  void init() { present_.init(); }
  void spare(const object_key& key) { present_.spare(key); }
  std::vector<hub_change> init_done(const std::string& resource_version);
  /// `owner_is_known`: the slice that claims the object so far is one that the member's table knows.
  hub_change applied(const slice_export& seen, bool owner_is_known);
  hub_change answered(const slice_export& seen, bool owner_is_known);
  /// The export of this name and hub UID is this slice's, as a write of ours for it made or changed the object.
  hub_change claim(const std::string& name, const std::string& hub_uid, const std::string& slice_uid);
  hub_change deleted(const slice_export& last);
  /// A request for this slice's export removed the object with this hub UID, or found that it is no longer there.
  hub_change removed(const std::string& slice_uid, const std::string& hub_uid);

  bool synced() const { return present_.synced(); }
  /// True once for each time that answers contradicted the stream: it needs one more list.
  bool take_doubt() { return present_.take_doubt(); }
  /// True once for each list that shows a restored backup.
  bool take_restored() { return present_.take_restored(); }
  std::size_t size() const { return records_.size(); }
  const hub_record* find(const std::string& name) const;
  /// Names of the exports that this slice claims, in order.
  const std::set<std::string>& owned_by(const std::string& slice_uid) const { return owned_.of(slice_uid); }
  /// Visits each claimed export: its owner and where its reference says that the slice is.
  template <class Visit>
  void for_each_claim(Visit visit) const {
    for (const auto& [name, record] : records_)
      if (!record.owner.empty())
        visit(record.owner, record.slice);
  }
  /// Names of all exports that some slice of our cluster claims.
  std::vector<std::string> claimed() const;
  std::size_t claimed_count() const;
  /// The object as the rules of this slice see it.
  hub_export reduced(const slice_export& seen, const std::string& slice_uid) const;

private:
  hub_change put(const slice_export& seen, const admission& how, bool owner_is_known);
  hub_change remove(const std::string& name);
  void own(const std::string& name, hub_record& record, const std::string& owner);
  const std::string& referenced(const slice_export& seen) const;
  hub_export reduced(const slice_export& seen) const;

  std::shared_ptr<const member_identity> who_;
  inventory present_;
  std::unordered_map<std::string, hub_record> records_;
  uid_index<std::string> owned_; ///< slice UID → export names
};

} // namespace sliceferry::core
