#include "test/storm/simulation/defect.hpp"

namespace sliceferry::storm {

std::string_view name_of(defect planted) {
  constexpr std::string_view names[defects_count] = {
    "none",
    "drops synthetic deletes",
    "takes an expired list for an empty one",
    "asks for a list before it tells its beginning",
    "repeats a lost write without a read",
    "acts before sync",
    "forgets the outcome after a lost answer",
    "forgets that a command was superseded",
    "rewrites on an echo",
    "retires with news unheard",
    "deletes by name",
    "replaces the whole object",
    "skips the queue",
    "ignores what is taken back",
    "leaves a failed exporter dead",
    "moves exportedSince on a restart",
    "drops failed reads of leftovers",
    "ignores the limits that were set",
  };
  return names[static_cast<int>(planted)];
}

} // namespace sliceferry::storm
