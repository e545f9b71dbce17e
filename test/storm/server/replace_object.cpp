#include "test/storm/server/json_text.hpp"
#include "test/storm/server/kind_rules.hpp"
#include "test/storm/server/request_object.hpp"
#include "test/storm/server/update_object.hpp"
#include "test/storm/server/verbs.hpp"

namespace sliceferry::storm {

namespace {

/// What is wrong with the place that the object names, or nothing.
std::string misplaced(const verb_request& request, const object_meta& meta) {
  const std::string url{request.path.name};
  if (meta.name.empty())
    return "the name of the object (" + url + " based on URL) was undeterminable: name must be provided";
  if (meta.name != request.path.name)
    return "the name of the object (" + std::string{meta.name} + ") does not match the name on the URL (" + url + ")";
  if (!meta.nspace.empty() && meta.nspace != request.path.nspace)
    return "the namespace of the provided object does not match the namespace sent on the request";
  return {};
}

/// What the stored object's identity and version have against the update.
std::optional<api_answer> refuse_version(const verb_request& request, const object_meta& meta,
                                         const shared_revision& before, boost::json::storage_ptr memory) {
  const subject about = request.about(request.path.name);
  const stored_meta stored = read_stored_meta(*before, std::move(memory));
  if (!meta.uid.empty() && meta.uid != stored.meta.uid) {
    std::string said = "StorageError: invalid object, Code: 4, Key: /registry/";
    if (request.kind().custom)
      said += request.kind().group + "/";
    said.append(request.kind().plural).append("/").append(request.path.nspace);
    said.append(request.path.nspace.empty() ? "" : "/").append(request.path.name);
    said.append(", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ");
    said.append(meta.uid).append(", UID in object meta: ").append(stored.meta.uid);
    return conflict(about, said);
  }
  if (meta.version.empty() && request.kind().needs_version)
    return invalid_resource(about, {invalid("metadata.resourceVersion", "0", "must be specified for an update")});
  if (!meta.version.empty() && meta.version != std::to_string(before->version))
    return modified_conflict(about);
  return std::nullopt;
}

} // namespace

verb_outcome replace_object(server_state& state, const verb_request& request) {
  const resource_kind& kind = request.kind();
  auto [json, refusal] = read_object(request, state.fresh_memory());
  if (refusal)
    return {std::move(*refusal), {}, {}};
  field_errors errors;
  check_kind_name(request, *json, errors);
  proposal wanted;
  object_meta& meta = wanted.draft.meta;
  meta = read_meta(find(&*json, "metadata"), errors);
  for (std::size_t i = 0; i < kind.members.size(); ++i)
    if (is_writable(kind, kind.members[i].name, request.path.subresource))
      wanted.set_member(kind, i, find(&*json, kind.members[i].name), errors);
  if (const auto* what = undecodable_in(errors))
    return {refuse_undecodable(request, *what), {}, {}};
  if (const auto wrong = misplaced(request, meta); !wrong.empty())
    return {bad_request(wrong), {}, {}};

  const shared_revision before = state.of(kind).find(request.path.nspace, request.path.name);
  if (!before) {
    if (!kind.creates_on_put)
      return {not_found(request.about(request.path.name)), {}, {}};
    // As a create, which a resourceVersion doesn't hinder here.
    const object_place place = request.place();
    if (auto no_place = refuse_namespace(state, request, place.name, true))
      return {std::move(*no_place), {}, {}};
    boost::json::value object = std::move(*json);
    object.get_object()["metadata"].get_object()["namespace"] = place.nspace;
    const store_change done = create_by_server(state, kind, object);
    api_answer answer;
    answer.status = 201;
    answer.body = shown(kind, request.of.version, done.object);
    return {std::move(answer), done, {}};
  }
  if (auto no_place = refuse_namespace(state, request, request.path.name, false))
    return {std::move(*no_place), {}, {}};
  if (auto stale = refuse_version(request, meta, before, state.memory()))
    return {std::move(*stale), {}, {}};
  return update_object(state, request, before, wanted, errors, subject_of(request, *json, request.path.name));
}

} // namespace sliceferry::storm
