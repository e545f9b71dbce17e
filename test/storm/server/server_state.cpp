#include "test/storm/server/server_state.hpp"

#include "test/storm/server/json_text.hpp"
#include "test/storm/server/rfc3339_time.hpp"

namespace sliceferry::storm {

using change = history_entry::change;

server_state::server_state(cluster_options chosen, cluster::history_sink sink)
  : options(std::move(chosen)), history(std::move(sink)), log(options.history_events) {}

collection& server_state::of(const resource_kind& kind) {
  if (store.size() < kinds.ids())
    store.resize(kinds.ids());
  return store[kind.id];
}

const std::string& server_state::stamp() {
  const auto second = std::chrono::floor<std::chrono::seconds>(now);
  if (second != stamped_) {
    stamped_ = second;
    stamp_ = rfc3339_text(now);
  }
  return stamp_;
}

boost::json::storage_ptr server_state::fresh_memory() {
  memory_.emplace(scratch_.get(), scratch_size);
  return memory();
}

void server_state::record(const logged_event& event) {
  version = event.version();
  ++writes;
  board.publish(event);
  log.push(event); // before anybody changes more because of it
  if (on_change)
    on_change(event);
}

store_change server_state::put(const resource_kind& kind, object_place at, shared_revision object) {
  shared_revision before = of(kind).exchange(at.nspace, at.name, object);
  const change what = before ? change::modified : change::added;
  record({kind.id, what, std::string{at.nspace}, std::string{at.name}, std::move(before), object});
  return {what, std::move(object)};
}

store_change server_state::erase(const resource_kind& kind, object_place at) {
  std::string nspace{at.nspace}; // the place may point into the store
  std::string name{at.name};
  shared_revision before = of(kind).erase(nspace, name);
  if (!before)
    return {};
  const shared_revision last = with_version(*before, version + 1);
  record({kind.id, change::deleted, std::move(nspace), std::move(name), std::move(before), last});
  return {change::deleted, last};
}

void server_state::note_change(std::string_view user, std::string_view verb, const resource_kind& kind, object_place at,
                               const store_change& done) {
  history_entry entry;
  entry.at = now;
  entry.cluster = options.name;
  entry.user = user;
  entry.verb = verb;
  entry.resource = kind.plural;
  entry.nspace = at.nspace;
  entry.name = at.name;
  entry.code = 200;
  entry.what = done.what;
  if (done.object)
    entry.object = done.object->text;
  if (history)
    history(std::move(entry));
}

void server_state::note_mark(std::string_view mark, std::string_view resource, std::string_view name) {
  history_entry entry;
  entry.at = now;
  entry.cluster = options.name;
  entry.verb = "mark";
  entry.resource = resource;
  entry.name = name;
  entry.mark = mark;
  if (history)
    history(std::move(entry));
}

shared_revision write_revision(server_state& state, const resource_kind& kind, const object_draft& draft,
                               std::string_view manager) {
  auto out = std::make_shared<revision>();
  out->version = state.version + 1;
  std::size_t expected = 640;
  for (const auto part : draft.parts)
    expected += part.size();
  out->text.reserve(expected);
  out->text += kind.versions.front().head;
  write_meta(*out, draft.meta, {manager, kind.versions.front().api_version, state.stamp()}, kind.order());
  for (std::size_t i = 0; i < kind.members.size(); ++i) {
    if (draft.parts[i].empty())
      continue;
    out->text.append(",\"").append(kind.members[i].name).append("\":");
    out->members[i] = {static_cast<std::uint32_t>(out->text.size()), static_cast<std::uint32_t>(draft.parts[i].size())};
    out->text += draft.parts[i];
  }
  out->text += '}';
  return out;
}

stored_meta read_stored_meta(const revision& object, boost::json::storage_ptr where) {
  auto read = read_json(object.part(object.meta), std::move(where));
  stored_meta out{std::move(*read.value), {}}; // assigning instead would copy to other memory
  field_errors none;
  out.meta = read_meta(&out.json, none);
  return out;
}

object_draft draft_of(const revision& object, object_meta meta) {
  object_draft out;
  out.meta = std::move(meta);
  for (std::size_t i = 0; i < members_max; ++i)
    out.parts[i] = object.part(object.members[i]);
  return out;
}

bool server_state::hides(std::string_view user, object_place at) const {
  const auto found = thinned.find(user);
  if (found == thinned.end() || found->second <= 0)
    return false;
  const std::uint64_t hash = std::hash<std::string_view>{}(at.name) ^ (std::hash<std::string_view>{}(at.nspace) << 1U);
  return static_cast<double>(hash % 1'000) < found->second * 1'000;
}

} // namespace sliceferry::storm
