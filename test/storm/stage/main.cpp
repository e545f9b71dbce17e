#include "test/storm/server/serve.hpp"
#include "test/storm/stage/command_line.hpp"
#include "test/storm/stage/interruption.hpp"
#include "test/storm/stage/play.hpp"
#include "test/storm/weather/scenario.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <unistd.h>

namespace sliceferry::storm {
namespace {

std::string list_of_everything() {
  std::string out = "storms:\n";
  for (const auto& name : storm_names())
    out += fmt::format("  {:<18} {}\n", name, describe_storm(name));
  out += "\nfaults (sets, then kinds):\n";
  for (const auto& name : fault_names())
    out += fmt::format("  {:<18} {}\n", name, describe_fault(name));
  out += "\nscenarios (* run against real API servers too):\n";
  for (const auto& each : scenarios())
    out += fmt::format("{} {:<18} {}\n", each.is_portable ? '*' : ' ', each.name, each.sentence);
  return out;
}

int serve_alone(const serve_command& asked) {
  serve_options options;
  options.members = asked.members;
  options.plays_hub_controller = asked.hub_controller;
  options.uid_seed = asked.seed;
  options.ready_file = asked.ready_file;
  options.history = asked.history;
  options.clock = [] {
    return std::chrono::duration_cast<instant>(std::chrono::system_clock::now().time_since_epoch());
  };
  return serve(options);
}

/// Redraws the block in place on a terminal; elsewhere a line now and then.
class screen {
public:
  explicit screen(bool block) : block_{block && ::isatty(STDOUT_FILENO) == 1} {}

  void show(const status& now) {
    if (!now.news.empty())
      lines_ = 0; // what was drawn stays above
    for (const auto& each : now.news)
      std::cout << each << std::endl;
    if (!block_) {
      if (now.phase != phase_ || now.since - last_ >= std::chrono::seconds{10} || now.since < last_) {
        std::cout << line_of(now) << std::endl;
        last_ = now.since;
      }
      phase_ = now.phase;
      return;
    }
    if (lines_ > 0)
      std::cout << "\033[" << lines_ << "F\033[J";
    const auto text = block_of(now, true);
    lines_ = 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    std::cout << text << std::endl;
  }

private:
  bool block_;
  std::size_t lines_ = 0;
  std::string phase_;
  std::chrono::milliseconds last_{};
};

void keep(const play& kept) {
  std::cout << "\nstill running; Ctrl-C ends all of it\n";
  for (const auto& [name, server] : kept.servers().by_name)
    std::cout << fmt::format("  {:<10} {}  (bearer token: {})\n", name, server.url, server.user_token);
  const auto& url = kept.target()->url();
  const auto& hub = kept.servers().by_name.at("hub");
  std::cout << fmt::format("  program    {}/readyz  {}/metrics\n", url, url)
            << fmt::format("  settings   {}\n  log        {}\n", kept.target()->settings_file().string(),
                           kept.target()->log_file().string())
            << "\ntry:\n"
            << fmt::format("  curl -s {}/metrics | grep sliceferry_exports\n", url)
            << fmt::format(
                 "  curl -s -H 'Authorization: Bearer {}' {}/apis/networking.fleet.azure.com/v1alpha1/namespaces/"
                 "fleet-member-member-1/endpointsliceexports?limit=1\n",
                 hub.user_token, hub.url)
            << fmt::format("  curl -s {}/metrics\n", hub.url) << std::flush;
  while (!wait_unless_interrupted(std::chrono::hours{1})) {
  }
}

constexpr std::string_view where_to_look_next = R"(
next:
  ./dev demo --keep                      the same, left running, with its URLs
  ./dev demo --faults basic --seed 7     with latency, cut watches, server restarts, kills
  ./dev soak --minutes 10 --rate 2000 --slices 30000 --qps 5000 --faults basic
  build/release/storm list               every storm, fault and scenario
)";

int run(run_options options) {
  const auto beside = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  if (options.program.empty())
    options.program = beside / "sliceferry";
  options.shim = beside / "storm-disk.so";
  listen_for_interruption();
  screen shown{options.in_front_of_people};
  play all{options, [&](const status& now) { shown.show(now); }};
  const auto end = all.run();
  if (!options.report.empty())
    std::ofstream{options.report} << report_of(end, options) << '\n';
  std::cout << '\n' << line_of(end, options) << '\n';
  for (const auto& each : end.reasons)
    std::cout << '\n' << each << '\n';
  if (options.in_front_of_people && end.is == verdict::kind::clean && !options.keep)
    std::cout << where_to_look_next;
  if (options.keep && end.is != verdict::kind::interrupted && end.is != verdict::kind::broken)
    keep(all);
  return end.exit_code();
}

} // namespace
} // namespace sliceferry::storm

int main(int count, char** arguments) {
  using namespace sliceferry::storm;
  const auto asked = read_command_line(count, arguments);
  try {
    switch (asked.is) {
      case command_line::kind::serve:
        return serve_alone(asked.serve);
      case command_line::kind::run:
        return run(asked.run);
      case command_line::kind::list:
        std::cout << list_of_everything();
        return 0;
      case command_line::kind::text:
        (asked.exit_code == 0 ? std::cout : std::cerr) << asked.text;
        return asked.exit_code;
    }
  } catch (const std::exception& error) {
    std::cerr << "storm: " << error.what() << '\n';
  }
  return 3;
}
