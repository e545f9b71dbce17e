#include "test/storm/stage/flatness.hpp"

#include <algorithm>

namespace sliceferry::storm {
namespace {

struct third {
  double memory = 0;
  std::size_t count = 0, threads = 0, descriptors = 0;
  std::size_t queued_least = 0;
};

using life = std::vector<program_sample>;

/// The samples of the process that lived longest, without its warm-up.
life longest_life(const std::vector<program_sample>& samples, std::chrono::milliseconds warm_up) {
  life longest, now;
  std::chrono::milliseconds age{};
  for (const auto& each : samples) {
    if (each.age < age)
      now.clear();
    age = each.age;
    if (age >= warm_up)
      now.push_back(each);
    if (now.size() > longest.size())
      longest = now;
  }
  return longest;
}

third of(const life& samples, std::size_t from, std::size_t to) {
  third out;
  for (std::size_t i = from; i < to; ++i) {
    const auto& each = samples[i];
    out.memory += static_cast<double>(each.private_bytes);
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

flatness judge_flatness(const std::vector<program_sample>& samples, const flatness_limits& limits) {
  const auto whole = longest_life(samples, limits.warm_up);
  const auto middle = of(whole, whole.size() / 3, whole.size() * 2 / 3);
  const auto last = of(whole, whole.size() * 2 / 3, whole.size());
  flatness out;
  const bool is_short = whole.empty() || whole.back().age - whole.front().age < limits.third_least * 3;
  if (is_short || middle.count < enough || last.count < enough)
    return out;
  out.measured = true;
  out.memory_ratio = last.memory / middle.memory;
  const bool is_noise = last.memory < middle.memory + static_cast<double>(limits.memory_noise);
  if (out.memory_ratio > 1 + limits.memory_growth && !is_noise)
    out.growths.push_back(grew("private KiB", static_cast<std::size_t>(middle.memory / 1024),
                               static_cast<std::size_t>(last.memory / 1024)));
  if (last.threads > middle.threads + limits.threads_more)
    out.growths.push_back(grew("threads", middle.threads, last.threads));
  if (last.descriptors > middle.descriptors + limits.descriptors_more)
    out.growths.push_back(grew("descriptors", middle.descriptors, last.descriptors));
  // A queue may be long in a storm; one that is never short any more has fallen behind for good.
  if (last.queued_least > middle.queued_least + queued_more)
    out.growths.push_back(grew("the shortest queue", middle.queued_least, last.queued_least));
  return out;
}

} // namespace sliceferry::storm
