#include "test/storm/server/cluster_state.hpp"

#include "test/storm/server/definition_rules.hpp"
#include "test/storm/server/json_text.hpp"
#include "test/storm/server/update_object.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::storm {

using change = history_entry::change;

namespace {

constexpr std::string_view definitions = "customresourcedefinitions";
constexpr std::string_view cleaner = "system:crd-cleanup";

/// An object that a restored backup changes.
struct difference {
  std::size_t kind;
  std::string nspace;
  std::string name;
  store_change done;
  std::string_view verb;
};

/// What differs when `after` takes the place of `before`.
void compare(std::size_t kind, const collection& before, const collection& after, std::vector<difference>& out) {
  for (const auto& [nspace, space] : after.all())
    for (const auto& [name, object] : space.names()) {
      const shared_revision old = before.find(nspace, name);
      if (!old)
        out.push_back({kind, nspace, name, {change::added, object}, "create"});
      else if (old->version != object->version)
        out.push_back({kind, nspace, name, {change::modified, object}, "update"});
    }
  for (const auto& [nspace, space] : before.all())
    for (const auto& [name, object] : space.names())
      if (!after.find(nspace, name))
        out.push_back({kind, nspace, name, {change::deleted, object}, "delete"});
}

} // namespace

cluster::impl::impl(cluster_options options, history_sink history)
  : state(std::move(options), std::move(history)), hub(state.options.uid_seed) {
  state.on_change = [this](const logged_event& event) { saw(event); };
  populate();
}

void cluster::impl::populate() {
  const shared_kind spaces = state.kinds.find("namespaces");
  for (const char* name : {"default", "kube-system", "kube-public", "kube-node-lease"})
    create_by_server(state, *spaces, {{"metadata", {{"name", name}}}});
  const shared_kind kind = state.kinds.find(definitions);
  for (const auto text : fleet_definitions())
    create_by_server(state, *kind, *read_json(text).value);
  state.writes = 0;
  birth = {state.store, state.version};
}

void cluster::impl::saw(const logged_event& event) {
  const shared_kind kind = state.kinds.by_id(event.kind);
  if (!kind)
    return;
  if (kind->how == resource_kind::rules::definition)
    saw_definition(event);
  else if (state.options.plays_hub_controller && kind->plural == hub_controller::plural)
    hub.saw(event, state.now);
}

void cluster::impl::saw_definition(const logged_event& event) {
  if (event.what != change::deleted)
    return state.kinds.install(*read_json(event.after->text).value);
  if (const shared_kind gone = state.kinds.find(event.name))
    forget_kind(*gone);
}

void cluster::impl::forget_kind(const resource_kind& kind) {
  auto& taken = taken_[kind.plural];
  taken.clear();
  for (const auto& [nspace, name] : state.of(kind).places()) {
    const object_place at{nspace, name};
    taken.push_back({nspace, name, state.of(kind).find(nspace, name)});
    state.note_change(cleaner, "delete", kind, at, state.erase(kind, at));
  }
  const std::size_t id = kind.id;
  state.kinds.remove(kind.key());
  state.board.end_of_kind(id);
}

void cluster::impl::remove_kind(std::string_view resource) {
  const shared_kind gone = state.kinds.find(resource);
  if (!gone || !gone->custom)
    return;
  state.note_mark("kind_removed", gone->plural);
  forget_kind(*gone);
  const shared_kind kind = state.kinds.find(definitions);
  const std::string name = gone->key();
  state.note_change(cleaner, "delete", *kind, {{}, name}, state.erase(*kind, {{}, name}));
}

void cluster::impl::install_kind(std::string_view resource) {
  if (state.kinds.find(resource))
    return;
  const shared_kind kind = state.kinds.find(definitions);
  for (const auto text : fleet_definitions()) {
    const auto read = read_json(text);
    if (text_of(find(find(&*read.value, "spec"), "names"), "plural") != resource)
      continue;
    state.note_mark("kind_installed", resource);
    const std::string name{text_of(find(&*read.value, "metadata"), "name")};
    state.note_change("system:apiserver", "create", *kind, {{}, name}, create_by_server(state, *kind, *read.value));
  }
}

