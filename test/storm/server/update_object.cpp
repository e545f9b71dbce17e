#include "test/storm/server/update_object.hpp"

#include "test/storm/server/admission.hpp"
#include "test/storm/server/kind_rules.hpp"
#include "test/storm/server/request_object.hpp"

#include <algorithm>

namespace sliceferry::storm {

namespace {

/// What an update can't change, whatever it says.
void keep_fixed(const resource_kind& kind, object_meta& meta, const object_meta& before) {
  meta.created = before.created;
  meta.generation = before.generation;
  meta.grace = before.grace;
  meta.generate_name = before.generate_name;
  meta.nspace = before.nspace;
  if (meta.uid.empty())
    meta.uid = before.uid;
  if (meta.deleted.empty())
    meta.deleted = before.deleted;
  if (kind.how != resource_kind::rules::nspace)
    return;
  constexpr std::string_view name_label = "kubernetes.io/metadata.name";
  std::erase_if(meta.labels, [](const auto& each) { return each.first == name_label; });
  meta.labels.emplace_back(name_label, meta.name);
  std::sort(meta.labels.begin(), meta.labels.end());
}

bool is_same(const resource_kind& kind, const object_draft& wanted, const object_draft& before) {
  for (std::size_t i = 0; i < kind.members.size(); ++i)
    if (wanted.parts[i] != before.parts[i])
      return false;
  return wanted.meta.same_content(before.meta);
}

/// Custom resources meet the checks of metadata twice.
void check_update(const resource_kind& kind, const object_meta& meta, const object_meta& before, field_errors& errors) {
  check_meta_update(meta, before, errors);
  if (kind.custom)
    check_meta_update(meta, before, errors);
  check_meta(meta, kind.custom, errors);
}

api_answer answer_with(const verb_request& request, const shared_revision& object) {
  api_answer out;
  out.body = shown(request.kind(), request.of.version, object);
  return out;
}

} // namespace

verb_outcome update_object(server_state& state, const verb_request& request, const shared_revision& before,
                           proposal& wanted, field_errors& errors, const subject& about) {
  const resource_kind& kind = request.kind();
  const stored_meta stored = read_stored_meta(*before, state.memory());
  const object_draft old = draft_of(*before, stored.meta);
  object_meta& meta = wanted.draft.meta;
  // A status' writer changes nothing else.
  if (request.path.subresource == "status")
    meta = old.meta;
  for (std::size_t i = 0; i < kind.members.size(); ++i)
    if (!wanted.given[i])
      wanted.draft.parts[i] = old.parts[i];
  admit(state, kind, wanted, errors);
  keep_fixed(kind, meta, old.meta);
  check_update(kind, meta, old.meta, errors);
  check_kind(kind, wanted, before.get(), errors);
  if (!errors.empty())
    return {invalid_object(about, errors), {}, {}};
  if (is_same(kind, wanted.draft, old))
    return {answer_with(request, before), {}, {}};
  if (raises_generation(kind, wanted.draft, old))
    meta.generation = old.meta.generation + 1;
  const shared_revision after = write_revision(state, kind, wanted.draft, request.asked.user);
  if (is_too_large(*after))
    return {too_large_object(), {}, {}};
  if (meta.deleted.empty() || !is_released(kind, wanted.draft))
    return {answer_with(request, after), state.put(kind, request.place(), after), {}};
  // Shown as it would have been, at the version that it had.
  const shared_revision last = with_version(*after, before->version);
  return {answer_with(request, last), state.erase(kind, request.place()), {}};
}

store_change update_by_server(server_state& state, const resource_kind& kind, object_place at,
                              const shared_revision& before, object_draft wanted, std::string_view user) {
  if (before->terminating && is_released(kind, wanted))
    return state.erase(kind, at);
  return state.put(kind, at, write_revision(state, kind, wanted, user));
}

} // namespace sliceferry::storm
