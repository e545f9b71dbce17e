#include "actors/log_repeats.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace sliceferry::log {

log_repeats::log_repeats(std::size_t lines_max, std::chrono::seconds quiet) : lines_max_(lines_max), quiet_(quiet) {}

std::optional<std::size_t> log_repeats::admit(std::string_view line, tick now) {
  const std::size_t key = std::hash<std::string_view>{}(line);
  if (const auto known = lines_.find(key); known != lines_.end()) {
    auto& [printed, left_out] = known->second;
    if (now - printed < quiet_) {
      ++left_out;
      return std::nullopt;
    }
    printed = now;
    return std::exchange(left_out, 0);
  }
  if (lines_.size() >= lines_max_)
    lines_.erase(std::min_element(lines_.begin(), lines_.end(), [](const auto& left, const auto& right) {
      return left.second.printed < right.second.printed;
    }));
  lines_.emplace(key, entry{now, 0});
  return 0;
}

} // namespace sliceferry::log
