#pragma once
#include "actors/core/guard_check.hpp"
#include "messages/failure.hpp"

#include <optional>

namespace sliceferry::core {

/// What a read that failed shows of the object. Nothing: time heals it, and the object is to be read again. Only a
/// right that is missing counts as `unknown`, since nothing but a person would change that; a server that fails in any
/// other way must not be taken for one that agrees.
constexpr std::optional<existence> existence_after(errc failed) {
  switch (failed) {
    case errc::missing:
    case errc::namespace_missing:
      return existence::missing;
    case errc::forbidden:
      return existence::unknown;
    case errc::kind_missing: // its CRD says more of that
    case errc::expired:
    case errc::conflict:
    case errc::already_exists:
    case errc::other_uid:
    case errc::namespace_terminating:
    case errc::throttled:
    case errc::unauthorized:
    case errc::quota:
    case errc::invalid:
    case errc::ambiguous:
    case errc::unavailable:
    case errc::malformed:
      return std::nullopt;
  }
  return std::nullopt;
}

/// What a read shows of an absence that is asked about. Where the watch showed the object as it ends (`was_ending`),
/// one that still does confirms that; elsewhere it is an object that the lists lack.
constexpr existence as_absence(existence found, bool was_ending) {
  return was_ending && found == existence::terminating ? existence::missing : found;
}

} // namespace sliceferry::core
