// The composition root: the only place that reads arguments, environment, clocks and chance, and
// that ends the process.
#include "actors/admin/admin_server.hpp"
#include "actors/admin/control_desk.hpp"
#include "actors/admin/heartbeat.hpp"
#include "actors/admin/metrics.hpp"
#include "actors/admin/probes.hpp"
#include "actors/admin/readiness.hpp"
#include "actors/command_settings.hpp"
#include "actors/diff_command.hpp"
#include "actors/ending_signals.hpp"
#include "actors/explain_command.hpp"
#include "actors/explain_desk.hpp"
#include "actors/journal/directory_check.hpp"
#include "actors/journal/journal.hpp"
#include "actors/journal_commands.hpp"
#include "actors/journal_view.hpp"
#include "actors/log.hpp"
#include "actors/memory_desk.hpp"
#include "actors/operator_commands.hpp"
#include "actors/running_memories.hpp"
#include "actors/server_access.hpp"
#include "actors/standard_output.hpp"
#include "actors/supervisor.hpp"
#include "config/command_line.hpp"
#include "config/load_settings.hpp"
#include "config/print_settings.hpp"
#include "config/version.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace {

using namespace sliceferry;

std::uint64_t chosen_seed() {
  std::random_device chance;
  return (std::uint64_t{chance()} << 32) | chance();
}

int complain(const setting_errors& errors) {
  for (const auto& error : errors)
    std::cerr << "error: " << to_string(error) << '\n';
  return exit_wrong_settings;
}

/// Kubeconfigs and certificates are settings too.
int complain(const std::vector<std::string>& errors) {
  for (const auto& error : errors)
    std::cerr << "error: " << error << '\n';
  return exit_wrong_settings;
}

/// What is wrong with all that settings name: kubeconfigs, certificates, the data directory.
std::vector<std::string> faults_of(const settings& chosen, const server_access& access) {
  auto out = access.errors;
  const auto& directory = chosen.journal.data_dir;
  if (auto unfit = directory.empty() ? std::string{} : journal::unfit_directory(directory); !unfit.empty())
    out.push_back(std::move(unfit));
  return out;
}

/// Stamps the I/O loop's life for as long as the loop turns.
void keep_beating(k8s::io_loop& loop, heartbeat& pulse, k8s::io_loop::timer& next) {
  pulse.beat("i/o loop", std::chrono::steady_clock::now());
  next = loop.after(heartbeat::every, [&loop, &pulse, &next] { keep_beating(loop, pulse, next); });
}

/// Shows on the board how the journal stands, each second.
void keep_looking(k8s::io_loop& loop, const journal::journal& kept, readiness& board, k8s::io_loop::timer& next) {
  show(kept.status(), board);
  next = loop.after(std::chrono::seconds(1), [&] { keep_looking(loop, kept, board, next); });
}

/// Before there are other threads: a forked child looks at what is there. Returns why the program must not start.
std::optional<std::string> open_journal(const journal_settings& chosen, std::uint64_t seed,
                                        std::unique_ptr<journal::journal>& out) {
  if (chosen.data_dir.empty())
    return std::nullopt;
  auto opened = journal::journal::open(options_of(chosen, seed));
  if (auto* refused = std::get_if<std::string>(&opened))
    return std::move(*refused);
  out = std::move(std::get<std::unique_ptr<journal::journal>>(opened));
  return std::nullopt;
}

/// The function, the first time only.
template <class Function>
auto once(Function told) {
  return [told = std::move(told), done = std::make_shared<std::once_flag>()](auto&& what) {
    std::call_once(*done, told, std::forward<decltype(what)>(what));
  };
}

void warn_of_insecure(const std::string& server, const k8s::cluster_access& access) {
  if (access.insecure_skip_verify)
    log::warning("TLS is not verified: whoever answers gets our credentials", {{"server", server}});
}

std::vector<std::string> names_of(const std::vector<member_settings>& members) {
  std::vector<std::string> names;
  for (const auto& member : members)
    names.push_back(member.name);
  return names;
}

