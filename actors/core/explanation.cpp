#include "actors/core/explanation.hpp"

namespace sliceferry::core {

std::string_view to_string(ruling is) {
  switch (is) {
    case ruling::passes:
      return "passes";
    case ruling::fails:
      return "fails";
    case ruling::unknown:
      return "unknown";
    case ruling::not_reached:
      return "not_reached";
  }
  return "?";
}

std::string_view to_string(explained_rule rule) {
  switch (rule) {
    case explained_rule::leaving:
      return "member_stays";
    case explained_rule::synced:
      return "inputs_synced";
    case explained_rule::presence:
      return "slice_there";
    case explained_rule::imported:
      return "not_imported";
    case explained_rule::address_type:
      return "address_type";
    case explained_rule::service:
      return "service_label";
    case explained_rule::deleting:
      return "not_deleting";
    case explained_rule::consent:
      return "consent";
    case explained_rule::leave:
      return "guard_leave";
  }
  return "?";
}

std::string_view to_string(standing stands) {
  switch (stands) {
    case standing::undecided:
      return "undecided";
    case standing::not_exported:
      return "not_exported";
    case standing::exported:
      return "exported";
    case standing::exporting:
      return "exporting";
    case standing::withdrawing:
      return "withdrawing";
    case standing::held:
      return "held";
  }
  return "?";
}

std::string_view to_string(owner_seen whose) {
  switch (whose) {
    case owner_seen::this_slice:
      return "this_slice";
    case owner_seen::another_slice:
      return "another_slice";
    case owner_seen::foreign:
      return "foreign";
  }
  return "?";
}

std::string_view to_string(name_rule by) {
  switch (by) {
    case name_rule::pending:
      return "pending";
    case name_rule::renewed:
      return "renewed";
    case name_rule::as_is:
      return "as_is";
    case name_rule::kept:
      return "kept";
    case name_rule::fresh:
      return "fresh";
  }
  return "?";
}

std::string_view to_string(wish_state is) {
  switch (is) {
    case wish_state::in_flight:
      return "in_flight";
    case wish_state::waiting:
      return "waiting";
    case wish_state::backing_off:
      return "backing_off";
    case wish_state::parked:
      return "parked";
    case wish_state::delayed:
      return "delayed";
    case wish_state::behind_server:
      return "behind_server";
    case wish_state::behind_namespace:
      return "behind_namespace";
    case wish_state::throttled:
      return "throttled";
    case wish_state::behind_journal:
      return "behind_journal";
  }
  return "?";
}

} // namespace sliceferry::core
