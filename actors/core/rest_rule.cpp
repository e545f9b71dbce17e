#include "actors/core/rest_rule.hpp"

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

namespace sliceferry::core {

namespace {

using namespace std::chrono_literals;

constexpr auto long_to_wait = 5s; ///< longer than the pause between two probes of a server that is away
constexpr auto long_held = 30s;

} // namespace

std::vector<std::string> choose_to_rest(std::vector<stuck_exporter> stuck, const wake_queue::turns& waiting, tick now) {
  std::stable_sort(stuck.begin(), stuck.end(),
                   [](const auto& a, const auto& b) { return std::tie(b.rank, b.until) < std::tie(a.rank, a.until); });
  std::vector<std::string> out;
  std::size_t rank = 0;                    // of whoever gets the next place
  std::size_t served = waiting.by_rank[0]; // once so many have rested
  for (auto& each : stuck) {
    if (out.size() >= waiting.all)
      break;
    while (rank < waiting.by_rank.size() && out.size() >= served)
      served += ++rank < waiting.by_rank.size() ? waiting.by_rank[rank] : 0;
    const bool is_less_urgent = static_cast<std::size_t>(each.rank) > rank;
    const bool is_long = each.until - now >= long_to_wait || now - each.moved >= long_held;
    if (is_long || is_less_urgent)
      out.push_back(std::move(each.slice_uid));
  }
  return out;
}

} // namespace sliceferry::core
