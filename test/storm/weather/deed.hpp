#pragma once
#include "test/storm/weather/dice.hpp"
#include "test/storm/weather/fleet.hpp"
#include "test/storm/weather/user_request.hpp"

#include <cstdint>
#include <optional>

namespace sliceferry::storm {

enum class deed_kind : std::uint8_t {
  create_nspace,
  delete_nspace,
  finalize_nspace, ///< as the namespace controller does once the namespace is empty
  create_consent,
  judge_consent, ///< `with`: the verdict
  delete_consent,
  release_consent, ///< takes the finalizer from a terminating ServiceExport
  create_slice,
  delete_slice,
  retire_pod, ///< the oldest pod terminates, its successor isn't ready yet
  finish_pod, ///< terminating pods are gone, their successors ready
  change_ports,
  take_endpoints, ///< copies some of the slice `with`
  drop_endpoints, ///< those that the slice `with` has too
  empty_slice,    ///< as kube recycles a slice: without endpoints, our annotations wiped
  refill_slice,
  lose_node,     ///< `with`: the node
  regain_node,   ///< `with`: the node
  touch_slice,   ///< nothing but the trigger time
  churn_slice,   ///< any change of its endpoints
  relabel_slice, ///< `with`: the service, `no_label` or `stranger_label`
  claim_slice,   ///< the importer's label, or not: `with` 1 or 0
  tamper,
  meddle, ///< with the slice's export on the hub; `with`: the `export_deed`
  delete_hub_nspace,
  empty_hub_nspace, ///< as the namespace controller does
  finalize_hub_nspace,
  create_hub_nspace,
};

/// What a user, or a controller of the member, wants to do to one object. Storms only name it; what exactly is done,
/// and whether it can be done at all, is decided when its turn comes.
struct deed {
  deed_kind what = deed_kind::touch_slice;
  std::uint32_t member = 0;
  std::uint32_t object = 0; ///< index of a namespace, a service (of consents) or a slice
  std::uint32_t with = 0;
};

/// Changes the model and tells the request; nothing where the object isn't there any more, or nothing would change.
std::optional<user_request> carry_out(const deed& wanted, fleet& fleet, dice& chance);

} // namespace sliceferry::storm
