#include "test/storm/server/cluster.hpp"

#include "test/storm/server/cluster_state.hpp"

namespace sliceferry::storm {

cluster::cluster(cluster_options options, history_sink history)
  : impl_(std::make_unique<impl>(std::move(options), std::move(history))) {}

cluster::~cluster() = default;

api_answer cluster::handle(const api_request& asked, instant now) {
  impl_->state.now = now;
  const api_path path{asked.target};
  return impl_->handle(asked, path);
}

bool cluster::is_watch(const api_request& asked) {
  const auto mark = asked.target.find('?');
  if (asked.method != "GET" || mark == std::string_view::npos)
    return false;
  const auto value = query_value(asked.target.substr(mark + 1), "watch");
  return value == "true" || value == "1";
}

std::variant<std::uint64_t, api_answer> cluster::watch(const api_request& asked, instant now, watcher sinks) {
  impl_->state.now = now;
  const api_path path{asked.target};
  return impl_->watch(asked, path, std::move(sinks));
}

void cluster::begin(std::uint64_t watch) {
  impl_->state.board.begin(watch, impl_->state.store, impl_->state.log, impl_->state.version);
}

void cluster::unwatch(std::uint64_t watch) {
  impl_->state.board.close(watch);
}

void cluster::tick(instant now) {
  impl_->state.now = now;
  impl_->collect_definitions();
  impl_->hub.tick(impl_->state);
  impl_->state.board.tick(now, impl_->state.version);
}

void cluster::compact(instant now) {
  impl_->state.now = now;
  impl_->state.log.clear(impl_->state.version);
  impl_->state.note_mark("compacted");
}

void cluster::compact_beyond(instant now) {
  ++impl_->state.version;
  compact(now);
}

void cluster::end_watches(instant now) {
  impl_->state.now = now;
  impl_->state.note_mark("watches_ended");
  impl_->state.board.end_all();
}

void cluster::back_up(instant now) {
  impl_->state.now = now;
  impl_->backup = store_backup{impl_->state.store, impl_->state.version};
  impl_->state.note_mark("backed_up");
}

void cluster::restore(instant now) {
  impl_->state.now = now;
  if (impl_->backup)
    impl_->restore(*impl_->backup);
}

void cluster::empty(instant now) {
  impl_->state.now = now;
  impl_->empty();
}

void cluster::remake_nspaces(instant now) {
  impl_->state.now = now;
  impl_->remake_nspaces();
}

void cluster::remove_kind(std::string_view resource, instant now) {
  impl_->state.now = now;
  impl_->remove_kind(resource);
}

void cluster::install_kind(std::string_view resource, instant now) {
  impl_->state.now = now;
  impl_->install_kind(resource);
}

void cluster::bring_back_kind(std::string_view resource, instant now) {
  impl_->state.now = now;
  impl_->bring_back(resource);
}

void cluster::forbid(std::string_view user, instant now, rights what) {
  impl_->state.now = now;
  impl_->state.forbidden.emplace(user, what);
  impl_->state.note_mark("forbidden", {}, user);
}

void cluster::allow(std::string_view user, instant now, rights what) {
  impl_->state.now = now;
  impl_->state.forbidden.erase({std::string{user}, what});
  impl_->state.note_mark("allowed", {}, user);
}

void cluster::thin_lists(std::string_view user, double share) {
  impl_->state.thinned[std::string{user}] = share;
}

void cluster::mutate_exports(bool mutates) {
  impl_->state.mutates_exports = mutates;
}

void cluster::note_fault(const api_request& asked, unsigned status, std::string_view fault, instant now) {
  impl_->state.now = now;
  const api_path path{asked.target};
  impl_->note(asked, path, status, nullptr, fault);
}

std::uint64_t cluster::resource_version() const {
  return impl_->state.version;
}

std::uint64_t cluster::writes() const {
  return impl_->state.writes;
}

} // namespace sliceferry::storm
