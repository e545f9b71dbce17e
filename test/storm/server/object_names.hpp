#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace sliceferry::storm {

// Each returns the server's own words about what is wrong, or nothing.

std::string problem_of_dns_subdomain(std::string_view name);
std::string problem_of_dns_label(std::string_view name);
/// `prefix/name` as keys of labels and annotations are.
std::string problem_of_qualified_name(std::string_view name);
std::string problem_of_label_value(std::string_view value);

/// Five characters as `generateName` appends; they follow from the number.
std::string name_suffix(std::uint64_t number);

/// A UUID that follows from seed and number.
std::string made_uid(std::uint64_t seed, std::uint64_t number);

} // namespace sliceferry::storm
