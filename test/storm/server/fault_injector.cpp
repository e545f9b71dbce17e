#include "test/storm/server/fault_injector.hpp"

#include <algorithm>

namespace sliceferry::storm {
namespace {

constexpr std::array<std::string_view, server_fault_count> names{
  "half_open",       "reset",           "expired_token",   "throttle",        "html_errors",  "errors_5xx",
  "conflict_bursts", "quota",           "denied_writes",   "expired_watches", "lost_answers", "revoked_rights",
  "revoked_writes",  "revoked_watches", "latency",         "one_byte_chunks", "gzip",         "mute_watches",
  "truncated_lines", "empty_lists",     "mutated_exports", "huge_lines",      "blank_lines",  "cut_watches",
  "server_restart",  "outage",          "long_outage",     "restored_backup", "emptied",      "remove_crd"};
static_assert(names.back() == "remove_crd" &&
              static_cast<std::size_t>(server_fault::remove_crd) + 1 == server_fault_count);

double fraction(std::uint64_t hash) {
  return static_cast<double>(hash >> 11) * 0x1p-53;
}

/// From half the amount to one and a half.
std::chrono::microseconds jittered(std::chrono::milliseconds amount, std::uint64_t hash) {
  const auto whole = static_cast<double>(std::chrono::microseconds{amount}.count());
  return std::chrono::microseconds{static_cast<std::int64_t>(whole * (0.5 + fraction(hash)))};
}

/// The status that the fault refuses such a request with, or 0.
unsigned refusal(server_fault kind, const request_facts& asked, std::uint64_t hash) {
  constexpr std::array<unsigned, 3> broken{500, 503, 504};
  constexpr std::array<unsigned, 2> of_balancers{404, 502};
  switch (kind) {
    case server_fault::expired_token:
      return 401;
    case server_fault::throttle:
      return 429;
    case server_fault::html_errors:
      return of_balancers[hash % of_balancers.size()];
    case server_fault::errors_5xx:
      return broken[hash % broken.size()];
    case server_fault::conflict_bursts:
      return asked.method == "PATCH" || asked.method == "PUT" ? 409 : 0;
    case server_fault::quota:
      return asked.method == "POST" ? 403 : 0;
    case server_fault::denied_writes:
      return asked.method == "POST" || asked.method == "PATCH" || asked.method == "PUT" ? 403 : 0;
    case server_fault::expired_watches:
      return asked.is_watch ? 410 : 0;
    default:
      return 0;
  }
}

bool is_clusters_own(server_fault kind) {
  return kind == server_fault::revoked_rights || kind == server_fault::revoked_writes ||
         kind == server_fault::revoked_watches;
}

} // namespace

std::string_view name_of(server_fault kind) {
  return names[static_cast<std::size_t>(kind)];
}

std::optional<server_fault> fault_named(std::string_view name) {
  const auto* found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? std::nullopt : std::optional{static_cast<server_fault>(found - names.begin())};
}

std::uint64_t fault_hash(std::uint64_t seed, std::uint64_t n) {
  const auto mix = [](std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
  };
  return mix(mix(seed + 0x9e3779b97f4a7c15U) + n * 0x9e3779b97f4a7c15U);
}

fault_injector::fault_injector(std::vector<std::string> faulty_users) : faulty_users_{std::move(faulty_users)} {}

void fault_injector::begin(const fault_order& order, instant now) {
  const auto later =
    std::find_if(active_.begin(), active_.end(), [&](const window& each) { return each.order.kind > order.kind; });
  active_.insert(later, {order, now + order.lasts});
}

std::vector<fault_order> fault_injector::take_ended(instant now) {
  std::vector<window> ended;
  std::erase_if(active_, [&](const window& each) {
    if (each.ends > now)
      return false;
    ended.push_back(each);
    return true;
  });
  std::stable_sort(ended.begin(), ended.end(), [](const window& a, const window& b) { return a.ends < b.ends; });
  std::vector<fault_order> out;
  for (const auto& each : ended)
    out.push_back(each.order);
  return out;
}

std::vector<fault_order> fault_injector::clear() {
  return take_ended(instant::max());
}

bool fault_injector::is_active(server_fault kind) const {
  return std::any_of(active_.begin(), active_.end(), [&](const window& each) { return each.order.kind == kind; });
}

bool fault_injector::is_faulty(std::string_view user) const {
  return std::find(faulty_users_.begin(), faulty_users_.end(), user) != faulty_users_.end();
}

bool fault_injector::meets(const fault_order& order, std::uint64_t n) {
  return fraction(fault_hash(order.seed, n)) < order.share;
}

void fault_injector::apply(const fault_order& order, const request_facts& asked, treatment& out) const {
  using way = treatment::way;
  // A second hash, for the first was used up by the question whether the fault meets the request at all.
  const std::uint64_t second = fault_hash(~order.seed, requests_);
  const auto decide = [&](way what) {
    if (out.what == way::handle) {
      out.what = what;
      out.fault = name_of(order.kind);
    }
  };
  const auto colour = [&](bool applies) {
    if (applies && out.fault.empty())
      out.fault = name_of(order.kind);
    return applies;
  };
  if (order.kind == server_fault::half_open)
    return decide(way::silence);
  if (order.kind == server_fault::reset)
    return decide(way::reset);
  if (order.kind == server_fault::lost_answers && !asked.is_watch)
    return decide(way::lose_answer);
  if (const unsigned status = refusal(order.kind, asked, second); status != 0 && out.what == way::handle) {
    decide(way::refuse);
    out.status = status;
  }
  if (order.kind == server_fault::latency)
    out.delay = std::max(out.delay, jittered(order.amount, second));
  out.in_pieces |= order.kind == server_fault::one_byte_chunks;
  out.zipped |= order.kind == server_fault::gzip && colour(!asked.is_watch);
  out.mute |= order.kind == server_fault::mute_watches && colour(asked.is_watch);
  colour(is_clusters_own(order.kind));
}

treatment fault_injector::treat(const request_facts& asked) {
  treatment out;
  if (active_.empty() || !is_faulty(asked.user))
    return out;
  ++requests_;
  for (const auto& each : active_)
    // Rights are the cluster's to refuse: it was told, and refuses all.
    if (is_clusters_own(each.order.kind) || meets(each.order, requests_))
      apply(each.order, asked, out);
  return out;
}

const fault_order* fault_injector::active(server_fault kind, std::uint64_t n) const {
  const auto found = std::find_if(active_.begin(), active_.end(),
                                  [&](const window& each) { return each.order.kind == kind && meets(each.order, n); });
  return found == active_.end() ? nullptr : &found->order;
}

line_treatment fault_injector::treat_line() {
  if (active_.empty())
    return {};
  ++lines_;
  return {.in_pieces = active(server_fault::one_byte_chunks, lines_) != nullptr,
          .cut = active(server_fault::truncated_lines, lines_) != nullptr,
          .repeated_hugely = active(server_fault::huge_lines, lines_) != nullptr,
          .after_blank = active(server_fault::blank_lines, lines_) != nullptr};
}

} // namespace sliceferry::storm
