#pragma once
#include "test/storm/server/cluster.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sliceferry::storm {

struct serve_options {
  std::vector<std::string> members; ///< names; `hub` is there besides
  bool plays_hub_controller = false;
  std::vector<std::string> users{"sliceferry", "storm", "oracle", "admin"}; ///< `<user>-token` is each one's token
  std::vector<std::string> faulty_users{"sliceferry"};                      ///< faults meet only their requests
  std::string certificate_file;                                             ///< PEM; empty: plain HTTP
  std::string key_file;
  std::string ready_file;    ///< gets the URLs once they answer; empty: none
  std::string history = "-"; ///< a path, the number of an open descriptor, or `-` for the standard output
  std::uint64_t uid_seed = 1;
  std::size_t history_events = 50'000; ///< as `cluster_options`
  std::function<instant()> clock;      ///< the servers' own; must be given
  /// Told of each server before it listens, by name: what it puts there was there from the start. May be empty.
  std::function<void(const std::string& name, cluster& fresh)> furnish{};
};

/// Runs simulated API servers, a hub and members, in this process until SIGTERM, SIGINT, the end of the process that
/// started it, or until nobody reads the history any more. Returns the exit code: 0, or 1 in the last case.
///
/// The ready file is a JSON document {"control":URL,"clusters":{"hub":URL,…}} and appears whole.
/// Throws std::runtime_error when it can't begin.
int serve(const serve_options& options);

} // namespace sliceferry::storm
