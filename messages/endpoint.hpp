#pragma once
#include <string>
#include <vector>

namespace sliceferry {

/// One ready backend: its addresses in the order in which the slice lists them. Nothing else of
/// an endpoint leaves the member (no node names, zones, hints or targets).
struct endpoint {
  std::vector<std::string> addresses;

  bool operator==(const endpoint&) const = default;
};

/// For logs and test failures: `[10.0.0.1|10.0.0.2 10.0.0.3]`, one item per endpoint.
std::string to_string(const std::vector<endpoint>& backends);

} // namespace sliceferry
