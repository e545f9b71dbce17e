#include "test/storm/server/merge_patch.hpp"

namespace sliceferry::storm {

void merge_patch(boost::json::value& target, const boost::json::value& patch) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  if (!target.is_object())
    target.emplace_object();
  auto& object = target.get_object();
  for (const auto& each : patch.get_object())
    if (each.value().is_null())
      object.erase(each.key());
    else
      merge_patch(object[each.key()], each.value());
}

} // namespace sliceferry::storm
