#pragma once
#include "test/storm/disk/faulty_disk.hpp"
#include "test/storm/stage/child.hpp"
#include "test/storm/stage/server_map.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace sliceferry::storm {

struct program_options {
  std::filesystem::path binary;
  std::filesystem::path folder; ///< for its settings, tokens and log
  double qps = 200;             ///< to each API server
  double burst = 400;
  bool steps_clock = false;       ///< runs under libfaketime, so that `step_clock` works
  std::filesystem::path data_dir; ///< of its journal; empty: it keeps none
  std::filesystem::path shim;     ///< the faulty disk's library
};

/// What its /metrics say, as far as a run shows it.
struct program_figures {
  std::size_t queued = 0;
  std::size_t in_flight = 0;
  std::size_t awake = 0;
  std::map<std::string, std::uint64_t> requests; ///< by verb
  std::uint64_t watch_restarts = 0;
  std::uint64_t malformed = 0;
  std::uint64_t journal_events = 0; ///< of this process
  bool journal_degraded = false;
};

/// Reads the text form of /metrics. Unknown series are passed over.
program_figures read_figures(std::string_view metrics);

/// The program under test: the real one, as a process, with its settings written for these servers.
class program {
public:
  program(program_options options, const server_map& servers);

  bool start();
  void kill(); ///< SIGKILL
  void pause();
  void resume();
  bool is_paused() const { return paused_; }
  /// SIGTERM; its exit code, or nothing if it had to be killed.
  std::optional<int> stop();
  void step_clock(std::chrono::milliseconds by);
  /// The disk under its journal; null where it keeps none.
  faulty_disk* disk() { return disk_ ? &*disk_ : nullptr; }
  std::filesystem::path journal_file() const { return options_.data_dir / "journal.mdb"; }

  child& process() { return *child_; }
  const std::string& url() const { return url_; } ///< of its admin server
  std::filesystem::path settings_file() const { return options_.folder / "sliceferry.yaml"; }
  std::filesystem::path log_file() const { return options_.folder / "sliceferry.log"; }
  unsigned starts() const { return starts_; }
  std::chrono::steady_clock::time_point started() const { return started_; }

private:
  std::vector<std::string> environment();
  void write_settings(const server_map& servers, unsigned port) const;

  program_options options_;
  std::string url_;
  std::optional<faulty_disk> disk_;
  std::unique_ptr<child> child_;
  unsigned starts_ = 0;
  bool paused_ = false;
  std::chrono::steady_clock::time_point started_{};
  std::chrono::milliseconds clock_step_{};
};

} // namespace sliceferry::storm
