#pragma once
#include "k8s/credentials.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sliceferry::k8s {

/// Which kubeconfig files to read and which context of them to use.
struct kubeconfig_choice {
  /// Merged as kubectl merges the list in KUBECONFIG: the first file that defines a name wins.
  /// One file alone must exist; of several, those that don't exist are passed over.
  std::vector<std::string> files;
  std::string context; ///< empty: the `current-context`
};

/// How to reach a server, or every reason why that isn't known; never both, never neither.
struct access_or_errors {
  std::optional<cluster_access> access;
  std::vector<std::string> errors; ///< one line each: where, what, and what to do

  explicit operator bool() const { return access.has_value(); }
};

/// Reads the chosen context. Relative paths count from the folder of the file that holds them,
/// inline data wins over a file (both as in client-go). A context without a user means no credentials;
/// one that names an undefined user is an error.
///
/// Named files are read once here, so that a wrong path or a broken certificate shows at load; a
/// token file alone may still be missing, because a sidecar may be slower than we are.
/// `exec`, `auth-provider`, `proxy-url`, impersonation and passwords are refused with a clear error.
access_or_errors load_kubeconfig(const kubeconfig_choice& choice);

} // namespace sliceferry::k8s
