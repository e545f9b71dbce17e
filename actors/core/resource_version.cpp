#include "actors/core/resource_version.hpp"

#include <algorithm>

namespace sliceferry::core {

namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view without_leading_zeros(std::string_view digits) {
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

} // namespace

version_order compare_versions(std::string_view left, std::string_view right) {
  if (left == right)
    return version_order::same;
  if (!is_number(left) || !is_number(right))
    return version_order::unknown;
  // Digits are compared as text, so that no length of them can overflow.
  left = without_leading_zeros(left);
  right = without_leading_zeros(right);
  if (left == right)
    return version_order::same;
  const bool less = left.size() != right.size() ? left.size() < right.size() : left < right;
  return less ? version_order::older : version_order::newer;
}

} // namespace sliceferry::core
