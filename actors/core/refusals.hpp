#pragma once
#include "actors/core/uid_packer.hpp"
#include "messages/object_key.hpp"
#include "messages/outcome.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

namespace sliceferry::core {

/// The slices of one member whose last command a server refused for its content: over quota, denied by a webhook,
/// invalid. For people; the process serves all others and is as ready as before. A missing right is not among them: it
/// concerns all writes of its kind and is one of `write_troubles`.
///
/// Both changes return whether the text is another one now. Of each slice little more than its UID is kept, of the
/// newest `texts_max` refusals also why.
class refusals {
public:
  static constexpr std::size_t texts_max = 64;

  /// A command of the slice's exporter ended.
  bool answered(const object_key& slice, const write_answer& end) {
    if (end.how == verdict::superseded || end.how == verdict::taken_back || end.how == verdict::too_late)
      return false; // says nothing of the content
    if (end.how != verdict::refused || end.why.code == errc::forbidden)
      return ended(end.slice_uid);
    ended(end.slice_uid);
    orders_[uids_.pack(end.slice_uid)] = ++last_;
    texts_[last_] = to_string(slice) + ": " + to_string(end.why);
    if (texts_.size() > texts_max)
      texts_.erase(texts_.begin());
    return true;
  }

  /// Nothing is owed for the slice any more, or its exporter died.
  bool ended(const std::string& slice_uid) {
    const auto packed = uids_.find(slice_uid);
    const auto found = packed ? orders_.find(*packed) : orders_.end();
    if (found == orders_.end())
      return false;
    texts_.erase(found->second);
    orders_.erase(found);
    uids_.forget(*packed);
    return true;
  }

  /// How many there are and why the newest one was refused; empty if there are none.
  std::string text() const {
    if (orders_.empty())
      return {};
    const auto count = std::to_string(orders_.size()) + " refused";
    return texts_.empty() ? count : count + ", the last one " + texts_.rbegin()->second;
  }

private:
  uid_packer uids_;
  std::unordered_map<packed_uuid, std::uint64_t, packed_uuid_hash> orders_; ///< by slice UID
  std::map<std::uint64_t, std::string> texts_;                              ///< by order of refusal
  std::uint64_t last_ = 0;
};

} // namespace sliceferry::core
