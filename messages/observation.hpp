#pragma once
#include "messages/clock.hpp"
#include "messages/inputs.hpp"
#include "messages/outcome.hpp"

#include <cstdint>
#include <optional>

namespace sliceferry {

/// What a member's dispatcher tells a slice's exporter: the whole picture as it now is, and how
/// a command ended if that is the occasion.
///
/// Numbers rise by one per exporter, so that a wish to retire can be refused when something was
/// sent after the last number that the exporter had seen.
struct observation {
  std::uint64_t number = 0;
  inputs now;
  std::optional<outcome> ended;
  tick seen_at{}; ///< when the news reached this process
  /// Others need this exporter's place: it takes back what has not been sent and retires, whatever is owed.
  bool rest = false;
};

} // namespace sliceferry
