#pragma once
#include "config/setting_error.hpp"
#include "config/setting_flags.hpp"
#include "config/settings.hpp"
#include "config/surroundings.hpp"

#include <variant>

namespace sliceferry {

/// Valid settings, or everything that is wrong with them.
using loaded_settings = std::variant<settings, setting_errors>;

/// Settings from flags, environment and file, of which the earlier wins. All errors of all sources
/// are found at once.
///
/// - A source that says how a cluster is reached (kubeconfig or context, URL, in-cluster) replaces
///   what weaker sources said about that.
/// - `MEMBER_CLUSTER_NAME` and `--member-cluster` pick one member of the file, or name one without.
/// - A member without any way is reached by `KUBECONFIG`, else as the pod that we run in; a context
///   without kubeconfig means `KUBECONFIG`, else `~/.kube/config`. The hub has no such default.
/// - Relative paths in a file count from the file's folder.
///
/// Files that settings name must be readable, but for token files: a sidecar may write those later (AU03).
loaded_settings load_settings(const setting_flags& flags, const surroundings& around);

} // namespace sliceferry
