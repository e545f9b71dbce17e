#include "test/storm/oracle/latencies.hpp"

#include <algorithm>
#include <cmath>

namespace sliceferry::storm {
namespace {

using std::chrono::microseconds;

std::size_t bucket_of(microseconds each, std::size_t buckets) {
  const auto us = static_cast<double>(std::max<std::int64_t>(each.count(), 1));
  return std::min(static_cast<std::size_t>(std::log2(us) * 8.0), buckets - 1);
}

microseconds upper_edge(std::size_t bucket) {
  return microseconds{static_cast<std::int64_t>(std::exp2(static_cast<double>(bucket + 1) / 8.0))};
}

} // namespace

void latencies::add(microseconds each) {
  each = std::max(each, microseconds::zero());
  ++buckets_[bucket_of(each, buckets_.size())];
  max_ = std::max(max_, each);
  if (kept_.size() < kept_max)
    kept_.push_back(each);
  else
    kept_[count_ % kept_max] = each;
  ++count_;
}

percentiles latencies::overall() const {
  const auto at = [&](double share) {
    const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < buckets_.size(); ++i)
      if ((seen += buckets_[i]) >= wanted)
        return std::min(upper_edge(i), max_);
    return max_;
  };
  return count_ == 0 ? percentiles{} : percentiles{count_, at(0.5), at(0.99), max_};
}

percentiles latencies::last() const {
  if (kept_.empty())
    return {};
  auto sorted = kept_;
  std::ranges::sort(sorted);
  const auto at = [&](double share) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    return sorted[std::max<std::size_t>(rank, 1) - 1];
  };
  return {sorted.size(), at(0.5), at(0.99), sorted.back()};
}

} // namespace sliceferry::storm
