#pragma once
#include <set>
#include <string>
#include <utility>

namespace sliceferry::core {

/// Which exports are suspected to be leftovers, by name, and how far the suspicion has got:
/// pending, then asked about (by hub UID), then settled or refuted. One that is being asked about
/// isn't asked about again; a refuted one is suspected anew by the next news about it, or after
/// the next complete list of slices.
class leftover_queue {
public:
  void suspect(const std::string& name, const std::string& hub_uid) {
    if (asked_.count(hub_uid) == 0)
      pending_.insert(name);
  }
  void suspect_refuted_again() { pending_.merge(std::exchange(refuted_, {})); }

  std::set<std::string> take_pending() { return std::exchange(pending_, {}); }
  void asked(const std::string& hub_uid) { asked_.insert(hub_uid); }
  void settled(const std::string& hub_uid) { asked_.erase(hub_uid); }
  void refuted(const std::string& name) { refuted_.insert(name); }

private:
  std::set<std::string> pending_; ///< names
  std::set<std::string> asked_;   ///< hub UIDs
  std::set<std::string> refuted_; ///< names
};

} // namespace sliceferry::core
