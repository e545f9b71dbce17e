#pragma once
#include "test/storm/server/http_request.hpp"

namespace sliceferry::storm {

class front_connection;

/// Who answers what comes in by connections.
class front_host {
public:
  virtual ~front_host() = default;
  /// Must answer, stream, freeze or close, during the call. The next request of the connection waits for that.
  virtual void asked(front_connection& peer, const http_request& what) = 0;
  /// Called once, when the connection is closed by whomever.
  virtual void gone(front_connection& peer) = 0;
};

} // namespace sliceferry::storm
