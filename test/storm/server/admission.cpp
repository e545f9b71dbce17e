#include "test/storm/server/admission.hpp"

#include "test/storm/server/json_text.hpp"

namespace sliceferry::storm {

void admit(server_state& state, const resource_kind& kind, proposal& wanted, field_errors& errors) {
  if (!state.mutates_exports || kind.plural != "endpointsliceexports")
    return;
  const std::size_t member = kind.member_index("spec");
  auto read = read_json(wanted.draft.parts[member]);
  auto* spec = read.value ? read.value->if_object() : nullptr;
  auto* ports = spec ? spec->if_contains("ports") : nullptr;
  if (!ports || !ports->is_array())
    return;
  for (auto& each : ports->get_array())
    if (auto* port = each.if_object())
      (*port)["appProtocol"] = mutated_protocol;
  const bool given = wanted.given[member];
  wanted.set_member(kind, member, &*read.value, errors);
  wanted.given[member] = given;
  wanted.values[member] = nullptr; // it doesn't outlive this, and the rules of exports don't look at it
}

} // namespace sliceferry::storm
