#pragma once
#include "config/settings.hpp"
#include "k8s/credentials.hpp"

#include <map>
#include <string>
#include <vector>

namespace sliceferry {

/// How every cluster of the settings is reached, or everything that is wrong with it.
struct server_access {
  k8s::cluster_access hub;
  std::map<std::string, k8s::cluster_access> members; ///< by name
  std::vector<std::string> errors;                    ///< one line each, beginning with whom it concerns
};

/// Reads kubeconfigs, the pod's service account and what settings name directly; contacts nothing.
server_access find_access(const settings& chosen);

} // namespace sliceferry
