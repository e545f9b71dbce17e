#include "test/storm/stage/play.hpp"

#include "test/storm/stage/ask.hpp"
#include "test/storm/stage/interruption.hpp"

#include <algorithm>
#include <cmath>
#include <future>

namespace sliceferry::storm {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

constexpr milliseconds beat{5};
constexpr milliseconds status_every{500};
constexpr std::size_t backlog_max = 20'000; ///< of users' requests: a server that is down gets no more at once
const std::string interrupted = "interrupted";

milliseconds since(clock::time_point begin) {
  return duration_cast<milliseconds>(clock::now() - begin);
}

} // namespace

play::play(run_options options, std::function<void(const status&)> show)
  : options_{std::move(options)}, show_{std::move(show)} {}

play::~play() {
  // Those that call back go first; then the loop may end with what it still holds.
  users_.reset();
  faults_.reset();
  admin_.reset();
  lookers_.clear();
  program_.reset();
  simulated_.reset();
  history_.reset();
  audit_.reset();
  journal_.reset();
}

verdict play::run() {
  std::vector<std::string (play::*)()> phases{&play::start_servers, &play::start_program, &play::set_up};
  if (options_.kills == 0)
    phases.insert(phases.end(), {&play::storm, &play::drain});
  else
    phases.insert(phases.end(), {&play::killing_storm, &play::drain, &play::restart_in_sync});
  for (const auto phase : phases)
    if (auto broken = (this->*phase)(); !broken.empty())
      return ended(broken);
  return ended(judge());
}

std::string play::start_servers() {
  if (options_.servers.empty()) {
    simulated_ = std::make_unique<simulated_servers>(options_.member_names(), place_.folder(), options_.seed,
                                                     options_.hub_controller);
    if (auto broken = simulated_->start(); !broken.empty())
      return broken;
    servers_ = simulated_->map();
    k8s::cluster_access access;
    access.server = servers_.control;
    lookers_["control"] = std::make_unique<k8s::http_client>(loop_, access);
  } else if (auto broken = read_server_map(options_.servers, servers_); !broken.empty()) {
    return broken;
  }
  std::map<std::string, k8s::cluster_access> accesses;
  for (const auto& [name, unused] : servers_.by_name) {
    accesses[name] = servers_.access_of_users(name);
    lookers_[name] = std::make_unique<k8s::http_client>(loop_, accesses[name]);
  }
  users_ = std::make_unique<user_driver>(loop_, accesses, [this](const export_wish& wish) {
    const std::scoped_lock lock{mutex_};
    return exports_.find(wish);
  });
  verdict_.forecast = forecast({options_.seed, options_.faults, servers_.members(), options_.length});
  watch_journal();
  start_oracle();
  return {};
}

std::string play::start_program() {
  if (!std::filesystem::exists(options_.program))
    return options_.program.string() + " isn't there: ./dev build makes it, --program names another one";
  program_options how;
  how.binary = options_.program;
  how.folder = place_.folder() / "program";
  how.qps = options_.qps;
  how.burst = options_.burst;
  how.steps_clock = oracle_how_.clock_steps;
  if (journal_) {
    how.data_dir = place_.folder() / "journal";
    how.shim = options_.shim;
  }
  program_.emplace(how, servers_);
  if (journal_ && !program_->disk()->wrong().empty())
    return program_->disk()->wrong();
  if (!program_->start())
    return options_.program.string() + " could not be started";
  k8s::cluster_access access;
  access.server = program_->url();
  admin_ = std::make_unique<k8s::http_client>(loop_, access);
  const auto control = lookers_.find("control");
  faults_ =
    std::make_unique<fault_actor>(verdict_.forecast, control == lookers_.end() ? nullptr : control->second.get(),
                                  *program_, [this](fault_actor::program_news what) { note(what); });
  return {};
}

