#include "test/storm/stage/flatness.hpp"

#include <algorithm>

namespace sliceferry::storm {
namespace {

struct third {
  double memory = 0;
  std::size_t count = 0, threads = 0, descriptors = 0;
  std::size_t queued_least = 0;
};

third of(const std::vector<program_sample>& samples, std::chrono::milliseconds from, std::chrono::milliseconds to,
         std::chrono::milliseconds warm_up) {
  third out;
  for (const auto& each : samples) {
    if (each.at < from || each.at >= to || each.age < warm_up)
      continue;
    out.memory += static_cast<double>(each.resident_bytes);
    out.threads = std::max(out.threads, each.threads);
    out.descriptors = std::max(out.descriptors, each.descriptors);
    out.queued_least = out.count == 0 ? each.queued : std::min(out.queued_least, each.queued);
    ++out.count;
  }
  if (out.count != 0)
    out.memory /= static_cast<double>(out.count);
  return out;
}

std::string grew(const char* what, std::size_t before, std::size_t after) {
  return std::string{what} + " grew from " + std::to_string(before) + " to " + std::to_string(after);
}

constexpr std::size_t enough = 5;
constexpr std::size_t queued_more = 1'000;

} // namespace

flatness judge_flatness(const std::vector<program_sample>& samples, std::chrono::milliseconds length,
                        const flatness_limits& limits) {
  const auto middle = of(samples, length / 3, length * 2 / 3, limits.warm_up);
  const auto last = of(samples, length * 2 / 3, length, limits.warm_up);
  flatness out;
  if (middle.count < enough || last.count < enough)
    return out;
  out.measured = true;
  out.memory_ratio = last.memory / middle.memory;
  if (out.memory_ratio > 1 + limits.memory_growth)
    out.growths.push_back(grew("resident KiB", static_cast<std::size_t>(middle.memory / 1024),
                               static_cast<std::size_t>(last.memory / 1024)));
  if (last.threads > middle.threads)
    out.growths.push_back(grew("threads", middle.threads, last.threads));
  if (last.descriptors > middle.descriptors + limits.descriptors_more)
    out.growths.push_back(grew("descriptors", middle.descriptors, last.descriptors));
  // A queue may be long in a storm; one that is never short any more has fallen behind for good.
  if (last.queued_least > middle.queued_least + queued_more)
    out.growths.push_back(grew("the shortest queue", middle.queued_least, last.queued_least));
  return out;
}

} // namespace sliceferry::storm
