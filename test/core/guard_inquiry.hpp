#pragma once
#include "actors/core/guard_check.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace sliceferry::core {

/// What was told since the check was ordered, kept apart from the guard: when may it take all as confirmed?
struct inquiry {
  bool ordered = false;
  std::array<bool, 3> began{};
  std::array<bool, 3> done{};
  bool has_slices = false;
  std::optional<existence> kind;
  std::set<std::string> unread;
  std::set<std::string> terminating;
  std::set<std::string> missing;
  std::map<std::string, std::optional<existence>> sample; ///< by slice UID
  std::set<std::string> late;                             ///< slices that asked once there was a sample

  bool is_listed() const { return ordered && done[0] && done[1] && done[2] && kind && unread.empty(); }
  /// Nothing else is waited for.
  bool lacks_kind() const {
    return ordered && unread.empty() && (kind == existence::missing || kind == existence::terminating);
  }
  /// All but the sample speaks for the absence.
  bool convinces() const { return is_listed() && has_slices && !lacks_kind(); }
  bool is_read() const {
    return std::all_of(sample.begin(), sample.end(), [](const auto& each) { return each.second.has_value(); });
  }
  bool finds_one() const {
    return std::any_of(sample.begin(), sample.end(), [](const auto& each) {
      return each.second == existence::exists || each.second == existence::terminating;
    });
  }
  bool explains(const std::string& nspace) const {
    return terminating.count(nspace) != 0 || (missing.count(nspace) != 0 && kind == existence::exists && has_slices);
  }
};

} // namespace sliceferry::core
