#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace sliceferry::storm {

/// Something that goes wrong from `at` on, for `lasts` (zero for what happens at once).
struct fault {
  std::chrono::milliseconds at{}; ///< since the storm's begin
  std::chrono::milliseconds lasts{};
  std::string kind;
  std::string where;                  ///< a cluster's name, or `program`
  double share = 1;                   ///< of the requests or events that it meets, 0–1
  std::chrono::milliseconds amount{}; ///< of latency, down time, a stop, a clock step (may be negative)
  std::uint64_t seed = 0;             ///< decides which requests it meets

  bool operator==(const fault&) const = default;
};

/// A fault is told to the simulated servers (or acted upon by the stage, where `where` is `program`) in this form:
/// {"kind":…,"cluster":…,"lasts_ms":…,"share":…,"amount_ms":…,"seed":…}
std::string to_json(const fault& each);

struct weather_options {
  std::uint64_t seed = 1;
  std::vector<std::string> faults; ///< names of sets or kinds
  std::vector<std::string> members;
  std::chrono::milliseconds length{};
};

/// The sets, then the kinds.
std::vector<std::string> fault_names();
std::string describe_fault(const std::string& name);

/// What goes wrong in a run, in order of time; the same options give the same list. The last tenth of `length`, at
/// least two seconds, stays free of faults.
std::vector<fault> forecast(const weather_options& options);

} // namespace sliceferry::storm
