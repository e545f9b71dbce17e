#include "test/storm/stage/program.hpp"

#include <arpa/inet.h>
#include <charconv>
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <sys/socket.h>
#include <unistd.h>

namespace sliceferry::storm {
namespace {

constexpr const char* faketime_library = "libfaketime.so.1"; ///< found below the directories that Debian puts it in

/// A port that was free a moment ago. The program keeps it through its restarts.
unsigned free_port() {
  const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const raw = static_cast<sockaddr*>(static_cast<void*>(&address));
  ::bind(probe, raw, size);
  ::getsockname(probe, raw, &size);
  ::close(probe);
  return ntohs(address.sin_port);
}

std::string find_faketime() {
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu/faketime/", "/usr/lib/aarch64-linux-gnu/faketime/"})
    if (std::filesystem::exists(std::string{folder} + faketime_library))
      return std::string{folder} + faketime_library;
  return faketime_library;
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream{path, std::ios::trunc} << text;
}

std::string server_block(const server_map::server& server, const std::filesystem::path& token_file,
                         const char* indent) {
  std::string out = fmt::format("{0}url: {1}\n{0}token_file: {2}\n", indent, server.url, token_file.string());
  if (!server.ca_file.empty())
    out += fmt::format("{}ca_file: {}\n", indent, server.ca_file);
  return out;
}

} // namespace

program_figures read_figures(std::string_view metrics) {
  program_figures out;
  while (!metrics.empty()) {
    const auto end = std::min(metrics.find('\n'), metrics.size());
    const auto line = metrics.substr(0, end);
    metrics.remove_prefix(std::min(end + 1, metrics.size()));
    const auto space = line.rfind(' ');
    if (line.starts_with('#') || space == std::string_view::npos)
      continue;
    const auto series = line.substr(0, space);
    double value = 0;
    const auto digits = line.substr(space + 1);
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const auto add = [&](auto& to) { to += static_cast<std::size_t>(value); };
    if (series.starts_with("sliceferry_queue_depth"))
      add(out.queued);
    else if (series.starts_with("sliceferry_queue_in_flight"))
      add(out.in_flight);
    else if (series.starts_with("sliceferry_exporters") && series.find("awake") != std::string_view::npos)
      add(out.awake);
    else if (series.starts_with("sliceferry_watch_restarts_total"))
      add(out.watch_restarts);
    else if (series.starts_with("sliceferry_malformed_objects_total"))
      add(out.malformed);
    else if (series == "sliceferry_journal_events_total")
      add(out.journal_events);
    else if (series == "sliceferry_journal_degraded")
      out.journal_degraded = value > 0;
    else if (const auto at = series.find("verb=\"");
             series.starts_with("sliceferry_requests_total{") && at != std::string_view::npos)
      add(out.requests[std::string{series.substr(at + 6, series.find('"', at + 6) - at - 6)}]);
  }
  return out;
}

program::program(program_options options, const server_map& servers) : options_{std::move(options)} {
  std::filesystem::create_directories(options_.folder);
  const unsigned port = free_port();
  url_ = fmt::format("http://127.0.0.1:{}", port);
  write_settings(servers, port);
  child_options how;
  how.command = {options_.binary.string(), "run", "--config", settings_file().string()};
  how.log = log_file().string();
  how.environment = environment();
  child_ = std::make_unique<child>(std::move(how));
}

/// What is preloaded, and what that must know.
std::vector<std::string> program::environment() {
  std::vector<std::string> out;
  std::string preloaded;
  if (options_.steps_clock) {
    step_clock(std::chrono::milliseconds{0});
    preloaded = find_faketime();
    out = {"FAKETIME_DONT_FAKE_MONOTONIC=1", "FAKETIME_CACHE_DURATION=1",
           "FAKETIME_TIMESTAMP_FILE=" + (options_.folder / "clock").string()};
  }
  if (!options_.data_dir.empty()) {
    disk_.emplace(options_.shim, options_.folder / "disk");
    preloaded += (preloaded.empty() ? "" : ":") + options_.shim.string();
    out.push_back(disk_->control_variable());
  }
  if (!preloaded.empty())
    out.push_back("LD_PRELOAD=" + preloaded);
  return out;
}

void program::write_settings(const server_map& servers, unsigned port) const {
  const auto limits = [&](const char* indent) {
    return fmt::format("{0}qps: {1}\n{0}burst: {2}\n", indent, options_.qps, options_.burst);
  };
  std::string text = "members:\n";
  for (const auto& [name, server] : servers.by_name) {
    const auto token_file = options_.folder / (name + ".token");
    write(token_file, server.program_token);
    std::filesystem::permissions(token_file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    if (name != "hub")
      text += fmt::format("- name: {}\n{}{}", name, server_block(server, token_file, "  "), limits("  "));
  }
  text += "hub:\n" + server_block(servers.by_name.at("hub"), options_.folder / "hub.token", "  ") + limits("  ");
  text += fmt::format("listen: 127.0.0.1:{}\nlog:\n  format: json\n  level: warning\n", port);
  if (!options_.data_dir.empty())
    text += fmt::format("data_dir: {}\n", options_.data_dir.string());
  write(settings_file(), text);
}

bool program::start() {
  paused_ = false;
  ++starts_;
  started_ = std::chrono::steady_clock::now();
  return child_->start();
}

void program::kill() {
  child_->kill();
}

void program::pause() {
  paused_ = true;
  child_->signal(SIGSTOP);
}

void program::resume() {
  paused_ = false;
  child_->signal(SIGCONT);
}

std::optional<int> program::stop() {
  resume();
  child_->signal(SIGTERM);
  const auto code = child_->wait(std::chrono::seconds{12});
  child_->kill();
  return code;
}

void program::step_clock(std::chrono::milliseconds by) {
  clock_step_ += by;
  write(options_.folder / "clock", fmt::format("{:+.3f}\n", static_cast<double>(clock_step_.count()) / 1000));
}

} // namespace sliceferry::storm
