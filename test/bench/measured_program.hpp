#pragma once
#include "k8s/http_client.hpp"
#include "test/bench/process.hpp"
#include "test/storm/stage/ask.hpp"
#include "test/storm/stage/child.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sliceferry::bench {

struct program_plan {
  std::filesystem::path binary;
  std::filesystem::path folder; ///< of its settings, tokens and log
  std::string member;
  std::string hub_nspace; ///< of the member
  std::string member_url;
  std::string hub_url;
  std::size_t slices = 0; ///< of the member
  bool with_journal = false;
};

/// The real program as a process, without limits of its own, and what it costs until all slices are settled.
class measured_program {
public:
  struct figures {
    double cpu = 0;        ///< seconds
    double wall = 0;       ///< seconds
    double own_peak = 0;   ///< bytes of memory that is its own, as sampled each 50 ms
    resident_memory now{}; ///< when settled and rested
  };

  /// Begins at once.
  measured_program(k8s::io_loop& loop, const program_plan& plan)
    : plan_(plan), began_(std::chrono::steady_clock::now()), port_(free_port()), admin_(loop, access()),
      process_({command(), {}, plan.folder / "sliceferry.log"}) {
    write_settings();
    if (!process_.start())
      throw std::runtime_error{plan.binary.string() + " can't be started"};
  }

  /// Waits until it is ready, nothing is queued or awake and nothing is owed for any slice; looks at its memory when it
  /// has rested for so long.
  figures settle(std::chrono::seconds patience, std::chrono::seconds rest) {
    figures out;
    while (!is_settled()) {
      if (!process_.alive())
        throw std::runtime_error{"the program ended: " + process_.tail()};
      if (std::chrono::steady_clock::now() - began_ > patience)
        throw std::runtime_error{"the program doesn't settle: " + state_ + process_.tail()};
      out.own_peak = std::max(out.own_peak, memory_of(process_.pid()).own);
      ::poll(nullptr, 0, 50);
    }
    out.cpu = cpu_seconds(process_.pid());
    out.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    out.own_peak = std::max(out.own_peak, memory_of(process_.pid()).own);
    ::poll(nullptr, 0, static_cast<int>(std::chrono::milliseconds{rest}.count()));
    out.now = memory_of(process_.pid());
    return out;
  }

  void stop() {
    process_.signal(SIGTERM);
    if (process_.wait(std::chrono::seconds{20}) != 0)
      throw std::runtime_error{"the program doesn't stop as it should: " + process_.tail()};
  }

private:
  static unsigned free_port() {
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

  k8s::cluster_access access() const {
    k8s::cluster_access out;
    out.server = "http://127.0.0.1:" + std::to_string(port_);
    return out;
  }

  std::vector<std::string> command() const {
    std::vector<std::string> out{plan_.binary, "run", "--config", settings_file()};
    if (plan_.with_journal)
      out.insert(out.end(), {"--data-dir", plan_.folder / "journal"});
    return out;
  }

  std::filesystem::path settings_file() const { return plan_.folder / "sliceferry.yaml"; }

  void write_settings() const {
    const auto token = plan_.folder / "token";
    std::ofstream{token} << "sliceferry-token";
    const auto server = [&](const std::string& url) {
      return "  url: " + url + "\n  token_file: " + token.string() + "\n  qps: 1000000\n  burst: 1000000\n";
    };
    std::ofstream{settings_file()} << "members:\n- name: " << plan_.member << "\n  namespace: " << plan_.hub_nspace
                                   << '\n'
                                   << server(plan_.member_url) << "hub:\n"
                                   << server(plan_.hub_url) << "listen: 127.0.0.1:" << port_
                                   << "\nlog:\n  format: json\n  level: warning\n";
  }

  /// The sum of all series of a metric, or of the one with that label.
  static double sum_of(std::string_view metrics, std::string_view name, std::string_view label = {}) {
    double out = 0;
    while (!metrics.empty()) {
      const auto end = std::min(metrics.find('\n'), metrics.size());
      const auto line = metrics.substr(0, end);
      metrics.remove_prefix(std::min(end + 1, metrics.size()));
      if (line.starts_with(name) && line.substr(name.size()).starts_with('{') &&
          line.find(label) != std::string_view::npos)
        out += std::strtod(line.substr(line.rfind(' ') + 1).data(), nullptr);
    }
    return out;
  }

  bool is_settled() {
    const auto ready = storm::get(admin_, "/readyz");
    if (ready.status != 200) {
      state_ = ready.body;
      return false;
    }
    const auto metrics = storm::get(admin_, "/metrics").body;
    const double settled = sum_of(metrics, "sliceferry_exporters", "state=\"dormant\"");
    const double awake = sum_of(metrics, "sliceferry_exporters", "state=\"awake\"");
    const double queued = sum_of(metrics, "sliceferry_queue_depth") + sum_of(metrics, "sliceferry_queue_in_flight");
    state_ = std::to_string(settled) + " settled, " + std::to_string(awake) + " awake, " + std::to_string(queued) +
             " queued\n";
    return settled >= static_cast<double>(plan_.slices) && awake == 0 && queued == 0;
  }

  program_plan plan_;
  std::chrono::steady_clock::time_point began_;
  unsigned port_;
  k8s::http_client admin_;
  storm::child process_;
  std::string state_;
};

} // namespace sliceferry::bench
