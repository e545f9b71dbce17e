// The part of the dispatcher that says why a slice is exported or not.
#include "actors/watch_dispatcher.hpp"

#include "actors/core/explain.hpp"
#include "actors/wall_clock.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry {

namespace {

constexpr std::size_t slices_max = 8; ///< of one name: no more than these are explained
constexpr int search_share = 20;      ///< searches take no more than this fraction of the dispatcher's time

} // namespace

void watch_dispatcher::take(const question_put& put) {
  const auto about = std::make_shared<inquiry>();
  about->asked = put.what;
  about->told.member = ports_.identity->cluster;
  about->told.slices_synced = table_.synced(core::mirrored::slices);
  about->told.exports_synced = table_.synced(core::mirrored::exports);
  const auto began = clock().now();
  if (began >= search_again_) {
    auto found = table_.search(put.what->slice);
    about->left = std::move(found.uids);
    about->told.slices = found.slices;
    about->told.near = std::move(found.near);
    const auto ended = clock().now();
    search_again_ = ended + search_share * (ended - began);
  } else if (auto uid = table_.uid_at(put.what->slice)) {
    about->left.push_back(std::move(*uid));
  } else {
    about->told.is_busy = true;
  }
  about->left.resize(std::min(about->left.size(), slices_max));
  std::ranges::reverse(about->left);
  explain_next(about);
}

/// Of a slice whose exporter is awake only that knows the memory; it may have died meanwhile.
void watch_dispatcher::explain_next(const std::shared_ptr<inquiry>& about) {
  if (about->left.empty())
    return about->asked->answer(std::move(about->told));
  const auto& uid = about->left.back();
  about->held = {};
  about->runs = {};
  const auto exporter = awake_.find(uid);
  if (exporter == awake_.end()) {
    if (const auto kept = table_.kept(uid))
      about->held = *kept;
    return ask_writers(about);
  }
  about->runs.awake = true;
  ask(this, exporter->second.handle, progress_request{})
    .then(
      [this, about](const progress_reply& told) {
        about->held = told.held;
        about->runs.out = told.out;
        ask_writers(about);
      },
      [this, about](const caf::error&) { ask_writers(about); });
}

void watch_dispatcher::ask_writers(const std::shared_ptr<inquiry>& about) {
  const tale_request asked{{ports_.identity->cluster, about->left.back()}};
  const auto last = [this, about](const tale_reply& told) {
    about->runs.hub = told.tale;
    explain(*about);
    about->left.pop_back();
    explain_next(about);
  };
  ask(this, ports_.member_writer, asked)
    .then(
      [this, about, asked, last](const tale_reply& told) {
        about->runs.member = told.tale;
        ask(this, ports_.hub_writer, asked).then(last, [last](const caf::error&) { last({}); });
      },
      [last](const caf::error&) { last({}); });
}

void watch_dispatcher::explain(inquiry& about) {
  const auto& uid = about.left.back();
  auto seen = table_.inputs_at(uid, about.asked->slice);
  gate_.complete(uid, seen);
  const auto* out = about.runs.out ? &*about.runs.out : nullptr;
  auto told = core::explain(*ports_.identity, about.held, seen, out, wall_clock());
  told.uid = uid;
  for (auto& each : told.exports)
    if (each.whose == core::owner_seen::foreign && table_.is_claimed(each.name))
      each.whose = core::owner_seen::another_slice;
  about.runs.undone = seen.undone;
  about.runs.names_chosen = about.held.names_chosen;
  told.runs = std::move(about.runs);
  about.told.found.push_back(std::move(told));
}

} // namespace sliceferry
