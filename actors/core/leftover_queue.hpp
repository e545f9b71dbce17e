#pragma once
#include "messages/clock.hpp"

#include <chrono>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sliceferry::core {

/// Which exports are suspected to be leftovers, by name, and how far the suspicion has got:
/// pending, then waiting for the grace to pass, then asked about (by hub UID), then settled or
/// refuted. One that is being asked about isn't asked about again; a refuted one is suspected anew
/// by the next news about it, or after the next complete list of slices.
class leftover_queue {
public:
  void suspect(const std::string& name, const std::string& hub_uid) {
    if (asked_.count(hub_uid) == 0)
      pending_.insert_or_assign(name, hub_uid);
  }
  void suspect_refuted_again() { pending_.merge(std::exchange(refuted_, {})); }
  /// The export is no longer there, or it isn't one to be suspected.
  void clear(const std::string& name) {
    if (const auto found = waiting_.find(name); found != waiting_.end()) {
      due_.erase({found->second.due, name});
      waiting_.erase(found);
    }
  }

  /// Names of the objects whose grace has passed by `now`, oldest suspicion first. It counts from the first
  /// call after the suspicion, whatever news there is of the same object meanwhile.
  std::vector<std::string> take_due(tick now, std::chrono::nanoseconds grace) {
    for (const auto& [name, hub_uid] : std::exchange(pending_, {}))
      wait(name, hub_uid, now + grace);
    std::vector<std::string> out;
    while (!due_.empty() && due_.begin()->first <= now) {
      out.push_back(due_.begin()->second);
      clear(out.back());
    }
    return out;
  }
  /// `take_due` will have something to say, now or later, without news.
  bool has_waiting() const { return !waiting_.empty() || !pending_.empty(); }

  void asked(const std::string& hub_uid) { asked_.insert(hub_uid); }
  void settled(const std::string& hub_uid) { asked_.erase(hub_uid); }
  void refuted(const std::string& name, const std::string& hub_uid) { refuted_.insert_or_assign(name, hub_uid); }

private:
  struct suspicion {
    std::string hub_uid;
    tick due;
  };

  void wait(const std::string& name, const std::string& hub_uid, tick due) {
    if (const auto found = waiting_.find(name); found != waiting_.end() && found->second.hub_uid == hub_uid)
      return;
    clear(name);
    waiting_.emplace(name, suspicion{hub_uid, due});
    due_.emplace(due, name);
  }

  std::unordered_map<std::string, std::string> pending_; ///< name → hub UID
  std::unordered_map<std::string, suspicion> waiting_;
  std::set<std::pair<tick, std::string>> due_; ///< of `waiting_`
  std::unordered_set<std::string> asked_;      ///< hub UIDs
  std::unordered_map<std::string, std::string> refuted_;
};

} // namespace sliceferry::core
