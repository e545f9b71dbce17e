#pragma once
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace sliceferry::storm {

/// What the program was told to keep to towards one API server: a token bucket.
struct limit {
  double qps = 200;
  double burst = 400;
};

struct oracle_options {
  struct member {
    std::string name; ///< its cluster id too
    std::string hub_nspace;
    limit rate;
  };

  std::vector<member> members;
  limit hub;
  std::string program_user = "sliceferry";
  std::string imports_nspace = "fleet-system";

  /// How long the program may rightly not know better: the age that a wish of the member's may have which a DELETE
  /// still follows. Under faults it is longer. Measured, like `rest` and `starve`, in time that the program and
  /// all servers ran.
  std::chrono::milliseconds lag{2000};
  std::chrono::milliseconds rest{5000}; ///< how long two exports of one slice may stand side by side
  std::chrono::milliseconds starve{0};  ///< how long one slice may be owed something without progress; 0: for ever
  std::size_t in_flight = 64;           ///< requests that may bunch up on the way to a server
  bool refreshes_versions = false;      ///< it was told to: a newer reference.resourceVersion is worth a write
  bool mutates_exports = false;         ///< a webhook of the hub was there: lists don't tell which ports it made
  bool restores_members = false; ///< backups were restored in members: lists don't tell, and versions don't compare
  bool clock_steps = false;      ///< the program's clock is moved: times that it chose aren't judged
};

} // namespace sliceferry::storm
