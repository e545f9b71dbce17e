#pragma once
#include "actors/core/backoff.hpp"
#include "actors/core/leftover_proof.hpp"
#include "actors/core/member_table.hpp"
#include "test/storm/simulation/mail.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace sliceferry::storm {

class process;

/// Mirrors actors/watch_dispatcher.cpp, without readiness and figures.
class dispatcher_shell {
public:
  explicit dispatcher_shell(process& whole);

  void take(dispatcher_mail mail);
  bool is_idle() const { return table_.awake() == 0 && !proof_.has_unread(); }

private:
  void take(const watch_batch<endpoint_slice>& seen);
  void take(const write_answer& answer);
  void notify(const core::touched& whom, tick seen_at);
  void notify(const std::string& slice_uid, tick seen_at);
  inputs inputs_of(const std::string& slice_uid);
  std::uint64_t wake(const std::string& slice_uid);
  void send(std::uint64_t exporter, observation seen, const std::string& slice_uid);
  void retire(const retire_request& asked);
  void drop(const exporter_failed& failed);
  void prove(core::leftover_proof::plan plan);
  void read_slice(const core::leftover& suspect);
  void judge(const core::leftover& suspect, const reply& end);
  void read_failed(const core::leftover& suspect, const failure& why);
  void house_changed();
  void keep_house();
  template <class T>
  const watch_batch<T>& as_wired(watch_batch<T>& seen);

  process& whole_;
  core::member_table table_;
  core::leftover_proof proof_;
  std::unordered_map<std::string, std::uint64_t> awake_; ///< exporters by slice UID
  std::vector<std::string> failed_;
  core::backoff read_delays_;
  tick read_again_{};
  bool reminded_ = false;

  // For planted bugs.
  std::set<object_key> heard_of_;
  std::set<std::string> told_of_;
  std::unordered_map<std::string, std::uint64_t> numbers_;
};

} // namespace sliceferry::storm
