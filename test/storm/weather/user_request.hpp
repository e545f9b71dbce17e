#pragma once
#include "test/storm/weather/export_wish.hpp"

#include <chrono>
#include <optional>
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

  std::optional<export_wish> upon =
    std::nullopt;                    ///< then nothing else is said: `requests_upon` does when its turn comes
  std::chrono::milliseconds pause{}; ///< before it is sent
  bool may_fail = false;             ///< others may be faster: any answer but a server's trouble is right

  bool operator==(const user_request&) const = default;
};

} // namespace sliceferry::storm
