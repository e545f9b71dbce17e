#pragma once
#include "k8s/result.hpp"

#include <chrono>
#include <string>

namespace sliceferry::k8s {

/// The bearer token as it is now. A projected token file rotates about hourly, so it is read again
/// at least every minute and after a 401 (client-go's transport/token_source.go).
///
/// An unreadable, empty or half-written file never takes a good token away; it is looked at again a
/// second later. The same holds before the first token: a sidecar may be slower than we are.
class token_source {
public:
  using time = std::chrono::steady_clock::time_point;

  /// With both, `inline_token` serves until the file can be read (as in client-go). Neither: anonymous.
  token_source(std::string inline_token, std::string file);

  /// The token, empty when anonymous; a failure only while there never was one.
  const result<std::string>& current(time now);

  /// The server said 401: read the file again before the next call.
  void rejected() { read_next_ = {}; }

private:
  std::string file_;
  result<std::string> token_;
  time read_next_{};
};

} // namespace sliceferry::k8s
