#include "actors/core/slot_index.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::core {
namespace {

constexpr std::size_t alike_max = 8; ///< of one hash among the cells
constexpr std::size_t cells_min = 16;

} // namespace

void slot_index::add(std::uint32_t hash, std::uint32_t slot) {
  if ((in_cells_ + 1) * 5 > cells_.size() * 4)
    resize(std::max(cells_min, cells_.size() + cells_.size() / 4));
  ++size_;
  std::size_t alike = 0;
  std::size_t at = home(hash);
  for (; cells_[at].slot != nobody; at = after(at))
    alike += cells_[at].hash == hash ? 1 : 0;
  if (alike >= alike_max) {
    crowds_[hash].insert(slot);
    return;
  }
  cells_[at] = {hash, slot};
  ++in_cells_;
}

void slot_index::remove(std::uint32_t hash, std::uint32_t slot) {
  for (std::size_t at = home(hash); !cells_.empty() && cells_[at].slot != nobody; at = after(at)) {
    if (cells_[at].hash != hash || cells_[at].slot != slot)
      continue;
    vacate(at);
    --in_cells_;
    --size_;
    if (in_cells_ * 5 < cells_.size() * 2 && cells_.size() > cells_min)
      resize(std::max(cells_min, in_cells_ * 3 / 2));
    return;
  }
  const auto crowd = crowds_.find(hash);
  if (crowd == crowds_.end() || crowd->second.erase(slot) == 0)
    return;
  --size_;
  if (crowd->second.empty())
    crowds_.erase(crowd);
}

std::vector<std::uint32_t> slot_index::all(std::uint32_t hash) const {
  std::vector<std::uint32_t> out;
  find(hash, [&](std::uint32_t slot) {
    out.push_back(slot);
    return false;
  });
  return out;
}

void slot_index::place(const cell& what) {
  std::size_t at = home(what.hash);
  while (cells_[at].slot != nobody)
    at = after(at);
  cells_[at] = what;
}

void slot_index::resize(std::size_t cells) {
  const auto old = std::exchange(cells_, std::vector<cell>(cells));
  for (const cell& each : old)
    if (each.slot != nobody)
      place(each);
}

/// What lies behind a cell that becomes free moves up, or its probes would end there.
void slot_index::vacate(std::size_t at) {
  for (std::size_t next = after(at); cells_[next].slot != nobody; next = after(next)) {
    const std::size_t wants = home(cells_[next].hash);
    const bool reaches = at <= next ? wants <= at || wants > next : wants <= at && wants > next;
    if (!reaches)
      continue;
    cells_[at] = cells_[next];
    at = next;
  }
  cells_[at] = {};
}

} // namespace sliceferry::core
