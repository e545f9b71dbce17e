#include "test/storm/server/json_text.hpp"
#include "test/storm/server/kind_rules.hpp"
#include "test/storm/server/merge_patch.hpp"
#include "test/storm/server/request_object.hpp"
#include "test/storm/server/update_object.hpp"
#include "test/storm/server/verbs.hpp"

#include <deque>

namespace sliceferry::storm {

namespace json = boost::json;

namespace {

/// The values that a patch makes; the proposal's views point into them.
struct patched {
  json::value meta;
  std::deque<json::value> members;
};

/// A strategic merge differs from a merge only in lists that have merge keys. Of the built-in kinds here only
/// conditions and owners are such, so there it is taken for a merge. JSON patches and server-side apply aren't
/// understood.
std::optional<api_answer> refuse_type(const verb_request& request) {
  const auto type = request.asked.content_type.substr(0, request.asked.content_type.find(';'));
  if (type == "application/merge-patch+json")
    return std::nullopt;
  if (request.kind().custom)
    return unsupported_media("the body of the request was in an unknown format - accepted media types include: "
                             "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml");
  if (type == "application/strategic-merge-patch+json")
    return std::nullopt;
  return unsupported_patch();
}

std::string misread(const json_reading& read) {
  if (!read.value)
    return "error decoding patch: " + read.problem;
  if (!read.value->is_object())
    return "error decoding patch: json: cannot unmarshal " + std::string{go_kind(*read.value)} +
           " into Go value of type map[string]interface {}";
  return {};
}

/// What the patched object's metadata has against being stored where it was.
std::string misplaced(const verb_request& request, const object_meta& meta) {
  const std::string url{request.path.name};
  if (meta.name.empty())
    return "the name of the object (" + url + " based on URL) was undeterminable: name must be provided";
  if (meta.name != request.path.name)
    return "the name of the object (" + std::string{meta.name} + ") does not match the name on the URL (" + url + ")";
  if (meta.nspace != request.path.nspace)
    return "the namespace of the provided object does not match the namespace sent on the request";
  return {};
}

/// A patch that makes the object another kind of object.
std::string renamed(const verb_request& request, const json::value& patch, field_errors& errors) {
  const auto kind = text_of(&patch, "kind");
  const auto api_version = text_of(&patch, "apiVersion");
  if (request.kind().custom && !kind.empty())
    check_kind_name(request, patch, errors);
  const bool other_kind = !kind.empty() && kind != request.kind().kind && !request.kind().custom;
  if (!other_kind && (api_version.empty() || api_version == request.api_version()))
    return {};
  return "no kind " + quoted(kind.empty() ? std::string_view{request.kind().kind} : kind) +
         " is registered for version " + quoted(api_version.empty() ? request.api_version() : api_version) +
         " in scheme \"pkg/runtime/scheme.go:111\"";
}

/// Applies the patch to those members that it names and the request may change.
void patch_members(const verb_request& request, const json::value& patch, const revision& before, patched& into,
                   proposal& wanted, field_errors& errors) {
  const resource_kind& kind = request.kind();
  for (std::size_t i = 0; i < kind.members.size(); ++i) {
    const json::value* change = patch.get_object().if_contains(kind.members[i].name);
    if (!change || !is_writable(kind, kind.members[i].name, request.path.subresource))
      continue;
    if (!change->is_object()) {
      wanted.set_member(kind, i, change->is_null() ? nullptr : change, errors);
      continue;
    }
    const text_span part = before.members[i];
    auto old = part.size > 0 ? read_json(before.part(part), patch.storage()) : json_reading{};
    into.members.push_back(old.value ? std::move(*old.value) : json::value{json::object(patch.storage())});
    merge_patch(into.members.back(), *change);
    wanted.set_member(kind, i, &into.members.back(), errors);
  }
}

/// What the patched metadata has against the update.
std::optional<api_answer> refuse_version(const verb_request& request, const object_meta& meta,
                                         const shared_revision& before) {
  const subject about = request.about(request.path.name);
  if (meta.version.empty() && request.kind().needs_version)
    return invalid_resource(about, {invalid("metadata.resourceVersion", "0", "must be specified for an update")});
  if (!meta.version.empty() && meta.version != std::to_string(before->version))
    return modified_conflict(about);
  return std::nullopt;
}

} // namespace

verb_outcome patch_object(server_state& state, const verb_request& request) {
  const resource_kind& kind = request.kind();
  if (auto refusal = refuse_type(request))
    return {std::move(*refusal), {}, {}};
  const shared_revision before = state.of(kind).find(request.path.nspace, request.path.name);
  if (!before)
    return {not_found(request.about(request.path.name)), {}, {}};
  const json::storage_ptr memory = state.fresh_memory();
  const json_reading patch = read_json(request.asked.body, memory);
  if (const auto wrong = misread(patch); !wrong.empty())
    return {bad_request(wrong), {}, {}};

  field_errors errors;
  patched made{std::move(*read_json(before->part(before->meta), memory).value), {}};
  if (const json::value* change = patch.value->get_object().if_contains("metadata"))
    merge_patch(made.meta, *change);
  proposal wanted;
  object_meta& meta = wanted.draft.meta;
  meta = read_meta(&made.meta, errors);
  patch_members(request, *patch.value, *before, made, wanted, errors);
  const auto other = renamed(request, *patch.value, errors);
  if (const auto* what = undecodable_in(errors); what || !other.empty())
    return {bad_patch(to_text(*patch.value), what ? what->message : other), {}, {}};
  if (const auto wrong = misplaced(request, meta); !wrong.empty())
    return {bad_request(wrong), {}, {}};
  if (auto no_place = refuse_namespace(state, request, request.path.name, false))
    return {std::move(*no_place), {}, {}};
  if (auto stale = refuse_version(request, meta, before))
    return {std::move(*stale), {}, {}};
  return update_object(state, request, before, wanted, errors, subject_of(request, *patch.value, request.path.name));
}

} // namespace sliceferry::storm
