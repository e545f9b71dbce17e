#include "test/storm/oracle/oracle.hpp"

#include "test/storm/oracle/member_model.hpp"
#include "test/storm/oracle/recovery.hpp"
#include "test/storm/oracle/request_limit.hpp"
#include "test/storm/oracle/rules.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <array>

namespace sliceferry::storm {
namespace {

namespace json = boost::json;

constexpr std::chrono::milliseconds look_every{100};
const history_entry nobody;
const std::string program_itself; ///< what halts the clock beside the clusters, which have names

bool is_write(std::string_view verb) {
  return verb == "create" || verb == "update" || verb == "patch" || verb == "delete";
}

/// What others than the rules of slices care for: leases have rules of their own, cluster events have none.
bool is_aside(std::string_view resource) {
  return resource == "leases" || resource == "events";
}

/// An audit log doesn't say that a write changed nothing; the resourceVersion does.
template <class Seen>
bool is_same(const Seen& held, const Seen& seen) {
  return held.uid == seen.uid && held.resource_version == seen.resource_version;
}

} // namespace

struct oracle::impl {
  explicit impl(oracle_options given) : options(std::move(given)), judge(options, teller, found) {
    limits.emplace("hub", request_limit{options.hub, options.in_flight});
    for (const auto& each : options.members) {
      auto& made = members.emplace_back(std::make_unique<member_model>(each, options, teller, spread));
      by_name[each.name] = made.get();
      by_nspace[each.hub_nspace] = made.get();
      limits.emplace(each.name, request_limit{each.rate, options.in_flight});
    }
  }

  static member_model* look_up(const std::map<std::string, member_model*>& where, const std::string& what) {
    const auto hit = where.find(what);
    return hit == where.end() ? nullptr : hit->second;
  }
  /// Whose object the entry is about; null: of none.
  member_model* member_of(const history_entry& entry) const {
    return entry.cluster == "hub" ? look_up(by_nspace, entry.nspace) : look_up(by_name, entry.cluster);
  }

  void pass_time(instant at) {
    latest = std::max(latest, at);
    if (latest < next_look)
      return;
    next_look = latest + look_every;
    for (const auto& each : members) {
      judge.passed(*each, clock.read(latest));
      each->prune(latest);
    }
    if (after_outage.look(latest, [&](const std::string& uid) { return find_life(uid); }))
      judge.accuse("slow recovery", {nobody, clock.read(latest)}, nullptr, nullptr,
                   std::to_string(after_outage.owed()) + " slices were owed something when the hub came back");
  }

  const life* find_life(const std::string& uid) const {
    for (const auto& each : members)
      if (const auto* hit = each->find_life(uid))
        return hit;
    return nullptr;
  }

  void count(const happening& what) {
    const auto& entry = what.entry;
    const bool writes = is_write(entry.verb);
    if (writes && entry.code >= 200 && entry.code < 300)
      ++figures.accepted_writes;
    if (writes)
      ++figures.program_writes[{entry.cluster, entry.verb}];
    else
      ++figures.program_reads;
    const auto bucket = limits.find(entry.cluster);
    if (bucket != limits.end() && !bucket->second.take(entry.at))
      judge.accuse("limit", what, look_up(by_name, entry.cluster), nullptr,
                   "more requests than the program's limit for this server allows");
  }

  void restart(instant at) {
    clock.go(program_itself, at);
    const auto now = clock.read(at);
    judge.program_started(now);
    for (auto& [name, each] : limits)
      each.refill();
    for (const auto& each : members)
      each->program_started(now);
  }

  void take(const happening& what);
  void take_nothing(const happening& what, member_model* member);
  void take_mark(const happening& what);
  void take_slice(const happening& what, member_model& member, const json::value& object);
  void take_consent(const happening& what, member_model& member, const json::value& object);
  void take_export(const happening& what, member_model& member, const json::value& object);

