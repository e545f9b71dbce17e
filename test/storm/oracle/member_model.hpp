#pragma once
#include "test/storm/oracle/latencies.hpp"
#include "test/storm/oracle/life.hpp"
#include "test/storm/oracle/oracle_options.hpp"
#include "test/storm/oracle/storyteller.hpp"

#include <deque>
#include <unordered_map>
#include <unordered_set>

namespace sliceferry::storm {

/// An entry of the history with the two times at which it happened and whether it was the program's.
struct happening {
  const history_entry& entry;
  moment now;
  bool by_program = false;
};

/// One member as the history has built it, joined: its slices, its ServiceExports, and the exports in its hub
/// namespace.
///
/// It keeps one `life` for each UID, until a while after nothing of it stands any more; and always knows which lives
/// are owed something. Lives and export records keep their address as long as they stand.
class member_model {
public:
  /// Propagation is added to `spread`, stories to `teller`; both must outlive the model.
  member_model(const oracle_options::member& which, const oracle_options& options, storyteller& teller,
               latencies& spread);
  member_model(const member_model&) = delete;
  member_model& operator=(const member_model&) = delete;

  const std::string& name() const { return name_; }
  life* slice_at(const object_key& key);
  life* find_life(const std::string& uid);
  export_record* export_at(const std::string& name);
  /// Whether some slice but this one carries the name, or did lately. Looks at all of them.
  bool is_carried_by_another(const std::string& name, const life* than) const;
  const consent_record* consent_at(const object_key& key) const;

  void see(seen_slice seen, const happening& what);
  void drop_slice(const object_key& key, const happening& what);
  void see(const seen_consent& seen, const happening& what);
  void drop_consent(const object_key& key, const happening& what);
  void see(seen_export seen, const happening& what);
  void drop_export(const std::string& name, const happening& what);

  /// A kind of the member's API is gone, or back: until then nothing can be said of what should be exported.
  void suspend(bool suspended, moment now);
  bool suspended() const { return suspended_; }
  /// While a kind is gone: another export of a slice that had been called for was lost by the program's doing. True
  /// when that one makes it a mass.
  bool loses_one_more();
  /// From now on a webhook of the hub changes the ports of exports that are written, or none does.
  void exports_mutate(bool mutate) { exports_mutate_ = mutate; }
  /// How often something happened by which the hub must hold something else than it does: a slice is to be exported
  /// or not any more, has another content or name; an export was undone by others.
  std::uint64_t changes() const { return changes_; }
  void drop_all_exports(const happening& what);
  void program_started(moment now);
  void restored() { versions_compare_ = false; }
  /// Forgets lives that are over since a while.
  void prune(instant at);

  const std::unordered_set<life*>& owed() const { return owed_; }
  const std::unordered_set<life*>& doubled() const { return doubled_; }
  std::size_t size() const { return lives_.size(); }
  std::size_t slices() const { return slices_.size(); }
  std::size_t live_exports() const; ///< of this member's slices, in its hub namespace
  standing standing_of(const life& whose) const;

private:
  struct service {
    consent_record says;
    std::vector<life*> slices;
  };

  life& life_at(const std::string& uid);
  call judge(const life& whose) const;
  void enter(life& whose);
  void leave(life& whose);
  void leave_export(export_record& record);
  /// What follows from a change: what is called for, owed, doubled, and how long it took.
  void settle(life& whose, moment now);
  void await(life& whose, instant at);
  void arrive(life& whose, instant at);
  void resettle_all(moment now);
  void bury(life& whose);

  std::string name_;
  const oracle_options& options_;
  storyteller& teller_;
  latencies& spread_;
  std::unordered_map<std::string, life> lives_;
  std::unordered_map<object_key, life*> slices_;
  std::unordered_map<object_key, service> services_;
  std::unordered_map<std::string, export_record> exports_;
  std::unordered_set<life*> owed_;
  std::unordered_set<life*> doubled_;
  std::deque<std::pair<instant, std::string>> graves_;
  bool versions_compare_ = true;
  bool suspended_ = false;
  bool exports_mutate_ = false;
  std::uint64_t changes_ = 0;
  std::size_t held_ = 0; ///< exports when the kind was removed
  std::size_t lost_ = 0; ///< of them, since
};

} // namespace sliceferry::storm
