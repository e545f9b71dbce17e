#pragma once
#include "test/storm/history/entry.hpp"
#include "test/storm/oracle/latencies.hpp"
#include "test/storm/oracle/oracle_options.hpp"
#include "test/storm/oracle/violation.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::storm {

/// What the history counted so far.
struct oracle_figures {
  std::map<std::pair<std::string, std::string>, std::uint64_t> program_writes; ///< by cluster and verb; any answer
  std::uint64_t program_reads = 0;                                             ///< of single objects
  std::uint64_t member_changes = 0;  ///< of slices and ServiceExports, by others than the program
  std::uint64_t unreadable = 0;      ///< objects that the oracle couldn't read: nothing of them is judged
  percentiles propagation;           ///< from a member's change until the hub holds that generation or a newer one
  percentiles propagation_lately;    ///< of the last 1,024
  std::size_t backlog = 0;           ///< slices that are owed something now
  std::size_t slices = 0;            ///< that stand in the members
  std::size_t exports = 0;           ///< that stand on the hub for them
  std::uint64_t accepted_writes = 0; ///< of the program on slices and exports, repeated ones included
  /// How often the hub came to have to hold something else than it does. A first export, a change and a withdrawal
  /// take two accepted writes each: of the annotations and of the export. Changes during a write or an outage take
  /// none of their own; what faults have repeated counts on top.
  std::uint64_t called_changes = 0;
  std::size_t owed_after_outage = 0;                ///< when the hub came back after its last long outage
  std::optional<instant> recovered, recovery_limit; ///< how long that took, and may have taken
  std::size_t lives = 0;                            ///< UIDs that the oracle remembers
};

/// Knows what the hub must hold, and what must never have happened, from the servers' own histories alone.
///
/// No I/O and no clock: time is what the entries say. Memory is bounded by what stands in the clusters: per slice a
/// record of digests and the last dozen things that happened to it. `rules.hpp` lists the rules.
class oracle {
public:
  explicit oracle(oracle_options options);
  ~oracle();
  oracle(const oracle&) = delete;
  oracle& operator=(const oracle&) = delete;

  /// One entry after the other, of all clusters, in the order of `seq`.
  void observe(const history_entry& entry);

  // What befell the program; before the first of these it counts as running.

  void program_started(instant at); ///< a new process: full token buckets, no memory
  void program_stopped(instant at); ///< ended or killed
  void program_paused(instant at);  ///< SIGSTOP
  void program_continued(instant at);

  /// What must never have happened and did, the first 50; `counts` has all, by rule.
  std::vector<violation> violations() const;
  std::map<std::string, std::uint64_t> counts() const;

  /// Where the clusters, as the history has built them, aren't as they must be now; at most 50.
  std::vector<violation> differences() const;
  /// Whether there is no such difference. Cheap.
  bool settled() const;

  oracle_figures figures() const;

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace sliceferry::storm
