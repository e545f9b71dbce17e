#include "actors/core/write_lane.hpp"

#include <algorithm>
#include <cstddef>

namespace sliceferry::core {

namespace {

constexpr unsigned oldest_each = 4;
constexpr std::array<work_rank, 3> ranks{work_rank::removal, work_rank::change, work_rank::create};

} // namespace

write_lane::queue& write_lane::queue_of(const write_entry& entry) {
  // What a lost answer left open is cleared up first, and by a GET, which no namespace forbids.
  return queues_[entry.unread ? 0 : static_cast<std::size_t>(entry.rank)];
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

std::optional<tick> write_lane::wake(work_rank rank) const {
  const queue& line = queues_[static_cast<std::size_t>(rank)];
  if (line.ready.empty() && line.delayed.empty())
    return std::nullopt;
  const tick due = line.ready.empty() ? line.delayed.begin()->first.first : tick::min();
  if (rank != work_rank::create)
    return due;
  const auto allowed = creates.ready_at();
  return allowed ? std::optional(std::max(due, *allowed)) : std::nullopt;
}

std::optional<tick> write_lane::wake() const {
  std::optional<tick> earliest;
  for (const work_rank rank : ranks)
    if (const auto due = wake(rank); due && (!earliest || *due < *earliest))
      earliest = due;
  return earliest;
}

write_entry* write_lane::pick(tick now) {
  write_entry* urgent = nullptr;
  write_entry* oldest = nullptr;
  for (const work_rank rank : ranks) {
    queue& line = queues_[static_cast<std::size_t>(rank)];
    while (!line.delayed.empty() && line.delayed.begin()->first.first <= now) {
      write_entry* entry = line.delayed.begin()->second;
      line.delayed.erase(line.delayed.begin());
      entry->ready = true;
      line.ready.emplace(entry->order, entry);
    }
    if (line.ready.empty() || (rank == work_rank::create && !creates.allows(now)))
      continue;
    write_entry* first = line.ready.begin()->second;
    urgent = urgent ? urgent : first;
    oldest = oldest && oldest->order < first->order ? oldest : first;
  }
  write_entry* chosen = ++picks_ % oldest_each == 0 ? oldest : urgent;
  if (!chosen)
    return nullptr;
  remove(*chosen);
  if (chosen->rank == work_rank::create && !chosen->unread)
    creates.sent();
  return chosen;
}

} // namespace sliceferry::core
