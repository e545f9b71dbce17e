#pragma once
#include "messages/clock.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace sliceferry {

/// What the rules of one slice need to know of an export on the hub: identity, age and a digest
/// of its content, not the content.
///
/// `mine` is the answer to "whose is it?", given by the member's table, which alone sees all
/// claims: true for exactly one slice, false to every other one (to them the object is foreign).
struct hub_export {
  std::string name;
  std::string uid;
  std::string resource_version;
  seconds_utc created{};
  std::int64_t generation = 0;      ///< reference.generation
  std::optional<seconds_utc> since; ///< reference.exportedSince
  std::uint64_t digest = 0;         ///< of the spec, equal for equivalent specs
  bool terminating = false;
  bool mine = false;

  bool operator==(const hub_export&) const = default;
};

std::string to_string(const hub_export& seen);

} // namespace sliceferry
