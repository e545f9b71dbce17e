#pragma once
#include "messages/object_key.hpp"
#include "messages/watch_event.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::storm {

/// What one process has been told of a collection so far, by watch, list and answers: per object the newest version.
///
/// Kept apart from the program's own tables, so that the checks can say what it could have known. Beside the newest
/// value those since the last quiet moment count: news on its way between actors may excuse an act.
template <class T>
class told {
public:
  bool complete() const { return complete_; }
  /// All mail is read: what was told before the newest values is no excuse any more.
  void quiet() { ++epoch_; }

  void take(const watch_batch<T>& seen) {
    for (const auto& [change, object] : seen.events) {
      switch (change) {
        case watch_change::init:
          listed_.clear();
          break;
        case watch_change::applied:
          listed_.insert(object.key);
          tell(object.key, version_of(object), object);
          break;
        case watch_change::deleted:
          tell(object.key, version_of(object), std::nullopt);
          break;
        case watch_change::init_done:
          end_list(version_of(object));
          break;
      }
    }
  }

  void tell(const object_key& key, std::uint64_t version, std::optional<T> state) {
    auto& values = values_[key];
    const bool was_absent = values.empty() || !values.back().state;
    if ((!values.empty() && values.back().version >= version) || (was_absent && version <= listed_at_))
      return;
    drop_old(values);
    values.push_back({version, epoch_, std::move(state)});
  }

  /// The version of the newest value; 0 if there is none.
  std::uint64_t newest(const object_key& key) const {
    const auto at = values_.find(key);
    return at == values_.end() || at->second.empty() ? 0 : at->second.back().version;
  }

  bool is_held(const object_key& key) const {
    const auto at = values_.find(key);
    return at != values_.end() && !at->second.empty() && at->second.back().state;
  }

  /// Whether the newest value is the object of this UID.
  bool newest_is(const object_key& key, const std::string& uid) const {
    return is_held(key) && values_.at(key).back().state->uid == uid;
  }

  /// Whether the predicate, which takes a pointer to the object or null, holds for a value that the process may still
  /// go by. Of what it was never told, null counts.
  template <class Predicate>
  bool any(const object_key& key, Predicate holds) const {
    const auto at = values_.find(key);
    if (at == values_.end() || at->second.empty())
      return holds(static_cast<const T*>(nullptr));
    const auto& values = at->second;
    auto from = values.begin();
    for (auto each = values.begin(); each != values.end(); ++each)
      if (each->epoch < epoch_)
        from = each;
    const bool began_lately = from->epoch == epoch_;
    const auto holds_of = [&](const value& one) { return holds(one.state ? &*one.state : nullptr); };
    return (began_lately && holds(static_cast<const T*>(nullptr))) || std::any_of(from, values.end(), holds_of);
  }

private:
  struct value {
    std::uint64_t version = 0;
    std::uint64_t epoch = 0;
    std::optional<T> state;
  };

  static std::uint64_t version_of(const T& object) { return std::stoull(object.resource_version); }

  void drop_old(std::vector<value>& values) const {
    while (values.size() > 1 && values[1].epoch < epoch_)
      values.erase(values.begin());
  }

  void end_list(std::uint64_t version) {
    complete_ = true;
    listed_at_ = version;
    for (const auto& [key, values] : values_)
      if (!values.empty() && values.back().version < version && values.back().state && listed_.count(key) == 0)
        unlisted_.push_back(key);
    for (const auto& key : std::exchange(unlisted_, {}))
      tell(key, version, std::nullopt);
  }

  std::map<object_key, std::vector<value>> values_;
  std::set<object_key> listed_;
  std::vector<object_key> unlisted_;
  std::uint64_t listed_at_ = 0; ///< of the last complete list: what it lacks is gone or came later
  std::uint64_t epoch_ = 0;
  bool complete_ = false;
};

} // namespace sliceferry::storm
