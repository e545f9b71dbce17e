#include "actors/core/text_pool.hpp"

namespace sliceferry::core {

std::uint32_t text_pool::acquire(std::string_view text) {
  if (const auto found = ids_.find(text); found != ids_.end()) {
    ++entries_[found->second].uses;
    return found->second;
  }
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(entries_.size()));
    entries_.emplace_back();
  }
  const auto id = free_.back();
  free_.pop_back();
  entries_[id] = {std::string{text}, 1};
  ids_.emplace(entries_[id].text, id);
  return id;
}

void text_pool::release(std::uint32_t id) {
  entry& held = entries_[id];
  if (--held.uses != 0)
    return;
  ids_.erase(held.text);
  held = {};
  free_.push_back(id);
  if (!ids_.empty())
    return;
  entries_.clear();
  free_.clear();
}

} // namespace sliceferry::core
