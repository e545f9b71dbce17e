#pragma once
#include "k8s/http_client.hpp"
#include "k8s/io_loop.hpp"
#include "test/storm/oracle/list_check.hpp"
#include "test/storm/oracle/oracle.hpp"
#include "test/storm/stage/audit_feed.hpp"
#include "test/storm/stage/export_index.hpp"
#include "test/storm/stage/fault_actor.hpp"
#include "test/storm/stage/history_feed.hpp"
#include "test/storm/stage/journal_watch.hpp"
#include "test/storm/stage/program.hpp"
#include "test/storm/stage/run_options.hpp"
#include "test/storm/stage/simulated_servers.hpp"
#include "test/storm/stage/user_driver.hpp"
#include "test/storm/stage/verdict.hpp"
#include "test/storm/stage/workplace.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace sliceferry::storm {

/// One run from the first process to the verdict: servers, the program, a fleet, a storm with its faults, a drain, and
/// what the oracle says. Whatever happens, the processes that it started are gone with it.
///
/// Threads: the caller's paces the storm; the loop's carries requests; the feed's asks the oracle, under the mutex.
class play {
public:
  /// `show` is told the status about twice a second.
  play(run_options options, std::function<void(const status&)> show);
  ~play();
  play(const play&) = delete;
  play& operator=(const play&) = delete;

  verdict run();

  /// For people who look around while it is kept.
  const server_map& servers() const { return servers_; }
  const program* target() const { return program_ ? &*program_ : nullptr; }
  const workplace& place() const { return place_; }

private:
  std::string start_servers();
  void start_oracle();
  bool is_chosen(std::string_view storm) const;
  /// Whether foreign exports may go by others' doing.
  bool loses_exports() const;
  std::string start_program();
  void note(fault_actor::program_news what);
  std::string set_up();
  std::string storm();
  std::string killing_storm();
  std::string die_once(std::uint64_t seed, std::uint64_t& offered);
  std::string restart_in_sync();
  void offer(std::chrono::steady_clock::time_point began, std::uint64_t& offered);
  std::string drain();
  std::string judge();
  void judge_figures(const oracle_figures& told);
  void judge_journal();
  void watch_journal();
  /// The program is down: whatever it did is compared with its journal. What keeps that from being done, or nothing.
  std::string inspect_journal();
  void look_at_journal();
  void ask_program();
  std::string program_ended_itself();
  /// All pages of what is judged.
  cluster_lists read_lists(std::string& broken);

  std::string wait_for_users();
  /// Until the oracle has heard of everything that the servers answered so far.
  std::string catch_up();
  bool is_settled();
  void report_status(const std::string& phase);
  void look_at_program(double seconds);
  verdict ended(const std::string& broken);

  run_options options_;
  std::function<void(const status&)> show_;
  workplace place_;
  server_map servers_;
  std::unique_ptr<simulated_servers> simulated_;
  k8s::io_loop loop_;
  std::map<std::string, std::unique_ptr<k8s::http_client>> lookers_; ///< to read from each server, and `control`
  std::optional<program> program_;
  std::unique_ptr<k8s::http_client> admin_; ///< of the program
  std::unique_ptr<user_driver> users_;
  std::unique_ptr<storm_plan> plan_;
  std::unique_ptr<fault_actor> faults_;

  std::mutex mutex_;
  oracle_options oracle_how_;
  std::unique_ptr<oracle> oracle_;                    ///< under the mutex
  std::map<std::string, std::uint64_t> markers_seen_; ///< under the mutex
  export_index exports_;                              ///< under the mutex; fed where a storm meddles with exports
  std::unique_ptr<journal_watch> journal_;            ///< null: the program keeps none
  std::string journal_broken_;
  std::chrono::steady_clock::time_point journal_read_{};
  std::uint64_t marker_ = 0;
  std::unique_ptr<history_feed> history_;
  std::unique_ptr<audit_feed> audit_;

  std::vector<program_sample> samples_;
  status status_;
  std::size_t told_ = 0, told_of_journal_ = 0; ///< violations whose story was shown
  list_pages exports_before_storm_;
  std::chrono::steady_clock::time_point storm_began_{}, reported_{};
  std::uint64_t changes_before_ = 0, exports_before_ = 0;
  std::chrono::microseconds cpu_before_{};
  verdict verdict_;
};

} // namespace sliceferry::storm
