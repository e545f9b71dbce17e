#include "actors/core/explain_words.hpp"

#include "actors/core/keeper.hpp"
#include "actors/core/last_seen.hpp"
#include "actors/core/progress.hpp"
#include "messages/rfc3339.hpp"

namespace sliceferry::core {

namespace {

std::string quote(const std::string& text) {
  return '"' + text + '"';
}

std::string of_synced(const inputs& seen) {
  std::string there;
  std::string missing;
  const auto note = [&](bool synced, const char* what) {
    auto& list = synced ? there : missing;
    list += (list.empty() ? "" : ", ") + std::string{what};
  };
  note(seen.slices_synced, "slices");
  note(seen.consents_synced, "ServiceExports");
  note(seen.hub_synced, "exports");
  return missing.empty() ? "complete lists of " + there + " were read" : "no complete list yet of " + missing;
}

std::string of_presence(const inputs& seen) {
  if (seen.slice)
    return "the member holds it: uid " + seen.slice->uid + ", generation " + std::to_string(seen.slice->generation);
  if (!seen.gone)
    return "it isn't there, and nothing proves yet that it is gone";
  return seen.leftover ? "it is gone: only an export told of it, and a read found no such slice"
                       : "it is gone: by a watched DELETE or a complete list";
}

std::string of_import(const member_identity& identity, const endpoint_slice& slice) {
  if (slice.key.nspace == identity.imports_nspace)
    return "it lies in " + slice.key.nspace + ", the namespace of slices imported from the fleet";
  return slice.managed_by == importer_manager ? "it is managed by " + slice.managed_by
                                              : "it wasn't imported from the fleet";
}

std::string of_consent(const inputs& seen) {
  const auto& service = *seen.slice->service;
  const std::string which = "ServiceExport " + seen.slice->key.nspace + '/' + service;
  switch (seen.says) {
    case consent::granted:
      return which + " is valid and without conflict";
    case consent::pending:
      return which + " was not judged yet, or only an older generation of it";
    case consent::invalid:
      return which + " is not valid: its conditions Valid and Conflict must be True and False";
    case consent::conflicted:
      return which + " is in conflict with another one";
    case consent::deleting:
      return which + " is being deleted";
    case consent::absent:
      if (service.empty())
        return "the service label is empty, and no ServiceExport can be of that name";
      return seen.consent_proven ? "there is no " + which
                                 : which + " isn't there, and nothing proves yet that there is none";
  }
  return {};
}

/// The evidence of the rule that decided; of a withdrawal that is held, of the one that asks for it.
std::string reason(const explanation& told) {
  const finding* last = nullptr;
  for (const auto& each : told.rules)
    if (each.is != ruling::not_reached && each.rule != explained_rule::leave)
      last = &each;
  return last ? last->evidence : "";
}

/// The export of this slice that is on the hub under the name which it ought to have.
bool is_out(const memory& held, const inputs& seen) {
  const auto* object = find_named(seen, held.name);
  return object && is_live(held, *object);
}

std::string as_name(const explanation& told, const memory& held) {
  return told.name_is_made_up || held.name.empty() ? "under a new name" : "as " + held.name;
}

std::string of_exporting(const explanation& told, const memory& held, const inputs& seen) {
  const bool out = is_out(held, seen);
  if (!told.owed) {
    const auto* begun = under_way(held);
    if (begun)
      return "will be exported again once the withdrawal of " + begun->name + " has ended";
    return "waits to be exported " + as_name(told, held) + ": what is there under that name must be gone first";
  }
  if (!is_member_write(*told.owed))
    return (out ? "exported " : "will be exported ") + as_name(told, held) +
           (out ? ", and the hub is to be brought up to date" : ": the export is to be made");
  if (out)
    return "exported " + as_name(told, held) + ", and the slice's annotations are to be brought up to date";
  return "will be exported " + as_name(told, held) + ": the slice is to be annotated first";
}

} // namespace

std::string evidence_of(target_rule rule, const member_identity& identity, const inputs& seen) {
  switch (rule) {
    case target_rule::leaving:
      return seen.leaving ? "an operator has member " + identity.cluster + " leave the fleet"
                          : "no operator has member " + identity.cluster + " leave the fleet";
    case target_rule::synced:
      return of_synced(seen);
    case target_rule::presence:
      return of_presence(seen);
    case target_rule::imported:
      return of_import(identity, *seen.slice);
    case target_rule::address_type:
      return "its address type is " + seen.slice->address_type +
             (seen.slice->address_type == exported_address_type
                ? ""
                : ", and only " + std::string{exported_address_type} + " is exported");
    case target_rule::service:
      return seen.slice->service ? "its label kubernetes.io/service-name is " + quote(*seen.slice->service)
                                 : "it has no label kubernetes.io/service-name";
    case target_rule::deleting:
      return seen.slice->deleting ? "it has a deletionTimestamp" : "it isn't being deleted";
    case target_rule::consent:
      return of_consent(seen);
  }
  return {};
}

std::string evidence_of(name_rule rule, const memory& held, const inputs& seen) {
  const auto& name = seen.slice->ours.name;
  switch (rule) {
    case name_rule::pending:
      return "chosen, and the member has yet to acknowledge it";
    case name_rule::renewed:
      return "the export under its name " + quote(*name) + " was deleted by us: a new one is needed";
    case name_rule::as_is:
      return "the slice goes by it";
    case name_rule::kept:
      return "the slice lost its name, and this export of it is there";
    case name_rule::fresh:
      if (!name)
        return held.name.empty() ? "the slice has none" : "the slice lost its name " + held.name;
      return "the slice's name " + quote(*name) + " is invalid, or another object's on the hub";
  }
  return {};
}

std::string evidence_of_last_seen(const endpoint_slice& slice) {
  const auto told = read_last_seen(slice.ours);
  if (!told)
    return slice.ours.generation || slice.ours.timestamp ? "its last-seen annotations are not both there and readable"
                                                         : "it has no last-seen annotations";
  const auto when = format_rfc3339(told->since);
  if (told->generation == slice.generation)
    return "its annotations say that this generation was first seen at " + when;
  return "its annotations tell of generation " + std::to_string(told->generation) + ", first seen at " + when;
}

std::string conclude(const explanation& told, const memory& held, const inputs& seen) {
  const auto evidence = reason(told);
  switch (told.stands) {
    case standing::undecided:
      return "nothing is concluded, what is stays as it is: " + evidence;
    case standing::not_exported:
      return "not exported: " + evidence;
    case standing::exported:
      return told.owed || under_way(held) ? "exported as " + held.name + ", and a duplicate of it goes"
                                          : "exported as " + held.name;
    case standing::exporting:
      return of_exporting(told, held, seen);
    case standing::withdrawing:
      return (told.owed && is_member_write(*told.owed) ? "withdrawn, and the slice's annotations are to be removed: "
                                                       : "being withdrawn: ") +
             evidence;
    case standing::held:
      return "kept by the guard, else withdrawn: " + evidence;
  }
  return {};
}

} // namespace sliceferry::core