std::string play::set_up() {
  plan_ =
    std::make_unique<storm_plan>(plan_options{options_.seed, servers_.members(), options_.slices, options_.storms});
  for (auto& each : plan_->setup())
    users_->submit(std::move(each));
  if (auto broken = wait_for_users(); !broken.empty())
    return broken;
  // At its limits the program needs this long for one write per slice and server; twice for good measure.
  const auto patience =
    std::chrono::seconds{60 + static_cast<std::int64_t>(2 * static_cast<double>(options_.slices) / options_.qps)};
  for (const auto began = clock::now(); since(began) < patience;) {
    report_status("first export");
    if (wait_unless_interrupted(status_every))
      return interrupted;
    if (auto broken = program_ended_itself(); !broken.empty())
      return broken;
    if (auto broken = catch_up(); !broken.empty())
      return broken;
    if (is_settled()) {
      std::string broken;
      if (auto lists = read_lists(broken); !loses_exports())
        exports_before_storm_ = std::move(lists.exports);
      return broken;
    }
  }
  verdict_.reasons.emplace_back("the first export of all slices took too long"); // the storm goes on to tell more
  return {};
}

std::string play::storm() {
  storm_began_ = clock::now();
  std::uint64_t offered = 0;
  auto shown = storm_began_;
  while (since(storm_began_) < options_.length) {
    offer(storm_began_, offered);
    faults_->act(since(storm_began_));
    if (wait_unless_interrupted(beat))
      return interrupted;
    if (clock::now() - shown < status_every)
      continue;
    shown = clock::now();
    report_status("storm");
    if (auto broken = program_ended_itself(); !broken.empty())
      return broken;
    if (!journal_broken_.empty())
      return journal_broken_;
    if (simulated_ && !simulated_->process().alive())
      return "the simulated servers ended: " + simulated_->process().tail();
  }
  faults_->clear();
  return {};
}

void play::offer(clock::time_point began, std::uint64_t& offered) {
  const double passed = std::chrono::duration<double>(clock::now() - began).count();
  const auto due = static_cast<std::uint64_t>(passed * options_.rate);
  for (; offered < due && users_->now().waiting < backlog_max; ++offered)
    users_->submit(plan_->next());
  // What could not be offered in time isn't made up for: a flood after an outage is not the rate asked for.
  offered = due;
}

std::string play::drain() {
  const auto began = clock::now();
  if (auto broken = wait_for_users(); !broken.empty())
    return broken;
  bool settled = false;
  while (!settled && since(began) < options_.drain) {
    if (auto broken = catch_up(); !broken.empty())
      return broken;
    settled = is_settled();
    verdict_.drained = since(began);
    report_status("drain");
    if (!settled && wait_unless_interrupted(milliseconds{50}))
      return interrupted;
  }
  return catch_up();
}

std::string play::wait_for_users() {
  constexpr std::chrono::minutes patience{5};
  for (const auto began = clock::now(); users_->now().waiting != 0;) {
    report_status("users");
    if (wait_unless_interrupted(milliseconds{20}))
      return interrupted;
    if (since(began) > patience)
      return "the users' requests don't come to an end";
  }
  return {};
}

std::string play::catch_up() {
  const std::string name = "storm-marker-" + std::to_string(++marker_);
  for (const auto& [cluster, unused] : servers_.by_name)
    if (get(*lookers_.at(cluster), "/api/v1/namespaces/" + name).status == 0)
      return cluster + " doesn't answer its users";
  constexpr std::chrono::seconds patience{60};
  for (const auto began = clock::now(); since(began) < patience;) {
    {
      const std::scoped_lock lock{mutex_};
      if (std::all_of(servers_.by_name.begin(), servers_.by_name.end(),
                      [&](const auto& each) { return markers_seen_[each.first] >= marker_; }))
        return {};
    }
    if (wait_unless_interrupted(milliseconds{2}))
      return interrupted;
  }
  return "the servers' history doesn't arrive";
}

bool play::is_settled() {
  const std::scoped_lock lock{mutex_};
  return oracle_->settled();
}

} // namespace sliceferry::storm
