#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace sliceferry::bench {

/// The value that the given share of all values doesn't exceed; 0 of nothing.
inline double quantile(std::vector<double> values, double share) {
  if (values.empty())
    return 0;
  const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

inline double median(std::vector<double> values) {
  return quantile(std::move(values), 0.5);
}

} // namespace sliceferry::bench
