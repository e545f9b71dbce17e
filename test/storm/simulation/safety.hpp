#pragma once
#include "actors/core/write_queue.hpp"
#include "test/storm/simulation/clusters.hpp"
#include "test/storm/simulation/mail.hpp"
#include "test/storm/simulation/told.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace sliceferry::storm {

/// What was broken, by a short name, and how.
struct violation {
  std::string check;
  std::string text;
};

/// Watches what a process sends and what its writes do, and says what must never happen.
///
/// It knows the truth and what the process was told of it. The first violation is kept.
class safety {
public:
  explicit safety(const clusters& truth) : truth_(truth) {}

  /// A new process, which was told nothing.
  void restarted(const core::write_limits& limits);
  void told_slices(const watch_batch<endpoint_slice>& seen) { slices_.take(seen); }
  void told_consents(const watch_batch<service_export>& seen) { consents_.take(seen); }
  void told_exports(const watch_batch<slice_export>& seen) { exports_.take(seen); }
  /// The answer reaches the process; a lost one, too, reaches it as a failure.
  void answered(const request& asked, const reply& end);
  /// All mail within the process is read.
  void quiet();

  void submitted(const core::work& asked);
  /// The slice's exporter threw. What it has in flight may still tell that the slice is missing, and nobody hears it;
  /// what it has queued must not leave once the news of its end has been read.
  void failed(const std::string& slice_uid);
  void left(const request& asked, tick now);
  /// What a write may find under its name: the UID of the export there, if any, and whether a finalizer holds it.
  struct met {
    std::string hub_uid;
    bool is_finalized = false;
  };
  /// A write was carried out. `forgotten`: its sender no longer waits for it, or is no more.
  void executed(const request& asked, const met& before, bool forgotten);
  /// Somebody changed the truth.
  void truth_changed(const std::set<std::string>& meddled);
  void clock_changed() { clock_is_wrong_ = true; }
  /// The process lags: what took its token in time may leave later.
  void lagged() { is_lagging_ = true; }

  void report(std::string check, std::string text);
  const std::optional<violation>& found() const { return found_; }

private:
  /// Which object a request is about, and for whom.
  using about = std::tuple<server, object_key>;
  struct sighting {
    std::int64_t generation = 0;
    std::optional<seconds_utc> since;
    bool is_borrowed = false; ///< it is the time of an earlier generation
  };

  static bool is_up_to(const std::map<std::string, std::uint64_t>& last, const core::work& asked);
  static about key_of(const request& asked) { return {asked.to, core::key_of(asked.asked).object}; }
  static object_key hub_key(const std::string& name) { return {our_nspace, name}; }

  void need_difference(const command& what);
  void need_calling(const object_key& slice, const std::string& uid, const command& what);
  void need_name(const apply_export& what);
  void need_no_calling(const withdraw_export& what);
  bool told_otherwise(const object_key& slice, const std::string& uid, const withdraw_export& what) const;
  void need_token(server to, tick now);
  void applied(const apply_export& what, bool forgotten);

  const clusters& truth_;
  told<endpoint_slice> slices_;
  told<service_export> consents_;
  told<slice_export> exports_;
  std::set<about> waited_for_;
  std::set<std::pair<about, std::string>> unread_; ///< writes whose answer was lost, by slice UID
  std::map<std::string, std::uint64_t> missing_;   ///< slices, and the version told of when they were not found
  core::write_limits limits_;
  bool is_lagging_ = false;
  double level_[2] = {};
  tick level_at_[2] = {};

  // Tickets by slice UID.
  std::map<std::string, std::uint64_t> tickets_; ///< the newest
  std::map<std::string, std::uint64_t> unheard_; ///< up to this one they are of an exporter that is no more
  std::map<std::string, std::uint64_t> buried_;  ///< the same, and everybody knows

  std::map<std::string, sighting> newest_; ///< by slice UID, as written to the hub
  std::set<std::string> excused_;          ///< slices whose exportedSince may have moved with reason
  bool clock_is_wrong_ = false;
  std::optional<violation> found_;
};

} // namespace sliceferry::storm
