#include "actors/core/slice_search.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace sliceferry::core {

void near_keys::offer(const object_key& key) {
  constexpr std::size_t alike_min = 3; // fewer letters than these are chance
  std::size_t score = 0;
  if (key.name == wanted_.name) {
    score = std::numeric_limits<std::size_t>::max();
  } else if (key.nspace == wanted_.nspace) {
    const auto end = std::mismatch(key.name.begin(), key.name.end(), wanted_.name.begin(), wanted_.name.end()).first;
    score = static_cast<std::size_t>(end - key.name.begin());
  }
  if (score < alike_min || (best_.size() == count_max && best_.back().score > score))
    return;
  // Ordered by name where equally likely, whatever the order of the offers.
  const auto place = std::ranges::find_if(
    best_, [&](const candidate& each) { return each.score < score || (each.score == score && key < each.key); });
  best_.insert(place, {score, key});
  if (best_.size() > count_max)
    best_.pop_back();
}

std::vector<object_key> near_keys::take() {
  std::vector<object_key> out;
  for (auto& each : std::exchange(best_, {}))
    out.push_back(std::move(each.key));
  return out;
}

} // namespace sliceferry::core
