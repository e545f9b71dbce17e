#pragma once
#include <string>

namespace sliceferry::storm {

/// What users and controllers of a cluster do: one HTTP request. Those of one lane are sent one after another in the
/// order in which the plan gave them; lanes are independent.
struct user_request {
  std::string cluster; ///< a member's name, or `hub`
  std::string lane;
  std::string method; ///< POST, PATCH, PUT or DELETE
  std::string target; ///< the path
  std::string content_type;
  std::string body;

  bool operator==(const user_request&) const = default;
};

} // namespace sliceferry::storm
