#pragma once
#include "test/storm/oracle/oracle_options.hpp"
#include "test/storm/oracle/violation.hpp"

#include <map>
#include <string>
#include <vector>

namespace sliceferry::storm {

/// Bodies of list answers; several where a list came in pages.
using list_pages = std::vector<std::string>;

struct member_lists {
  list_pages slices;
  list_pages service_exports;
};

struct cluster_lists {
  std::map<std::string, member_lists> members; ///< by name
  list_pages exports;                          ///< of the hub, all namespaces or those of the members
  list_pages
    exports_before; ///< of the hub when the run began: what was foreign then must stand unchanged; may be empty
};

/// The State check from what the servers list, without any history: it shares the reading of single objects with the
/// `oracle` and nothing else, so that each proves the other. Where an outdated verdict leaves a consent as it was, or
/// nobody has judged a ServiceExport yet, a list doesn't say how it was, and either is right.
///
/// `at` is only copied into the violations. A page that isn't a list is a violation of its own.
std::vector<violation> differences_of_lists(const oracle_options& options, const cluster_lists& lists, instant at);

} // namespace sliceferry::storm
