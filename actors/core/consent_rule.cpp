#include "actors/core/consent_rule.hpp"

namespace sliceferry::core {

consent judge(consent before, const service_export& seen) {
  if (seen.deleting)
    return consent::deleting;
  const bool unjudged_so_far = before == consent::absent || before == consent::pending;
  if (!seen.valid && !seen.conflict && unjudged_so_far)
    return consent::pending;
  if (!seen.valid || !seen.conflict)
    return consent::invalid;
  const auto is_current = [&](const condition& judged) {
    return !judged.observed_generation || *judged.observed_generation >= seen.generation;
  };
  const bool valid_is_current = is_current(*seen.valid);
  const bool conflict_is_current = is_current(*seen.conflict);
  // One verdict on this generation that forbids is enough, however old the other one is.
  if (valid_is_current && seen.valid->is != condition::status::yes)
    return consent::invalid;
  if (conflict_is_current && seen.conflict->is != condition::status::no)
    return seen.conflict->is == condition::status::yes ? consent::conflicted : consent::invalid;
  if (valid_is_current && conflict_is_current)
    return consent::granted;
  return before == consent::absent ? consent::pending : before;
}

} // namespace sliceferry::core
