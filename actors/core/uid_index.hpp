#pragma once
#include <set>
#include <string>
#include <unordered_map>

namespace sliceferry::core {

/// Which UIDs belong to a key: many to many, ordered by UID, without a scan (D15).
/// A thousand slices under one key cost no more each than one does.
template <class Key>
class uid_index {
public:
  void add(const Key& key, const std::string& uid) { uids_[key].insert(uid); }

  void remove(const Key& key, const std::string& uid) {
    const auto at = uids_.find(key);
    if (at == uids_.end())
      return;
    at->second.erase(uid);
    if (at->second.empty())
      uids_.erase(at);
  }

  const std::set<std::string>& of(const Key& key) const {
    static const std::set<std::string> none;
    const auto at = uids_.find(key);
    return at == uids_.end() ? none : at->second;
  }

private:
  std::unordered_map<Key, std::set<std::string>> uids_;
};

} // namespace sliceferry::core
