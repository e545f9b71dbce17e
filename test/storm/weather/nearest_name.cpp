#include "test/storm/weather/nearest_name.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace sliceferry::storm {
namespace {

std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t kept = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({kept, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

} // namespace

std::string nearest_name(std::string_view wrong, const std::vector<std::string>& known) {
  std::string_view best;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const auto& each : known)
    if (const std::size_t count = edits(wrong, each); count < fewest) {
      fewest = count;
      best = each;
    }
  return std::string{best};
}

} // namespace sliceferry::storm
