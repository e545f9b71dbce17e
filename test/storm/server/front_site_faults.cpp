#include "test/storm/server/front_site.hpp"

#include <utility>

namespace sliceferry::storm {
namespace {

using ending = front_connection::ending;

fault_injector::instant steady_now() {
  return std::chrono::duration_cast<fault_injector::instant>(std::chrono::steady_clock::now().time_since_epoch());
}

} // namespace

void front_site::begin_fault(const fault_order& order) {
  mark("fault_begun", name_of(order.kind));
  injector_.begin(order, steady_now());
  switch (order.kind) {
    case server_fault::half_open:
      return freeze_peers(order);
    case server_fault::mute_watches:
      return mute_watches(order);
    case server_fault::cut_watches:
      return cut_watches(order);
    case server_fault::expired_watches:
      return expire_watches(order);
    case server_fault::empty_lists:
      return thin_lists(order.share);
    case server_fault::mutated_exports:
      return state_.mutate_exports(true);
    case server_fault::server_restart:
    case server_fault::outage:
    case server_fault::long_outage:
      return go_down(order.amount);
    case server_fault::restored_backup:
      restore_at_ = steady_now() + order.amount;
      return state_.back_up(now());
    case server_fault::remove_crd:
      return state_.remove_kind(options_.export_kind, now());
    case server_fault::emptied:
      remake_at_ = steady_now() + order.amount;
      return state_.empty(now());
    case server_fault::revoked_rights:
      return allow_or_forbid(false, rights::all);
    case server_fault::revoked_writes:
      return allow_or_forbid(false, rights::writes);
    case server_fault::revoked_watches:
      allow_or_forbid(false, rights::watches);
      return cut_watches({.kind = order.kind, .share = 1, .seed = order.seed});
    default:
      return; // it waits for requests and lines
  }
}

void front_site::end_fault(const fault_order& order) {
  mark("fault_ended", name_of(order.kind));
  if (injector_.is_active(order.kind))
    return; // another one of the kind goes on
  switch (order.kind) {
    case server_fault::half_open:
      return close_where([](front_connection& each) { return each.is_frozen(); });
    case server_fault::mute_watches:
      return close_where([](front_connection& each) { return each.watch() != nullptr && each.watch()->is_mute(); });
    case server_fault::remove_crd:
      return options_.brings_objects_back ? state_.bring_back_kind(options_.export_kind, now())
                                          : state_.install_kind(options_.export_kind, now());
    case server_fault::empty_lists:
      return thin_lists(0);
    case server_fault::mutated_exports:
      return state_.mutate_exports(false);
    case server_fault::revoked_rights:
      return allow_or_forbid(true, rights::all);
    case server_fault::revoked_writes:
      return allow_or_forbid(true, rights::writes);
    case server_fault::revoked_watches:
      return allow_or_forbid(true, rights::watches);
    default:
      return;
  }
}

void front_site::end_faults() {
  for (const auto& order : injector_.clear())
    end_fault(order);
  restore_at_.reset();
  if (std::exchange(remake_at_, std::nullopt))
    state_.remake_nspaces(now());
  come_up();
}

void front_site::tick() {
  state_.tick(now());
  const auto steady = steady_now();
  for (const auto& order : injector_.take_ended(steady))
    end_fault(order);
  if (restore_at_ && steady >= *restore_at_) {
    restore_at_.reset();
    state_.restore(now());
  }
  if (remake_at_ && steady >= *remake_at_) {
    remake_at_.reset();
    state_.remake_nspaces(now());
  }
  if (up_at_ && steady >= *up_at_)
    come_up();
}

std::vector<front_site::shared_peer> front_site::faulty_peers() const {
  std::vector<shared_peer> out;
  for (const auto& [number, each] : peers_)
    if (injector_.is_faulty(each->user))
      out.push_back(each);
  return out;
}

void front_site::freeze_peers(const fault_order& order) {
  for (const auto& each : faulty_peers())
    if (fault_injector::meets(order, each->number()))
      each->freeze();
}

void front_site::mute_watches(const fault_order& order) {
  for (const auto& each : faulty_peers())
    if (each->watch() != nullptr && fault_injector::meets(order, each->number()))
      each->watch()->mute();
}

void front_site::cut_watches(const fault_order& order) {
  for (const auto& each : faulty_peers())
    if (each->watch() != nullptr && fault_injector::meets(order, each->number()))
      each->close(fault_hash(~order.seed, each->number()) % 2 == 0 ? ending::politely : ending::by_reset);
}

void front_site::expire_watches(const fault_order& order) {
  state_.compact(now());
  cut_watches({.kind = order.kind, .share = 1, .seed = order.seed});
}

void front_site::close_where(const std::function<bool(front_connection&)>& meant) {
  const auto peers = peers_; // each that closes takes itself out
  for (const auto& [number, each] : peers)
    if (meant(*each))
      each->close(ending::by_reset);
}

void front_site::go_down(std::chrono::milliseconds time) {
  const auto until = steady_now() + time;
  if (!up_at_) {
    mark("stopped");
    listener_.pause();
    close_where([](front_connection&) { return true; });
    state_.compact(now());
  }
  up_at_ = up_at_ ? std::max(*up_at_, until) : until;
}

void front_site::come_up() {
  if (!up_at_)
    return;
  up_at_.reset();
  listener_.resume();
  mark("started");
}

void front_site::allow_or_forbid(bool allowed, rights what) {
  for (const auto& user : injector_.faulty_users())
    allowed ? state_.allow(user, now(), what) : state_.forbid(user, now(), what);
}

void front_site::thin_lists(double share) {
  for (const auto& user : injector_.faulty_users())
    state_.thin_lists(user, share);
  state_.compact_beyond(now());
  cut_watches({.kind = server_fault::empty_lists, .share = 1});
}

} // namespace sliceferry::storm
