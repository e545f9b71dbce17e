#include "k8s/nearest_names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sliceferry::k8s {

namespace {

/// Levenshtein's distance.
std::size_t edits_between(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

} // namespace

std::vector<std::string> nearest_names(const std::string& wanted, std::vector<std::string> known) {
  std::ranges::stable_sort(known, {}, [&](const std::string& name) { return edits_between(wanted, name); });
  known.resize(std::min<std::size_t>(known.size(), 3));
  return known;
}

} // namespace sliceferry::k8s