void cluster::impl::collect_definitions() {
  const std::vector<shared_kind> kinds = state.kinds.all();
  for (const auto& kind : kinds) {
    if (!kind->terminating)
      continue;
    for (const auto& [nspace, name] : state.of(*kind).places()) {
      const object_place at{nspace, name};
      if (const store_change done = delete_by_server(state, *kind, at, cleaner); done.object)
        state.note_change(cleaner, "delete", *kind, at, done);
    }
    if (state.of(*kind).size() > 0)
      continue; // somebody's finalizers hold the rest
    const shared_kind definition = state.kinds.find(definitions);
    const std::string name = kind->key();
    const shared_revision before = state.of(*definition).find({}, name);
    const stored_meta stored = read_stored_meta(*before);
    object_meta meta = stored.meta;
    std::erase(meta.finalizers, definition_finalizer);
    const object_place at{{}, name};
    state.note_change(cleaner, "update", *definition, at,
                      update_by_server(state, *definition, at, before, draft_of(*before, std::move(meta)), cleaner));
  }
}

void cluster::impl::bring_back(std::string_view resource) {
  install_kind(resource);
  const shared_kind kind = state.kinds.find(resource);
  const shared_kind spaces = state.kinds.find("namespaces");
  const auto taken = taken_.find(resource);
  if (!kind || taken == taken_.end())
    return;
  for (const auto& [nspace, name, object] : std::exchange(taken->second, {})) {
    const auto home = state.of(*spaces).find({}, nspace);
    if (!home || home->terminating || state.of(*kind).find(nspace, name))
      continue;
    const object_place at{nspace, name};
    state.note_change("system:restore", "create", *kind, at,
                      state.put(*kind, at, with_version(*object, state.version + 1)));
  }
}

void cluster::impl::empty() {
  const shared_kind spaces = state.kinds.find("namespaces");
  const auto old = state.of(*spaces).places();
  restore(birth);
  for (const auto& [nowhere, name] : old)
    if (!state.of(*spaces).find(nowhere, name))
      lost_nspaces.push_back(name);
}

void cluster::impl::remake_nspaces() {
  const shared_kind spaces = state.kinds.find("namespaces");
  for (const auto& name : std::exchange(lost_nspaces, {}))
    if (!state.of(*spaces).find({}, name))
      state.note_change("system:apiserver", "create", *spaces, {{}, name},
                        create_by_server(state, *spaces, {{"metadata", {{"name", name}}}}));
}

void cluster::impl::restore(const store_backup& past) {
  std::vector<difference> differences;
  static const collection nothing;
  const object_store& then = past.objects;
  for (std::size_t id = 0; id < state.kinds.ids(); ++id)
    compare(id, id < state.store.size() ? state.store[id] : nothing, id < then.size() ? then[id] : nothing,
            differences);
  state.board.end_all();
  const std::vector<shared_kind> before = state.kinds.all();
  state.store = past.objects;
  state.version = past.version;
  state.log.clear(state.version);
  for (const auto& kind : before)
    if (kind->custom)
      state.kinds.remove(kind->key());
  const shared_kind definition = state.kinds.find(definitions);
  for (const auto& [nspace, space] : state.of(*definition).all())
    for (const auto& [name, object] : space.names())
      state.kinds.install(*read_json(object->text).value);
  state.note_mark("restored");
  for (const auto& [id, nspace, name, done, verb] : differences) {
    auto kind = state.kinds.by_id(id);
    for (const auto& each : before)
      kind = !kind && each->id == id ? each : kind;
    if (kind)
      state.note_change("system:restore", verb, *kind, {nspace, name}, done);
  }
  if (state.options.plays_hub_controller)
    hub.look_again(state);
}

} // namespace sliceferry::storm
