#include "actors/core/member_table.hpp"

#include <algorithm>

namespace sliceferry::core {

std::optional<std::string> member_table::uid_at(const object_key& where) const {
  return slices_.uid_at(where);
}

slice_search member_table::search(const object_key& where) const {
  slice_search out;
  near_keys near{where};
  out.slices = slices_.size();
  if (auto there = uid_at(where))
    out.uids.push_back(std::move(*there));
  const auto find = [&out](const std::string& uid) {
    if (std::ranges::find(out.uids, uid) == out.uids.end())
      out.uids.push_back(uid);
  };
  slices_.for_each([&](const std::string& uid, const object_key& key) {
    if (key == where)
      find(uid);
    else
      near.offer(key);
  });
  hub_.for_each_claim([&](const std::string& owner, const object_key& key) {
    if (key == where)
      find(owner);
  });
  if (out.uids.empty())
    out.near = near.take();
  return out;
}

inputs member_table::inputs_at(const std::string& uid, const object_key& where) const {
  auto out = inputs_of(uid);
  if (knows(uid))
    return out;
  out.key = where;
  for (const std::string& name : hub_.owned_by(uid)) {
    out.hub.push_back(hub_.find(name)->seen);
    out.hub.back().mine = true;
  }
  return out;
}

bool member_table::is_claimed(const std::string& name) const {
  const auto held = hub_.find(name);
  return held && !held->owner.empty();
}

} // namespace sliceferry::core
