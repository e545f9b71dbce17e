#include "test/storm/stage/command_line.hpp"

#include "k8s/nearest_names.hpp"
#include "test/storm/weather/complaints.hpp"
#include "test/storm/weather/scenario.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace sliceferry::storm {
namespace {

constexpr int usage_error = 2;

/// `a,b c` → a, b, c.
std::vector<std::string> split(const std::vector<std::string>& given) {
  std::vector<std::string> out;
  for (std::string all : given) {
    std::replace(all.begin(), all.end(), ',', ' ');
    std::istringstream words{all};
    for (std::string word; words >> word;)
      out.push_back(word);
  }
  return out;
}

/// What run commands have in common, as typed.
struct run_flags {
  double minutes = 10;
  double seconds = 0;
  std::optional<double> drain;
  std::vector<std::string> storms, faults;
};

void add_journal_flag(CLI::App& to, run_options& run) {
  to.add_flag("!--no-journal", run.journal, "the program keeps no journal; faults of its disk are left out");
}

void add_run_flags(CLI::App& to, run_flags& typed, run_options& run) {
  to.add_option("--members", run.members, "member clusters, 1-100")->capture_default_str()->check(CLI::Range(1, 100));
  to.add_option("--slices", run.slices, "EndpointSlices over all members, 0-1000000")
    ->capture_default_str()
    ->check(CLI::Range(0, 1'000'000));
  to.add_option("--rate", run.rate, "changes per second that users offer, 0-100000")
    ->capture_default_str()
    ->check(CLI::Range(0.0, 100'000.0));
  to.add_option("--seed", run.seed, "repeats the same storm and the same faults")->capture_default_str();
  to.add_option("--storm", typed.storms, "storms, separated by commas; `storm list` shows them");
  to.add_option("--faults", typed.faults, "sets or kinds of faults, separated by commas");
  to.add_option("--qps", run.qps, "the program's limit to each server")
    ->capture_default_str()
    ->check(CLI::Range(1.0, 1e6));
  to.add_option("--burst", run.burst, "the same, at once (0: twice the qps)")->check(CLI::Range(0.0, 1e7));
  to.add_option("--drain", typed.drain,
                "seconds until all must be right after the storm (30; 150 with faults that the guard meets)")
    ->check(CLI::Range(0.0, 3'600.0));
  to.add_option("--program", run.program, "the sliceferry binary; else the one beside this program")
    ->check(CLI::ExistingFile);
  to.add_option("--report", run.report, "writes a JSON report there");
  to.add_option("--history", run.history,
                "keeps the servers' history there (about 10 MB for each 1000 changes/s and second)");
  to.add_flag("--keep", run.keep, "leaves everything running after the verdict");
  add_journal_flag(to, run);
}

/// A storm over few slices: a good part of them is under way whenever the program dies.
run_options much_killed() {
  run_options out;
  out.members = 2;
  out.slices = 300;
  out.rate = 150;
  out.kills = 200;
  return out;
}

void add_kills(CLI::App& to, run_options& run) {
  to.add_option("--moments", run.kills, "SIGKILLs, each at a moment that the seed chooses: half of them in a commit")
    ->check(CLI::Range(1, 100'000));
  to.add_option("--seed", run.seed, "repeats the same storm and the same moments")->capture_default_str();
  to.add_option("--slices", run.slices, "EndpointSlices over all members, 300 if not given")
    ->check(CLI::Range(0, 1'000'000));
  to.add_option("--rate", run.rate, "changes per second that users offer, 150 if not given")
    ->check(CLI::Range(0.0, 100'000.0));
  to.add_option("--program", run.program, "the sliceferry binary; else the one beside this program")
    ->check(CLI::ExistingFile);
  to.add_option("--report", run.report, "writes a JSON report there");
  to.add_option("--history", run.history, "keeps the servers' history there");
  to.add_flag("--keep", run.keep, "leaves everything running after the verdict");
}

void add_serve(CLI::App& to, serve_command& serve) {
  to.add_option("--member", serve.members, "a member's name; may be repeated")->required();
  to.add_option("--seed", serve.seed, "of UIDs and of the hub controller's delays");
  to.add_option("--ready-file", serve.ready_file, "is written when all listen: their addresses as JSON")->required();
  to.add_option("--history", serve.history,
                "where the history goes: a path, a descriptor's number, or - for the output")
    ->capture_default_str();
  to.add_flag("!--no-hub-controller", serve.hub_controller, "no finalizer is put on exports");
}

/// A scenario, and what shall be otherwise than it says: real servers may bear less.
struct play_flags {
  std::string scenario;
  std::optional<std::size_t> slices;
  std::optional<double> rate;
};

void add_play(CLI::App& to, play_flags& typed, run_options& run) {
  to.add_option("scenario", typed.scenario, "its name; `storm list` shows them")->required();
  to.add_option("--slices", typed.slices, "EndpointSlices over all members, instead of the scenario's")
    ->check(CLI::Range(0, 1'000'000));
  to.add_option("--rate", typed.rate, "changes per second that users offer, instead of the scenario's")
    ->check(CLI::Range(0.0, 100'000.0));
  to.add_option("--seed", run.seed, "repeats the same storm")->capture_default_str();
  to.add_option("--servers", run.servers, "JSON with the addresses of real servers")->check(CLI::ExistingFile);
  to.add_option("--program", run.program, "the sliceferry binary; else the one beside this program")
    ->check(CLI::ExistingFile);
  to.add_option("--report", run.report, "writes a JSON report there");
  add_journal_flag(to, run);
}

std::string nearest_option(const std::string& wrong, const CLI::App& of) {
  std::vector<std::string> known;
  for (const auto* each : of.get_options())
    known.push_back(each->get_name());
  const auto nearest = k8s::nearest_names(wrong.substr(0, wrong.find('=')), known);
  std::string out = fmt::format("{}: no such option", wrong);
  if (!nearest.empty())
    out += "; did you mean " + nearest.front() + "?";
  return out + " Known: " + fmt::format("{}", fmt::join(known, ", "));
}

/// What is said of a word that is no command; empty where it is one.
std::string judge_command(const std::string& word, const CLI::App& app) {
  std::vector<std::string> known;
  for (const auto* each : app.get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(each->get_name());
  if (std::find(known.begin(), known.end(), word) != known.end())
    return {};
  const auto nearest = k8s::nearest_names(word, known);
  return fmt::format("{}: no such command{} Known: {}\n", word,
                     nearest.empty() ? "." : "; did you mean " + nearest.front() + "?", fmt::join(known, ", "));
}

command_line text(std::string said, int code) {
  command_line out;
  out.text = std::move(said);
  out.exit_code = code;
  return out;
}

/// Absences in a mass are held back until a minute has passed in which nothing came back, and then looked at again.
bool may_trip_a_guard(const weather_options& weather) {
  const auto faults = forecast(weather);
  return std::any_of(faults.begin(), faults.end(), [](const auto& each) {
    return each.kind == "remove_crd" || each.kind == "restored_backup" || each.kind == "empty_lists";
  });
}

/// All that is wrong with what was asked for, or the run.
command_line checked(run_options run, const run_flags& typed) {
  if (const auto storms = split(typed.storms); !storms.empty())
    run.storms = storms;
  if (const auto faults = split(typed.faults); !faults.empty())
    run.faults = faults;
  if (run.burst <= 0)
    run.burst = run.qps * 2;
  const plan_options plan{run.seed, run.member_names(), run.slices, run.storms};
  const weather_options weather{run.seed, run.faults, run.member_names(), run.length};
  auto wrong = complaints(plan, weather);
  if (typed.drain)
    run.drain = std::chrono::milliseconds{static_cast<std::int64_t>(*typed.drain * 1000)};
  else if (wrong.empty() && may_trip_a_guard(weather))
    run.drain = std::chrono::seconds{150};
  if (!run.servers.empty() && run.faults != std::vector<std::string>{"none"})
    for (const auto& each : forecast(weather))
      if (each.where != "program") {
        wrong.push_back("--faults: real servers know only faults of the program (kill_program, stop_program)");
        break;
      }
  if (!wrong.empty())
    return text(fmt::format("{}\n", fmt::join(wrong, "\n")), usage_error);
  command_line out;
  out.is = command_line::kind::run;
  out.run = std::move(run);
  return out;
}

/// Takes over the scenario of this name; or says what is known instead.
std::string choose(const play_flags& asked, run_options& run, run_flags& typed) {
  const std::string& name = asked.scenario;
  if (const auto* found = find_scenario(name)) {
    run.slices = asked.slices.value_or(found->slices);
    run.members = found->members;
    run.qps = found->qps;
    run.burst = 2 * run.qps;
    run.rate = asked.rate.value_or(found->changes_per_s);
    typed.storms.assign(found->storms.begin(), found->storms.end());
    typed.faults.assign(found->faults.begin(), found->faults.end());
    typed.seconds = found->seconds;
    run.hub_controller = found->plays_hub_controller;
    return {};
  }
  std::vector<std::string> known;
  for (const auto& each : scenarios())
    known.emplace_back(each.name);
  const auto nearest = k8s::nearest_names(name, known);
  return fmt::format("{}: no such scenario{} Known: {}\n", name,
                     nearest.empty() ? "." : "; did you mean " + nearest.front() + "?", fmt::join(known, ", "));
}

} // namespace

command_line read_command_line(int count, const char* const* arguments) {
  CLI::App app{
    "Storms over simulated Kubernetes clusters, with sliceferry in the middle and an oracle that judges it."};
  app.require_subcommand(1);
  command_line out;
  run_options run;
  run_flags typed;
  play_flags asked;

  auto* const soak = app.add_subcommand("soak", "a long run with a line every 10 s and a verdict");
  add_run_flags(*soak, typed, run);
  soak->add_option("--minutes", typed.minutes, "length of the storm")
    ->capture_default_str()
    ->check(CLI::Range(0.05, 10'000.0));
  auto* const demo = app.add_subcommand("demo", "three members, 3000 slices, a storm of 30 s, watched live");
  add_run_flags(*demo, typed, run);
  auto* const played = app.add_subcommand("play", "one scenario by name");
  add_play(*played, asked, run);
  auto* const kills = app.add_subcommand("kills", "a storm in which the program is killed again and again");
  run_options killed = much_killed();
  add_kills(*kills, killed);
  auto* const serve = app.add_subcommand("serve", "simulated API servers alone");
  add_serve(*serve, out.serve);
  const auto* const list = app.add_subcommand("list", "the known storms, faults and scenarios");

  run.burst = 0; // unless it is given: twice the qps
  if (const std::string first = count > 1 ? arguments[1] : ""; !first.empty() && first.front() != '-')
    if (auto unknown = judge_command(first, app); !unknown.empty())
      return text(std::move(unknown), usage_error);
  try {
    app.parse(count, arguments);
  } catch (const CLI::ExtrasError&) {
    const auto& used = app.get_subcommands().empty() ? app : *app.get_subcommands().front();
    const auto left = app.remaining(true);
    return text(nearest_option(left.empty() ? "" : left.front(), used) + "\n", usage_error);
  } catch (const CLI::ParseError& error) {
    std::ostringstream said;
    const int code = app.exit(error, said, said);
    return text(said.str(), code == 0 ? 0 : usage_error);
  }
  if (list->parsed() || serve->parsed()) {
    out.is = list->parsed() ? command_line::kind::list : command_line::kind::serve;
    return out;
  }
  if (kills->parsed()) {
    killed.length = std::chrono::seconds{killed.kills};
    return checked(std::move(killed), typed);
  }
  if (demo->parsed()) {
    typed.seconds = 30;
    run.in_front_of_people = true;
  }
  if (played->parsed())
    if (auto unknown = choose(asked, run, typed); !unknown.empty())
      return text(std::move(unknown), usage_error);
  run.length = std::chrono::milliseconds{
    static_cast<std::int64_t>((typed.seconds > 0 ? typed.seconds : typed.minutes * 60) * 1000)};
  return checked(std::move(run), typed);
}

} // namespace sliceferry::storm
