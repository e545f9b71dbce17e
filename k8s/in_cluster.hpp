#pragma once
#include "k8s/kubeconfig.hpp"

#include <functional>
#include <optional>
#include <string>

namespace sliceferry::k8s {

/// The value of an environment variable, or nothing where it isn't set.
using environment = std::function<std::optional<std::string>(const std::string& name)>;

/// Access to the API server of the cluster that we run in, as every pod is given it:
/// `KUBERNETES_SERVICE_HOST`, `KUBERNETES_SERVICE_PORT` and the mounted service account.
/// Token and CA stay named as files because the kubelet rotates them.
///
/// `root` stands before `/var/run/secrets/kubernetes.io/serviceaccount`.
access_or_errors load_in_cluster(const environment& env, const std::string& root = {});

} // namespace sliceferry::k8s
