#include "test/storm/stage/ask.hpp"
#include "test/storm/stage/interruption.hpp"
#include "test/storm/stage/play.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace sliceferry::storm {
namespace {

constexpr std::string_view marker_prefix = "storm-marker-";

std::uint64_t marker_of(const history_entry& entry) {
  return entry.resource == "namespaces" && entry.name.starts_with(marker_prefix)
           ? std::stoull(entry.name.substr(marker_prefix.size()))
           : 0;
}

/// The token for the next page of a list, or empty.
std::string continue_of(const std::string& page) {
  boost::system::error_code bad;
  const auto parsed = boost::json::parse(page, bad);
  if (bad)
    return {};
  const auto* token = parsed.find_pointer("/metadata/continue", bad);
  return token && token->is_string() ? std::string{token->get_string()} : std::string{};
}

std::string text_of(const violation& each) {
  return fmt::format("{}: {} {}\n{}", each.rule, each.member, each.object, each.story);
}

std::uint64_t total(const std::map<std::string, std::uint64_t>& counts) {
  std::uint64_t out = 0;
  for (const auto& [unused, count] : counts)
    out += count;
  return out;
}

} // namespace

bool play::is_chosen(std::string_view storm) const {
  return std::find(options_.storms.begin(), options_.storms.end(), storm) != options_.storms.end();
}

bool play::loses_exports() const {
  return loses_objects(verdict_.forecast) || is_chosen("hub_namespaces");
}

void play::start_oracle() {
  auto& how = oracle_how_;
  how.program_user = servers_.program_user;
  how.hub = {options_.qps, options_.burst};
  for (const auto& name : servers_.members())
    how.members.push_back({name, "fleet-member-" + name, {options_.qps, options_.burst}});
  // A server that fails, or that the program can't hear, keeps it from knowing better for as long as faults last.
  // So do real servers on a busy machine, which answer some requests after seconds.
  const bool is_prompt = verdict_.forecast.empty() && options_.kills == 0 && simulated_;
  how.lag = std::chrono::seconds{is_prompt ? 2 : 15};
  // In a fair queue each slice's turn comes once in the time that all slices take.
  const std::chrono::seconds turns{static_cast<std::int64_t>(2 * static_cast<double>(options_.slices) / options_.qps)};
  how.rest = std::chrono::seconds{is_prompt ? 5 : 30} + turns;
  const bool is_only_late = simulated_ && std::all_of(verdict_.forecast.begin(), verdict_.forecast.end(),
                                                      [](const fault& each) { return each.kind == "latency"; });
  const auto befalls = [&](const char* kind) {
    return std::any_of(verdict_.forecast.begin(), verdict_.forecast.end(),
                       [&](const fault& each) { return each.kind == kind; });
  };
  // What the guard holds waits until a minute has passed in which nothing came back, and for the look after it.
  const bool is_guarded = befalls("remove_crd") || befalls("restored_backup") || befalls("empty_lists");
  how.starve = std::chrono::seconds{is_only_late ? 10 : is_guarded ? 150 : 45} + turns;
  how.clock_steps = befalls("clock_step");
  how.mutates_exports = befalls("mutated_exports");
  how.restores_members = befalls("restored_backup");
  oracle_ = std::make_unique<oracle>(how);

  const bool meddles = is_chosen("hub_tampering") || is_chosen("rival");
  const auto take = [this, meddles](const history_entry& entry) {
    const std::scoped_lock lock{mutex_};
    if (meddles)
      exports_.see(entry);
    if (const auto marker = marker_of(entry); marker != 0)
      markers_seen_[entry.cluster] = marker;
    oracle_->observe(entry);
    if (journal_)
      journal_->observe(entry);
  };
  if (simulated_) {
    history_ = std::make_unique<history_feed>(simulated_->take_history(), take, options_.history);
    return;
  }
  std::vector<audit_feed::log> logs;
  for (const auto& [name, server] : servers_.by_name)
    logs.push_back({name, server.audit_log});
  audit_ = std::make_unique<audit_feed>(std::move(logs), take);
}

cluster_lists play::read_lists(std::string& broken) {
  cluster_lists out;
  const auto all = [&](const std::string& server, const std::string& path) {
    list_pages pages;
    std::string next;
    do {
      const auto answer = get(*lookers_.at(server), path + "?limit=500" + (next.empty() ? "" : "&continue=" + next));
      if (answer.status != 200)
        broken = server + ' ' + path + ": " + std::to_string(answer.status) + ' ' + answer.body.substr(0, 200);
      else
        pages.push_back(answer.body);
      next = answer.status == 200 ? continue_of(answer.body) : "";
    } while (!next.empty());
    return pages;
  };
  for (const auto& name : servers_.members())
    out.members[name] = {all(name, "/apis/discovery.k8s.io/v1/endpointslices"),
                         all(name, "/apis/networking.fleet.azure.com/v1beta1/serviceexports")};
  out.exports = all("hub", "/apis/networking.fleet.azure.com/v1alpha1/endpointsliceexports");
  return out;
}

