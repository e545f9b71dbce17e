#include "config/nearest_name.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace sliceferry {

namespace {

std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c != '-' && c != '_')
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

/// Insertions, deletions, substitutions and swaps of neighbours that lead from `a` to `b`.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

} // namespace

std::string nearest_name_advice(std::string_view wrong, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  const std::string given = folded(wrong.substr(0, 64));
  std::size_t best = given.size() / 2 + 1;
  for (const std::string& name : known) {
    const std::string other = folded(name);
    const bool shortened = given.size() > 1 && other.starts_with(given);
    const std::size_t far = shortened ? 1 : distance(given, other);
    if (far < best) {
      best = far;
      nearest = &name;
    }
  }
  if (nearest)
    return fmt::format("did you mean \"{}\"?", *nearest);
  return fmt::format("known are {}", fmt::join(known, ", "));
}

} // namespace sliceferry
