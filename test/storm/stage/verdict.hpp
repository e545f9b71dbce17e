#pragma once
#include "test/storm/oracle/journal_check.hpp"
#include "test/storm/stage/flatness.hpp"
#include "test/storm/stage/run_options.hpp"
#include "test/storm/stage/status.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry::storm {

/// How a run ended, as told to people and programs.
struct verdict {
  enum class kind { clean, faulty, broken, interrupted };

  kind is = kind::clean;
  std::vector<std::string> reasons;             ///< each a fault of the program, or why the run itself broke
  std::map<std::string, std::uint64_t> by_rule; ///< violations, all of them
  std::chrono::milliseconds drained{}; ///< from the storm's end until all was right; meaningless if it never was
  status last;
  flatness flat;
  std::map<std::string, std::uint64_t> writes; ///< accepted writes of the program by cluster and verb
  std::vector<fault> forecast;
  /// Accepted writes of the program (of slices and exports, what faults made it repeat included) for each time that
  /// the hub came to have to hold something else; see `oracle_figures`. Two by design; fewer where changes come faster
  /// than writes. Judged where there were enough changes.
  double writes_per_change = 0;
  static constexpr double writes_per_change_max = 2.2;
  static constexpr std::uint64_t changes_min = 1'000;
  std::uint64_t called_changes = 0;
  std::size_t owed_after_outage = 0;
  std::chrono::microseconds recovered{}, recovery_limit{}; ///< after a long outage of the hub

  std::optional<journal_figures> journal;     ///< nothing where the program kept none
  std::map<std::string, std::uint64_t> kills; ///< SIGKILLs by their moment, where the run was made of them

  /// 0 clean, 1 faulty, 3 broken (the run proved nothing), 130 interrupted.
  int exit_code() const;
};

/// The verdict in one line.
std::string line_of(const verdict& end, const run_options& options);
/// The whole as JSON.
std::string report_of(const verdict& end, const run_options& options);

} // namespace sliceferry::storm