std::string play::judge() {
  std::string broken;
  auto lists = read_lists(broken);
  if (!broken.empty())
    return broken;
  lists.exports_before = exports_before_storm_;
  const std::scoped_lock lock{mutex_};
  const auto tell = [&](const std::vector<violation>& found, const char* where) {
    for (const auto& each : found)
      verdict_.reasons.push_back(fmt::format("{}, {}", where, text_of(each)));
  };
  tell(oracle_->violations(), "on the way");
  tell(oracle_->differences(), "by the history");
  tell(differences_of_lists(oracle_how_, lists, {}), "by the lists");
  verdict_.by_rule = oracle_->counts();
  for (const auto& [what, count] : oracle_->figures().program_writes)
    verdict_.writes[what.first + ' ' + what.second] = count;
  judge_figures(oracle_->figures());
  judge_journal();
  if (simulated_) // real servers are not asked for long enough
    verdict_.flat = judge_flatness(samples_);
  for (const auto& each : verdict_.flat.growths)
    verdict_.reasons.push_back("not flat: " + each);
  if (const auto unreadable = oracle_->figures().unreadable; unreadable != 0)
    return std::to_string(unreadable) + " objects of the history are unreadable";
  return {};
}

void play::judge_figures(const oracle_figures& told) {
  verdict_.called_changes = told.called_changes;
  if (told.called_changes > 0)
    verdict_.writes_per_change = static_cast<double>(told.accepted_writes) / static_cast<double>(told.called_changes);
  if (told.called_changes >= verdict::changes_min && verdict_.writes_per_change > verdict::writes_per_change_max)
    verdict_.reasons.push_back(fmt::format("{:.2f} accepted writes per change of what the hub must hold; {} at most",
                                           verdict_.writes_per_change, verdict::writes_per_change_max));
  verdict_.owed_after_outage = told.owed_after_outage;
  verdict_.recovered = told.recovered.value_or(instant{});
  verdict_.recovery_limit = told.recovery_limit.value_or(instant{});
  if (told.owed_after_outage > 0 && !told.recovered)
    verdict_.reasons.emplace_back("what was owed when the hub came back was never right");
}

void play::report_status(const std::string& phase) {
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::max(0.001, std::chrono::duration<double>(now - reported_).count());
  oracle_figures figures;
  {
    const std::scoped_lock lock{mutex_};
    figures = oracle_->figures();
    status_.violations = total(oracle_->counts());
    const auto found = oracle_->violations();
    status_.news.clear();
    for (; told_ < found.size(); ++told_)
      status_.news.push_back(text_of(found[told_]));
  }
  if (journal_) {
    status_.violations += total(journal_->counts());
    const auto found = journal_->violations();
    for (; told_of_journal_ < found.size(); ++told_of_journal_)
      status_.news.push_back(text_of(found[told_of_journal_]));
  }
  std::uint64_t hub_writes = 0;
  for (const auto& [what, count] : figures.program_writes)
    hub_writes += what.first == "hub" ? count : 0;
  const auto rate = [&](std::uint64_t count, std::uint64_t& before) {
    const auto more = count - std::min(count, before);
    before = count;
    return static_cast<double>(more) / seconds;
  };
  status_.phase = phase;
  status_.length = options_.length;
  status_.since = storm_began_ == std::chrono::steady_clock::time_point{}
                    ? std::chrono::milliseconds{0}
                    : std::chrono::duration_cast<std::chrono::milliseconds>(now - storm_began_);
  status_.changes = users_->now().done;
  status_.changes_per_s = rate(status_.changes, changes_before_);
  status_.exports_per_s = rate(hub_writes, exports_before_);
  status_.exports = figures.exports;
  status_.slices = figures.slices;
  status_.backlog = figures.backlog;
  status_.p50 = figures.propagation_lately.p50;
  status_.p99 = figures.propagation_lately.p99;
  status_.process_starts = program_ ? program_->starts() : 0;
  status_.latest_fault = faults_ ? faults_->latest() : "";
  look_at_program(seconds);
  look_at_journal();
  reported_ = now;
  show_(status_);
}

void play::look_at_program(double seconds) {
  if (!program_)
    return;
  const auto seen = program_->process().sample();
  if (!seen || program_->is_paused())
    return;
  const auto cpu = seen->cpu > cpu_before_ ? seen->cpu - cpu_before_ : std::chrono::microseconds{0};
  status_.program_cpu = std::chrono::duration<double>(cpu).count() / seconds;
  cpu_before_ = seen->cpu;
  status_.process = *seen;
  ask_program();
  if (status_.since.count() == 0)
    return;
  const auto age = std::chrono::steady_clock::now() - program_->started();
  samples_.push_back({status_.since, std::chrono::duration_cast<std::chrono::milliseconds>(age), seen->private_bytes,
                      seen->threads, seen->descriptors, status_.program.queued});
}

verdict play::ended(const std::string& broken) {
  verdict_.last = status_;
  if (is_interrupted())
    verdict_.is = verdict::kind::interrupted;
  else if (!broken.empty())
    verdict_.is = verdict::kind::broken;
  else
    verdict_.is = verdict_.reasons.empty() ? verdict::kind::clean : verdict::kind::faulty;
  if (!broken.empty() && !is_interrupted())
    verdict_.reasons = {broken};
  // Where the servers lost something themselves, the users' plan and the clusters part, and refusals mean nothing.
  if (users_ && verdict_.is == verdict::kind::clean && users_->now().refused != 0 &&
      !loses_objects(verdict_.forecast)) {
    verdict_.is = verdict::kind::broken;
    verdict_.reasons = users_->refusals();
  }
  return verdict_;
}

} // namespace sliceferry::storm
