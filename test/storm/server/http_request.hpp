#pragma once
#include <string>

namespace sliceferry::storm {

/// A request with the few fields that an API server of this kind looks at.
struct http_request {
  std::string method;
  std::string target;
  std::string content_type;
  std::string token; ///< of `Authorization: Bearer`
  std::string body;
  bool keep_alive = true;
};

} // namespace sliceferry::storm
