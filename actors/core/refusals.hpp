#pragma once
#include "messages/object_key.hpp"
#include "messages/outcome.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

namespace sliceferry::core {

/// The slices of one member whose last command a server refused for its content: over quota, denied by a webhook,
/// invalid. For people; the process serves all others and is as ready as before. A missing right is not among them: it
/// concerns all writes of its kind and is one of `write_troubles`.
///
/// Both changes return whether the text is another one now.
class refusals {
public:
  /// A command of the slice's exporter ended.
  bool answered(const object_key& slice, const write_answer& end) {
    if (end.how == verdict::superseded || end.how == verdict::taken_back || end.how == verdict::too_late)
      return false; // says nothing of the content
    if (end.how != verdict::refused || end.why.code == errc::forbidden)
      return ended(end.slice_uid);
    ended(end.slice_uid);
    orders_[end.slice_uid] = ++last_;
    texts_[last_] = to_string(slice) + ": " + to_string(end.why);
    return true;
  }

  /// The slice's exporter is no more, or has nothing to do any more.
  bool ended(const std::string& slice_uid) {
    const auto found = orders_.find(slice_uid);
    if (found == orders_.end())
      return false;
    texts_.erase(found->second);
    orders_.erase(found);
    return true;
  }

  /// How many there are and why the newest one was refused; empty if there are none.
  std::string text() const {
    if (texts_.empty())
      return {};
    return std::to_string(texts_.size()) + " refused, the last one " + texts_.rbegin()->second;
  }

private:
  std::unordered_map<std::string, std::uint64_t> orders_; ///< by slice UID
  std::map<std::uint64_t, std::string> texts_;            ///< by order of refusal
  std::uint64_t last_ = 0;
};

} // namespace sliceferry::core
