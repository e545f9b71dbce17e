#pragma once
#include "messages/event.hpp"

#include <span>
#include <string>

namespace sliceferry {

/// Where an exporter hands its events before their command leaves.
///
/// Without a data directory there is no journal: `append` then reports everything as durable at
/// once and commands never wait. Correctness doesn't depend on it (the clusters are the truth).
struct journal_port {
  /// Returns true when the command that follows from `told` may leave now.
  bool append(const std::string& slice_uid, std::span<const event> told) const {
    (void)slice_uid;
    (void)told;
    return true;
  }
};

} // namespace sliceferry