void tell_start(const settings& chosen, std::uint16_t port) {
  const auto& directory = chosen.journal.data_dir;
  log::info("started",
            {{"version", std::string(version)},
             {"members", std::to_string(chosen.members.size())},
             {"listen", chosen.listen},
             {"port", std::to_string(port)},
             {"journal", directory.empty() ? "none: history and warm restarts need one (--data-dir)" : directory}});
}

std::shared_ptr<fleet_plan> plan_of(const settings& chosen, server_access access, std::uint64_t seed) {
  auto plan = std::make_shared<fleet_plan>();
  plan->chosen = chosen;
  plan->hub = std::move(access.hub);
  plan->members = std::move(access.members);
  plan->seed = seed;
  warn_of_insecure("hub", plan->hub);
  for (const auto& [name, how] : plan->members)
    warn_of_insecure(name, how);
  return plan;
}

/// All that has to do with the journal while the program runs; `next` lives as long as the loop.
void keep_journal(journal::journal& kept, fleet_plan& plan, k8s::io_loop::timer& next) {
  plan.journal = &kept;
  plan.recall = once([&kept](journal::recovery_hooks hooks) { kept.recover(std::move(hooks)); });
  plan.figures->sample([&kept] { return figures_of(kept.status()); });
  plan.loop->post([&kept, &next, loop = plan.loop, board = plan.board] { keep_looking(*loop, kept, *board, next); });
}

/// Waits for a signal, then ends the actors, whom no journal must call any more: at most `grace` for writes in flight.
void serve_until_told(const caf::actor& root, readiness& board, std::chrono::seconds grace, journal::journal* kept) {
  log::info("stopping", {{"signal", await_ending_signal() == SIGTERM ? "SIGTERM" : "SIGINT"}});
  board.troubled("stopping", "asked to end");
  stop_request stop{std::make_shared<std::promise<void>>()};
  auto done = stop.done->get_future();
  tell_from_thread(root, stop);
  if (done.wait_for(grace) != std::future_status::ready)
    log::warning("writes in flight were given up", {{"after", std::to_string(grace.count()) + "s"}});
  if (kept != nullptr)
    kept->fall_silent();
  tell_to_exit(root);
}

int run(const settings& chosen) {
  block_ending_signals();
  log::open(chosen.format, chosen.level);
  auto access = find_access(chosen);
  if (const auto faults = faults_of(chosen, access); !faults.empty())
    return complain(faults);

  const auto seed = chosen_seed();
  journal::no_journal unwritten;
  std::unique_ptr<journal::journal> kept;
  if (const auto refused = open_journal(chosen.journal, seed, kept)) {
    std::cerr << "error: " << *refused << '\n';
    return exit_failed;
  }

  const auto names = names_of(chosen.members);
  metrics figures{version};
  readiness board{names};
  heartbeat pulse;
  control_desk desk{names};
  explain_desk questions{names};
  memory_desk memories{names};
  admin_site site{make_probes(board, figures, pulse), desk.orders(), questions.pages()};
  site.routes.merge(desk.pages());
  site.questions.merge(with_journal_line(memories.pages(), kept.get()));
  admin_server admin{std::move(site)};
  if (const auto problem = admin.listen(chosen.listen)) {
    std::cerr << "error: " << *problem << '\n';
    return exit_failed;
  }

  k8s::io_loop::timer next_beat;
  k8s::io_loop loop;
  loop.post([&] { keep_beating(loop, pulse, next_beat); });
  auto plan = plan_of(chosen, std::move(access), seed);
  plan->loop = &loop;
  plan->figures = &figures;
  plan->board = &board;
  plan->pulse = &pulse;
  plan->desk = &desk;
  plan->questions = &questions;
  plan->memories = &memories;
  plan->journal = &unwritten;
  k8s::io_loop::timer next_look;
  if (kept)
    keep_journal(*kept, *plan, next_look);
  tell_start(chosen, admin.port());

  caf::actor_system_config config;
  configure(config, 2);
  {
    caf::actor_system system{config};
    const auto root = system.spawn<supervisor>(plan);
    serve_until_told(root, board, chosen.shutdown_grace, kept.get());
  }
  loop.stop();
  admin.stop();
  log::info("stopped");
  return exit_done;
}

