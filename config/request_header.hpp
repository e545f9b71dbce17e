#pragma once
#include <string>
#include <string_view>

namespace sliceferry {

/// What is wrong with sending this header along with each request; empty if nothing is. A header that
/// requests carry anyway is refused, as in the Go agent: two of them, or another's value, break the request (AU26).
std::string request_header_problem(std::string_view name, std::string_view value);

/// `name` in lower case: header names differ in case without meaning it.
std::string folded_header_name(std::string_view name);

} // namespace sliceferry
