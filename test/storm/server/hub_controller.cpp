#include "test/storm/server/hub_controller.hpp"

#include "test/storm/server/update_object.hpp"

#include <algorithm>

namespace sliceferry::storm {

using change = history_entry::change;

instant hub_controller::delay(std::uint64_t least_ms, std::uint64_t most_ms) {
  state_ ^= state_ << 13U; // xorshift64
  state_ ^= state_ >> 7U;
  state_ ^= state_ << 17U;
  const std::uint64_t span_us = (most_ms - least_ms) * 1000;
  return instant{static_cast<std::int64_t>(least_ms * 1000 + state_ % span_us)};
}

void hub_controller::saw(const logged_event& event, instant now) {
  const bool created = event.what == change::added;
  const bool doomed = event.what == change::modified && event.after->terminating && !event.before->terminating;
  if (created || doomed)
    plan(event.nspace, event.name, *event.after, now);
}

void hub_controller::plan(const std::string& nspace, const std::string& name, const revision& object, instant now) {
  const instant when = now + (object.terminating ? delay(20, 200) : delay(5, 50));
  due_.emplace(when, task{nspace, name, object.terminating});
}

void hub_controller::look_again(server_state& state) {
  due_.clear();
  const shared_kind kind = state.kinds.find(plural);
  if (!kind)
    return;
  for (const auto& [nspace, space] : state.of(*kind).all())
    for (const auto& [name, object] : space.names())
      plan(nspace, name, *object, state.now);
}

void hub_controller::tick(server_state& state) {
  while (!due_.empty() && due_.begin()->first <= state.now) {
    const task due = std::move(due_.begin()->second);
    due_.erase(due_.begin());
    act(state, due);
  }
}

void hub_controller::act(server_state& state, const task& due) const {
  const shared_kind kind = state.kinds.find(plural);
  const shared_revision before = kind ? state.of(*kind).find(due.nspace, due.name) : shared_revision{};
  // An object that came or went meanwhile has a task of its own.
  if (!before || before->terminating != due.release)
    return;
  const stored_meta stored = read_stored_meta(*before);
  object_meta meta = stored.meta;
  const bool held = std::find(meta.finalizers.begin(), meta.finalizers.end(), finalizer) != meta.finalizers.end();
  if (held != due.release)
    return;
  if (held)
    std::erase(meta.finalizers, finalizer);
  else
    meta.finalizers.push_back(finalizer);
  const object_place at{due.nspace, due.name};
  const store_change done = update_by_server(state, *kind, at, before, draft_of(*before, std::move(meta)), user);
  state.note_change(user, "patch", *kind, at, done);
}

} // namespace sliceferry::storm
