#pragma once
#include "actors/core/member_identity.hpp"
#include "actors/core/newness.hpp"
#include "actors/core/record_store.hpp"
#include "messages/hub_export.hpp"
#include "messages/slice_export.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
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
///
/// The exports are parts of the rows of those who claim them, in a store that it shares with the member's
/// `slice_table`.
class hub_view {
public:
  /// With a store of its own, where there are no slices to go with the exports.
  explicit hub_view(const std::shared_ptr<const member_identity>& who)
    : hub_view(who, std::make_shared<record_store>(who->cluster)) {}
  hub_view(std::shared_ptr<const member_identity> who, std::shared_ptr<record_store> rows)
    : who_(std::move(who)), rows_(std::move(rows)) {}
  hub_view(hub_view&&) = default;
  hub_view& operator=(hub_view&&) = default;

  bool concerns(const slice_export& seen) const { return seen.key.nspace == who_->hub_nspace; }

  void init() { news_.init(); }
  void spare(const object_key& key);
  std::vector<hub_change> init_done(const std::string& resource_version);
  /// `owner_is_known`: the slice that claims the object so far is one that the member's table knows. `maker`: the slice
  /// that remembers a write of ours which made or changed this object, or empty: it is that slice's.
  hub_change applied(const slice_export& seen, bool owner_is_known, const std::string& maker = {});
  hub_change answered(const slice_export& seen, bool owner_is_known);
  /// The export of this name and hub UID is this slice's, as a write of ours for it made or changed the object.
  hub_change claim(const std::string& name, const std::string& hub_uid, const std::string& slice_uid);
  hub_change deleted(const slice_export& last);
  /// A request for this slice's export removed the object with this hub UID, or found that it is no longer there.
  hub_change removed(const std::string& slice_uid, const std::string& hub_uid);

  bool synced() const { return news_.synced(); }
  /// True once for each time that answers contradicted the stream: it needs one more list.
  bool take_doubt() { return news_.take_doubt(); }
  /// True once for each list that shows a restored backup.
  bool take_restored() { return news_.take_restored(); }
  std::size_t size() const { return rows_->count().exports; }
  std::optional<hub_record> find(const std::string& name) const;
  /// Names of the exports that this slice claims, in order.
  std::vector<std::string> owned_by(const std::string& slice_uid) const;
  /// Visits the claimed exports: the owner and where their references say that the slice is. Several that say the same
  /// may be visited as one.
  template <class Visit>
  void for_each_claim(Visit visit) const {
    for (record_store::slot at = 0; at < rows_->end(); ++at) {
      if (!rows_->holds(at))
        continue;
      const auto head = rows_->peek(at);
      if (head.exports == 0)
        continue;
      if (const auto [uid, key] = rows_->identify(at); uid.empty() || !head.refers_elsewhere) {
        if (!uid.empty())
          visit(uid, key);
        continue;
      }
      const slice_row row = rows_->look(at); // a copy: the visitor may ask for others
      for (const auto& each : row.exports)
        visit(row.uid, each.slice);
    }
  }
  /// Names of all exports that some slice of our cluster claims of which nobody has a record.
  std::vector<std::string> ownerless() const;
  /// How many exports some slice of our cluster claims.
  std::size_t claimed_count() const { return rows_->count().claimed; }
  /// The object as the rules of this slice see it.
  hub_export reduced(const slice_export& seen, const std::string& slice_uid) const;

private:
  using place = record_store::export_place;

  /// What the table knows of whose an object is, as `applied` has it.
  struct claimant {
    bool owner_is_known = false;
    const std::string& maker;
  };

  hub_change take(const slice_export& seen, bool is_answer, const claimant& whose);
  hub_change put(const slice_export& seen, const std::optional<place>& at, const hearing& heard, const claimant& whose);
  hub_change remove(const place& at);
  void hear(const place& at, const hearing& heard);
  /// Stores the export as its owner's, in place of the one that is at `at`.
  void store(const std::optional<place>& at, held_export next, const std::string& owner);
  std::optional<holding> held_at(const std::optional<place>& at) const;
  const std::string& referenced(const slice_export& seen) const;
  hub_export reduced(const slice_export& seen) const;

  std::shared_ptr<const member_identity> who_;
  newness news_;
  std::shared_ptr<record_store> rows_;
};

} // namespace sliceferry::core
