#include "test/storm/server/event_log.hpp"

#include <algorithm>

namespace sliceferry::storm {

void event_log::push(logged_event event) {
  events_.push_back(std::move(event));
  while (events_.size() > most_) {
    floor_ = events_.front().version();
    events_.pop_front();
  }
}

void event_log::clear(std::uint64_t floor) {
  events_.clear();
  floor_ = floor;
}

std::deque<logged_event>::const_iterator event_log::after(std::uint64_t version) const {
  return std::upper_bound(events_.begin(), events_.end(), version,
                          [](std::uint64_t wanted, const logged_event& each) { return wanted < each.version(); });
}

event_log::differences event_log::undone(std::size_t kind, std::uint64_t version) const {
  differences out;
  // The first change after the version knows how the object was before.
  for (auto each = after(version); each != end(); ++each)
    if (each->kind == kind)
      out.try_emplace({each->nspace, each->name}, each->before);
  return out;
}

} // namespace sliceferry::storm