int check(const settings& chosen, standard_output& out) {
  if (const auto faults = faults_of(chosen, find_access(chosen)); !faults.empty())
    return complain(faults);
  out.write(print_settings(chosen));
  return exit_done;
}

int diff(const settings& chosen, const question& about, standard_output& out) {
  const auto access = find_access(chosen);
  if (!access.errors.empty())
    return complain(access.errors);
  diff_ports ports;
  ports.tell = [&out](const std::string& text) { out.write(text); };
  ports.complain = [](const std::string& line) { std::cerr << "error: " << line << '\n'; };
  return diff_clusters(chosen, access, about, ports);
}

int tell_running(const command_line& told, standard_output& out) {
  const auto address = address_of_running(told.flags);
  if (const auto* errors = std::get_if<setting_errors>(&address))
    return complain(*errors);
  const auto& listen = std::get<std::string>(address);
  const auto tell = [&out](const std::string& line) { out.write(line); };
  const auto end = told.what == verb::leave         ? leave_fleet(listen, told.member, tell)
                   : told.what == verb::guard_allow ? allow_withdrawals(listen, told.member)
                                                    : show_guards(listen);
  if (end.done)
    tell(end.text);
  else
    std::cerr << "error: " << end.text;
  return end.done ? exit_done : exit_failed;
}

int ask_journal(const command_line& told, standard_output& out) {
  const auto chosen = settings_of_reader(told.flags);
  if (const auto* errors = std::get_if<setting_errors>(&chosen))
    return complain(*errors);
  const auto& directory = std::get<settings>(chosen).journal.data_dir;
  const auto& listen = std::get<settings>(chosen).listen;
  const auto print = [&out](std::string_view text) { return out.write(text); };
  const auto end = told.what == verb::history ? show_history(directory, told.about, print)
                                              : show_replay(directory, told.about, listen, print);
  using kind = journal::reading_end::kind;
  std::cerr << (end.how == kind::failed || end.how == kind::misasked ? "error: " : "") << end.note;
  if (end.how == kind::misasked)
    return exit_wrong_settings;
  return end.how == kind::answered ? exit_done : exit_failed;
}

int explain(const command_line& told, standard_output& out) {
  const auto address = address_of_running(told.flags);
  if (const auto* errors = std::get_if<setting_errors>(&address))
    return complain(*errors);
  const command_voices voices{[&out](const std::string& text) { out.write(text); },
                              [](const std::string& line) { std::cerr << line << '\n'; }};
  return explain_slice(
    std::get<std::string>(address), told.about, [&] { return load_settings(told.flags, process_surroundings()); },
    voices);
}

int obey(const command_line& told, standard_output& out) {
  switch (told.what) {
    case verb::help:
      out.write(help_text(told.topic));
      return exit_done;
    case verb::version:
      out.write("sliceferry " + std::string(version) + '\n');
      return exit_done;
    case verb::guard_status:
    case verb::guard_allow:
    case verb::leave:
      return tell_running(told, out);
    case verb::explain:
      return explain(told, out);
    case verb::history:
    case verb::replay:
      return ask_journal(told, out);
    case verb::run:
    case verb::check:
    case verb::diff:
      break;
  }
  const auto loaded = load_settings(told.flags, process_surroundings());
  if (const auto* errors = std::get_if<setting_errors>(&loaded))
    return complain(*errors);
  const auto& chosen = std::get<settings>(loaded);
  if (told.what == verb::diff)
    return diff(chosen, told.about, out);
  return told.what == verb::check ? check(chosen, out) : run(chosen);
}

} // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  const auto told = parse_command_line(std::vector<std::string>(argv + 1, argv + argc));
  if (const auto* errors = std::get_if<setting_errors>(&told))
    return complain(*errors);
  standard_output out{STDOUT_FILENO};
  const int code = obey(std::get<command_line>(told), out);
  const auto trouble = out.trouble();
  if (!trouble)
    return code;
  std::cerr << "error: " << *trouble << '\n';
  return exit_failed;
}
