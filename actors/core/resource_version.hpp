#pragma once
#include <string_view>

namespace sliceferry::core {

/// How one resourceVersion relates to another of the same collection.
///
/// Within one resource of one cluster they compare as numbers. Where one of them is no number
/// they tell equality only (the API calls them opaque; aggregated servers hold it to that).
enum class version_order { older, same, newer, unknown };

version_order compare_versions(std::string_view left, std::string_view right);

} // namespace sliceferry::core