  const oracle_options options;
  storyteller teller;
  latencies spread;
  verdicts found;
  rules judge;
  run_clock clock;
  recovery after_outage{options.hub.qps};
  std::vector<std::unique_ptr<member_model>> members;
  std::map<std::string, member_model*> by_name;
  std::map<std::string, member_model*> by_nspace;
  std::map<std::string, request_limit> limits;
  instant latest{};
  instant next_look{};
  oracle_figures figures;
  std::array<unsigned char, 64 * 1024> scratch{};
};

void oracle::impl::take_mark(const happening& what) {
  const auto& entry = what.entry;
  auto* member = look_up(by_name, entry.cluster);
  if (entry.mark == "stopped")
    clock.stop(entry.cluster, entry.at);
  if (entry.mark == "started")
    clock.go(entry.cluster, entry.at);
  if (entry.mark == "stopped" && !member)
    after_outage.stopped(entry.at);
  if (entry.mark == "started" && !member && after_outage.started(entry.at))
    for (const auto& each : members)
      for (const auto* life : each->owed())
        after_outage.owe(life->uid);
  if (entry.mark == "restored") {
    judge.restored(member ? entry.cluster : "", what.now);
    if (member)
      member->restored();
  }
  if (entry.fault == "mutated_exports" && !member)
    for (const auto& each : members)
      each->exports_mutate(entry.mark == "fault_begun");
  const bool removed = entry.mark.find("removed") != std::string::npos;
  if (!removed && entry.mark.find("installed") == std::string::npos)
    return;
  if (member)
    member->suspend(removed, what.now);
  else if (removed && entry.resource == "endpointsliceexports")
    for (const auto& each : members)
      each->drop_all_exports(what);
}

/// A request that was accepted or refused, and changed nothing.
void oracle::impl::take_nothing(const happening& what, member_model* member) {
  const auto& entry = what.entry;
  if (what.by_program && entry.fault.empty() && entry.code >= 200 && entry.code < 300)
    judge.changed_nothing(what, member);
  if (what.by_program && member && entry.verb == "create" && entry.resource == "endpointsliceexports" &&
      entry.code == 409)
    judge.created_again(what, *member);
}

void oracle::impl::take_slice(const happening& what, member_model& member, const json::value& object) {
  const object_key key{what.entry.nspace, what.entry.name};
  auto seen = read_slice(object, member.name());
  const bool deleted = what.entry.what == history_entry::change::deleted;
  const auto* held = member.slice_at(key);
  if (!deleted && seen && held && is_same(*held->slice, *seen))
    return take_nothing(what, &member);
  if (what.by_program)
    judge.wrote_member(what, member, seen && !deleted ? &*seen : nullptr);
  else
    ++figures.member_changes;
  if (deleted)
    return member.drop_slice(key, what);
  if (!seen) {
    ++figures.unreadable;
    return;
  }
  member.see(*std::move(seen), what);
}

void oracle::impl::take_consent(const happening& what, member_model& member, const json::value& object) {
  const object_key key{what.entry.nspace, what.entry.name};
  const auto seen = read_consent(object);
  const bool deleted = what.entry.what == history_entry::change::deleted;
  const auto* held = member.consent_at(key);
  if (!deleted && seen && held && held->resource_version() == seen->resource_version)
    return take_nothing(what, &member);
  if (what.by_program)
    judge.wrote_member(what, member, nullptr);
  else
    ++figures.member_changes;
  if (deleted)
    return member.drop_consent(key, what);
  if (seen)
    member.see(*seen, what);
  else
    ++figures.unreadable;
}

void oracle::impl::take_export(const happening& what, member_model& member, const json::value& object) {
  auto seen = read_export(object);
  const bool deleted = what.entry.what == history_entry::change::deleted;
  if (!seen && !deleted) {
    ++figures.unreadable;
    return;
  }
  const auto* held = member.export_at(what.entry.name);
  if (!deleted && held && is_same(held->seen, *seen))
    return take_nothing(what, &member);
  if (what.by_program)
    judge.exported(what, member, held, deleted ? nullptr : &*seen);
  if (deleted)
    member.drop_export(what.entry.name, what);
  else
    member.see(*std::move(seen), what);
}

void oracle::impl::take(const happening& what) {
  const auto& entry = what.entry;
  auto* const member = member_of(entry);
  const bool on_hub = entry.cluster == "hub";
  const bool is_export = on_hub && entry.resource == "endpointsliceexports";
  const bool is_input = !on_hub && (entry.resource == "endpointslices" || entry.resource == "serviceexports");
  if (what.by_program && on_hub && (!is_export || !member))
    return judge.wrote_elsewhere(what);
  if (!member || (!is_export && !is_input)) {
    if (what.by_program && member)
      judge.wrote_member(what, *member, nullptr);
    return;
  }
  json::monotonic_resource memory{scratch.data(), scratch.size()};
  boost::system::error_code bad;
  const auto object = json::parse(entry.object, bad, &memory);
  if (is_export)
    take_export(what, *member, object);
  else if (entry.resource == "endpointslices")
    take_slice(what, *member, object);
  else
    take_consent(what, *member, object);
}

oracle::oracle(oracle_options options) : impl_(std::make_unique<impl>(std::move(options))) {}
oracle::~oracle() = default;

void oracle::observe(const history_entry& entry) {
  auto& my = *impl_;
  my.pass_time(entry.at);
  const happening what{entry, my.clock.read(entry.at), entry.user == my.options.program_user};
  if (!entry.mark.empty())
    my.take_mark(what);
  const bool writes = is_write(entry.verb);
  const bool aside = is_aside(entry.resource);
  if (what.by_program && !aside && (writes || (entry.verb == "get" && !entry.resource.empty())))
    my.count(what);
  if (aside)
    return;
  if (entry.what != history_entry::change::none)
    return my.take(what);
  if (writes)
    my.take_nothing(what, my.member_of(entry));
}

void oracle::program_started(instant at) {
  impl_->restart(at);
}
void oracle::program_stopped(instant at) {
  impl_->clock.stop(program_itself, at);
}
void oracle::program_paused(instant at) {
  impl_->clock.stop(program_itself, at);
}
void oracle::program_continued(instant at) {
  impl_->clock.go(program_itself, at);
}

std::vector<violation> oracle::violations() const {
  return impl_->found.kept();
}

std::map<std::string, std::uint64_t> oracle::counts() const {
  return impl_->found.counts();
}

bool oracle::settled() const {
  return std::ranges::all_of(impl_->members, [](const auto& each) { return each->owed().empty(); });
}

std::vector<violation> oracle::differences() const {
  std::vector<violation> out;
  for (const auto& member : impl_->members)
    for (const auto* each : member->owed()) {
      if (out.size() == verdicts::kept_max)
        return out;
      std::string wrong;
      for (const auto& text : differences_of(member->standing_of(*each)))
        wrong += (wrong.empty() ? "" : "; ") + text;
      out.push_back({"state", member->name(), to_string(each->key), impl_->latest,
                     impl_->teller.tell(wrong, member->name(), each, impl_->latest)});
    }
  return out;
}

oracle_figures oracle::figures() const {
  auto out = impl_->figures;
  out.propagation = impl_->spread.overall();
  out.propagation_lately = impl_->spread.last();
  for (const auto& each : impl_->members) {
    out.backlog += each->owed().size();
    out.slices += each->slices();
    out.exports += each->live_exports();
    out.lives += each->size();
    out.called_changes += each->changes();
  }
  const auto& recovered = impl_->after_outage;
  out.owed_after_outage = recovered.owed();
  out.recovered = recovered.took();
  out.recovery_limit = recovered.limit();
  return out;
}

} // namespace sliceferry::storm
