#pragma once
#include "messages/consent.hpp"
#include "messages/endpoint_slice.hpp"
#include "messages/hub_export.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sliceferry {

/// What the clusters show now about one slice; replaced whole by each observation, never journaled.
///
/// `slice` is null when the member doesn't hold it. Then `gone` says whether that is proven (a
/// watched DELETE, a consistent list, a live GET); unproven absence concludes nothing.
/// `hub` holds the exports that are this slice's and the object, if any, under the name that the
/// slice carries, ordered by name.
struct inputs {
  std::shared_ptr<const endpoint_slice> slice;
  bool gone = false;
  bool leftover = false; ///< gone, and only an export on the hub tells of the slice
  object_key key;        ///< where the slice is or was
  consent says = consent::absent;
  bool consent_proven = false; ///< `absent` by a consistent list or a watched DELETE
  std::vector<hub_export> hub;
  bool slices_synced = false;
  bool consents_synced = false;
  bool hub_synced = false;
  bool leave = true;    ///< the guard lets withdrawals without a witness go ahead
  bool leaving = false; ///< an operator has the member leave the fleet: nothing of it stays on the hub
  unsigned undone = 0;  ///< how often lately somebody else undid this slice's export
};

std::string to_string(const inputs& seen);

} // namespace sliceferry
