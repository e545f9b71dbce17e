#include "test/storm/server/definition_rules.hpp"
#include "test/storm/server/json_text.hpp"
#include "test/storm/server/kind_rules.hpp"
#include "test/storm/server/list_options.hpp"
#include "test/storm/server/request_object.hpp"
#include "test/storm/server/update_object.hpp"
#include "test/storm/server/verbs.hpp"

#include <algorithm>

namespace sliceferry::storm {

namespace json = boost::json;

namespace {

struct delete_options {
  std::string uid;     ///< precondition, or empty
  std::string version; ///< precondition, or empty
  std::string propagation;
  std::optional<api_answer> refusal;
};

delete_options refused(api_answer answer) {
  delete_options out;
  out.refusal = std::move(answer);
  return out;
}

delete_options read_options(std::string_view body) {
  delete_options out;
  if (body.empty())
    return out;
  const json_reading read = read_json(body);
  if (!read.value || !read.value->is_object())
    return refused(
      bad_request("couldn't get version/kind; json parse error: " + (read.value ? "not an object" : read.problem)));
  const auto kind = text_of(&*read.value, "kind");
  const auto api_version = text_of(&*read.value, "apiVersion");
  if (!kind.empty() && kind != "DeleteOptions")
    return refused(bad_request("no kind " + quoted(kind) + " is registered for version " + quoted(api_version) +
                               " in scheme \"pkg/runtime/scheme.go:111\""));
  const json::value* conditions = find(&*read.value, "preconditions");
  out.uid = text_of(conditions, "uid");
  out.version = text_of(conditions, "resourceVersion");
  out.propagation = text_of(&*read.value, "propagationPolicy");
  if (!out.propagation.empty() && out.propagation != "Foreground" && out.propagation != "Background" &&
      out.propagation != "Orphan")
    return refused(options_invalid("DeleteOptions", {not_supported("propagationPolicy", quoted(out.propagation),
                                                                   {"Foreground", "Background", "Orphan", "nil"})}));
  return out;
}

std::optional<api_answer> refuse_conditions(const subject& about, const delete_options& options,
                                            const object_meta& meta, std::uint64_t version) {
  if (!options.uid.empty() && options.uid != meta.uid)
    return precondition_conflict(about, "UID", options.uid, meta.uid);
  if (const auto found = std::to_string(version); !options.version.empty() && options.version != found)
    return precondition_conflict(about, "ResourceVersion", options.version, found);
  return std::nullopt;
}

bool is_protected(const resource_kind& kind, std::string_view name) {
  return kind.how == resource_kind::rules::nspace &&
         (name == "default" || name == "kube-system" || name == "kube-public");
}

/// Makes the object terminating. Nobody collects garbage here, as without a controller manager: an object that waits
/// for its dependents waits until somebody takes the finalizer away.
store_change begin_end(server_state& state, const resource_kind& kind, object_place at, const shared_revision& before,
                       object_meta meta, std::string_view user) {
  meta.deleted = state.stamp();
  object_draft wanted = draft_of(*before, std::move(meta));
  std::string status;
  switch (kind.how) {
    case resource_kind::rules::nspace:
      status = R"({"phase":"Terminating"})";
      break;
    case resource_kind::rules::definition:
      status = terminating_status(wanted.parts[kind.member_index("status")], state.stamp());
      break;
    case resource_kind::rules::plain:
    case resource_kind::rules::slice:
    case resource_kind::rules::lease:
      wanted.meta.grace = 0;
      if (wanted.meta.generation > 0)
        ++wanted.meta.generation;
  }
  if (!status.empty())
    wanted.parts[kind.member_index("status")] = status;
  return state.put(kind, at, write_revision(state, kind, wanted, user));
}

verb_outcome delete_one(server_state& state, const verb_request& request, object_place at,
                        const delete_options& options) {
  const resource_kind& kind = request.kind();
  const subject about = request.about(at.name);
  const shared_revision before = state.of(kind).find(at.nspace, at.name);
  if (is_protected(kind, at.name))
    return {forbidden_by(about, "this namespace may not be deleted"), {}, {}};
  if (!before)
    return {not_found(about), {}, {}};
  const stored_meta stored = read_stored_meta(*before, state.fresh_memory());
  if (auto refusal = refuse_conditions(about, options, stored.meta, before->version))
    return {std::move(*refusal), {}, {}};
  api_answer answer;
  if (before->terminating) {
    answer.body = shown(kind, request.of.version, before);
    return {std::move(answer), {}, {}};
  }
  object_draft wanted = draft_of(*before, stored.meta);
  if (options.propagation == "Foreground")
    wanted.meta.finalizers.push_back("foregroundDeletion");
  if (options.propagation == "Orphan")
    wanted.meta.finalizers.push_back("orphan");
  if (kind.how == resource_kind::rules::definition)
    wanted.meta.finalizers.push_back(definition_finalizer);
  if (is_released(kind, wanted))
    return {deleted(about, stored.meta.uid), state.erase(kind, at), {}};
  store_change done = begin_end(state, kind, at, before, std::move(wanted.meta), request.asked.user);
  answer.body = shown(kind, request.of.version, done.object);
  return {std::move(answer), std::move(done), {}};
}

} // namespace

store_change delete_by_server(server_state& state, const resource_kind& kind, object_place at, std::string_view user) {
  const shared_revision before = state.of(kind).find(at.nspace, at.name);
  if (!before || before->terminating)
    return {};
  const stored_meta stored = read_stored_meta(*before);
  if (is_released(kind, draft_of(*before, stored.meta)))
    return state.erase(kind, at);
  return begin_end(state, kind, at, before, stored.meta, user);
}

verb_outcome delete_object(server_state& state, const verb_request& request) {
  const delete_options options = read_options(request.asked.body);
  if (options.refusal)
    return {*options.refusal, {}, {}};
  return delete_one(state, request, request.place(), options);
}

verb_outcome delete_collection(server_state& state, const verb_request& request) {
  if (request.kind().how == resource_kind::rules::nspace || (request.kind().namespaced && request.path.nspace.empty()))
    return {request.kind().custom ? page_not_found() : method_not_allowed(), {}, {}};
  const delete_options options = read_options(request.asked.body);
  if (options.refusal)
    return {*options.refusal, {}, {}};
  verb_outcome out = list_objects(state, request);
  if (out.answer.status != 200)
    return out;
  const list_options chosen = read_list_options(request.path.query, request.kind());
  for (const auto& [nspace, name] : state.of(request.kind()).places()) {
    const object_place at{nspace, name};
    if ((!request.path.nspace.empty() && nspace != request.path.nspace) ||
        !chosen.keeps.matches(nspace, name, *state.of(request.kind()).find(nspace, name)))
      continue;
    const verb_outcome one = delete_one(state, request, at, options);
    if (one.done.what != history_entry::change::none)
      state.note_change(request.asked.user, "delete", request.kind(), at, one.done);
  }
  return out;
}

} // namespace sliceferry::storm
