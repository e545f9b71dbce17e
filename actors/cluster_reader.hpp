#pragma once
#include "actors/core/diff.hpp"
#include "actors/server_access.hpp"
#include "config/settings.hpp"
#include "k8s/http_client.hpp"
#include "k8s/io_loop.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sliceferry {

/// Who a member is to the fleet, as the settings say.
core::member_identity identity_of(const settings& chosen, const member_settings& member);

/// What a member's clusters hold, or why that isn't known.
struct cluster_reading {
  core::member_lists lists;          ///< complete, unless something failed
  std::vector<std::string> failures; ///< of slices, ServiceExports or exports; one line each
  std::vector<std::string> lacks;    ///< of former names' exports, without which the rest can be judged
};

/// Reads whole collections of one member and of its hub namespaces: GETs and nothing else. All lists are read
/// at the same time, each by pages that keep to the rate which the settings allow.
class cluster_reader {
public:
  cluster_reader(k8s::io_loop& loop, const settings& chosen, const server_access& access,
                 const member_settings& member);

  /// Waits for the end, for as long as that takes (`k8s::list_options`).
  cluster_reading read();

private:
  k8s::io_loop& loop_;
  const settings& chosen_;
  const member_settings& member_;
  k8s::http_client hub_;
  k8s::http_client own_;
};

} // namespace sliceferry
