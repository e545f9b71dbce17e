#include "test/storm/server/admission.hpp"
#include "test/storm/server/json_text.hpp"
#include "test/storm/server/kind_rules.hpp"
#include "test/storm/server/object_names.hpp"
#include "test/storm/server/request_object.hpp"
#include "test/storm/server/verbs.hpp"

namespace sliceferry::storm {

namespace {

/// What the server decides about each new object, whatever the request said.
void stamp_new(server_state& state, const resource_kind& kind, object_meta& meta, std::string_view uid) {
  meta.uid = uid;
  meta.created = state.stamp();
  meta.deleted = {};
  meta.grace.reset();
  meta.version = {};
  meta.generation = kind.has_generation ? 1 : 0;
}

void take_members(const resource_kind& kind, const boost::json::value& object, proposal& wanted, field_errors& errors) {
  for (std::size_t i = 0; i < kind.members.size(); ++i) {
    // A status that only its subresource may write isn't even looked at.
    const bool ignored = kind.status_subresource && kind.members[i].name == "status";
    if (!ignored)
      wanted.set_member(kind, i, find(&object, kind.members[i].name), errors);
  }
}

std::string chosen_name(server_state& state, const object_meta& meta) {
  if (!meta.name.empty() || meta.generate_name.empty())
    return std::string{meta.name};
  return std::string{meta.generate_name.substr(0, 58)} + name_suffix(state.options.uid_seed * 1'000'003 + state.made);
}

/// What stands against the creation at the place itself.
std::optional<api_answer> refuse_place(const verb_request& request) {
  const resource_kind& kind = request.kind();
  if (kind.namespaced == request.path.nspace.empty())
    return kind.custom ? page_not_found() : method_not_allowed();
  if (!request.path.name.empty() && !kind.custom)
    return method_not_allowed();
  return std::nullopt;
}

} // namespace

verb_outcome create_object(server_state& state, const verb_request& request) {
  const resource_kind& kind = request.kind();
  if (auto refusal = refuse_place(request))
    return {std::move(*refusal), {}, {}};
  auto [json, refusal] = read_object(request, state.fresh_memory());
  if (refusal)
    return {std::move(*refusal), {}, {}};

  field_errors errors;
  check_kind_name(request, *json, errors);
  proposal wanted;
  object_meta& meta = wanted.draft.meta;
  meta = read_meta(find(&*json, "metadata"), errors);
  take_members(kind, *json, wanted, errors);
  if (const auto* what = undecodable_in(errors))
    return {refuse_undecodable(request, *what), {}, {}};
  if (!meta.nspace.empty() && meta.nspace != request.path.nspace)
    return {
      bad_request("the namespace of the provided object does not match the namespace sent on the request"), {}, {}};
  const std::string name = chosen_name(state, meta);
  const subject about = subject_of(request, *json, name);
  if (auto no_place = refuse_namespace(state, request, name, true))
    return {std::move(*no_place), {}, name};
  if (kind.terminating)
    return {forbidden_by(about, "create not allowed while custom resource definition is terminating"), {}, name};
  if (!meta.version.empty())
    return {internal_error("resourceVersion should not be set on objects to be created"), {}, name};

  const std::string uid = made_uid(state.options.uid_seed, state.made);
  meta.name = name;
  meta.nspace = request.path.nspace;
  stamp_new(state, kind, meta, uid);
  prepare_create(kind, wanted);
  admit(state, kind, wanted, errors);
  check_name(kind, name, errors);
  check_meta(meta, kind.custom, errors);
  check_kind(kind, wanted, nullptr, errors);
  if (!errors.empty())
    return {invalid_object(about, errors), {}, name};
  const object_place place{request.path.nspace, name};
  if (const auto existing = state.of(kind).find(place.nspace, place.name))
    return {already_exists(about, existing->terminating), {}, name};

  ++state.made;
  const shared_revision made = write_revision(state, kind, wanted.draft, request.asked.user);
  if (is_too_large(*made))
    return {too_large_object(), {}, name};
  api_answer answer;
  answer.status = 201;
  answer.body = shown(kind, request.of.version, made);
  return {std::move(answer), state.put(kind, place, made), name};
}

store_change create_by_server(server_state& state, const resource_kind& kind, const boost::json::value& object) {
  field_errors errors;
  proposal wanted;
  object_meta& meta = wanted.draft.meta;
  meta = read_meta(find(&object, "metadata"), errors);
  take_members(kind, object, wanted, errors);
  const std::string uid = made_uid(state.options.uid_seed, state.made++);
  stamp_new(state, kind, meta, uid);
  prepare_create(kind, wanted);
  return state.put(kind, {meta.nspace, meta.name}, write_revision(state, kind, wanted.draft, "system:apiserver"));
}

} // namespace sliceferry::storm
