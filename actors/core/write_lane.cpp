#include "actors/core/write_lane.hpp"

#include <algorithm>

namespace sliceferry::core {

namespace {

constexpr unsigned oldest_each = 4;
constexpr std::size_t create_line = 1 + static_cast<std::size_t>(work_rank::create);

} // namespace

write_lane::queue& write_lane::queue_of(const write_entry& entry) {
  return queues_[entry.unread ? 0 : 1 + static_cast<std::size_t>(entry.rank)];
}

void write_lane::add(write_entry& entry, tick due, tick now) {
  entry.ready = due <= now;
  entry.due = due;
  queue& line = queue_of(entry);
  if (entry.ready)
    line.ready.emplace(entry.order, &entry);
  else
    line.delayed.emplace(std::pair(due, entry.order), &entry);
}

void write_lane::remove(write_entry& entry) {
  queue& line = queue_of(entry);
  if (entry.ready)
    line.ready.erase(entry.order);
  else
    line.delayed.erase(std::pair(entry.due, entry.order));
}

std::optional<tick> write_lane::wake(std::size_t at) const {
  const queue& line = queues_[at];
  if (line.ready.empty() && line.delayed.empty())
    return std::nullopt;
  const tick due = line.ready.empty() ? line.delayed.begin()->first.first : tick::min();
  if (at != create_line)
    return due;
  const auto allowed = creates.ready_at();
  return allowed ? std::optional(std::max(due, *allowed)) : std::nullopt;
}

std::optional<tick> write_lane::wake() const {
  std::optional<tick> earliest;
  for (std::size_t at = 0; at < queues_.size(); ++at)
    if (const auto due = wake(at); due && (!earliest || *due < *earliest))
      earliest = due;
  return earliest;
}

write_entry* write_lane::pick(tick now, bool probe) {
  write_entry* urgent = nullptr;
  write_entry* oldest = nullptr;
  for (std::size_t at = 0; at < queues_.size(); ++at) {
    queue& line = queues_[at];
    while (!line.delayed.empty() && line.delayed.begin()->first.first <= now) {
      write_entry* entry = line.delayed.begin()->second;
      line.delayed.erase(line.delayed.begin());
      entry->ready = true;
      line.ready.emplace(entry->order, entry);
    }
    if (line.ready.empty() || (at == create_line && !creates.allows(now)))
      continue;
    write_entry* first = line.ready.begin()->second;
    urgent = urgent ? urgent : first;
    oldest = oldest && oldest->order < first->order ? oldest : first;
  }
  write_entry* chosen = ++picks_ % oldest_each == 0 && !probe ? oldest : urgent;
  if (!chosen)
    return nullptr;
  remove(*chosen);
  if (chosen->rank == work_rank::create && !chosen->unread)
    creates.sent();
  return chosen;
}

void write_lane::show_held_up(bool server_open, const std::function<bool(const write_entry&)>& more) const {
  for (std::size_t at = 1; at < queues_.size(); ++at)
    for (auto each = queues_[at].delayed.rbegin(); each != queues_[at].delayed.rend(); ++each)
      if (!more(*each->second))
        return;
  for (std::size_t at = 1; at < queues_.size(); ++at) {
    if (!server_open && (at != create_line || creates.closed()))
      continue;
    for (const auto& [order, entry] : queues_[at].ready)
      if (!more(*entry))
        return;
  }
}

} // namespace sliceferry::core
