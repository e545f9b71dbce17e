#pragma once
#include "test/storm/stage/child.hpp"
#include "test/storm/stage/server_map.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sliceferry::storm {

/// `storm serve` as a process of its own: a hub and members on loopback, their history by a pipe.
class simulated_servers {
public:
  simulated_servers(const std::vector<std::string>& members, const std::filesystem::path& folder, std::uint64_t seed,
                    bool hub_controller);
  ~simulated_servers();

  /// Starts it and waits until it listens; a text that tells why not, or nothing.
  std::string start();
  const server_map& map() const { return map_; }
  /// The reading end; the caller's to close.
  int take_history();
  child& process() { return *child_; }

private:
  std::string read_addresses();

  std::filesystem::path ready_file_;
  int pipe_[2] = {-1, -1};
  std::unique_ptr<child> child_;
  server_map map_;
};

/// Reads the addresses of servers that run already, from a JSON file:
/// {"program_user": …, "servers": {"hub": {"url": …, "ca_file": …, "program_token": …, "user_token": …, "audit_log":
/// …}, "MEMBER": …}}. The text is empty, or what is wrong.
std::string read_server_map(const std::filesystem::path& file, server_map& out);

} // namespace sliceferry::storm
