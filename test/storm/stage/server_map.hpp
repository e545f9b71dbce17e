#pragma once
#include "k8s/credentials.hpp"

#include <map>
#include <string>
#include <vector>

namespace sliceferry::storm {

/// How each API server of a run is reached, and by whom.
struct server_map {
  struct server {
    std::string url;
    std::string ca_file;       ///< empty for plain HTTP
    std::string program_token; ///< the program's, whose requests the oracle judges
    std::string user_token;    ///< of who makes the storm
    std::string audit_log;     ///< of a real server; empty: its history comes by the pipe
  };
  std::map<std::string, server> by_name; ///< `hub` and the members
  std::string control;                   ///< of simulated servers; empty for real ones
  std::string program_user = "sliceferry";

  std::vector<std::string> members() const {
    std::vector<std::string> out;
    for (const auto& [name, unused] : by_name)
      if (name != "hub")
        out.push_back(name);
    return out;
  }
  k8s::cluster_access access_of_users(const std::string& name) const {
    const auto& each = by_name.at(name);
    k8s::cluster_access out;
    out.server = each.url;
    out.ca_file = each.ca_file;
    out.token = each.user_token;
    return out;
  }
};

} // namespace sliceferry::storm
