#include "k8s/in_cluster.hpp"

#include "k8s/access_check.hpp"

namespace sliceferry::k8s {

namespace {

constexpr auto service_account = "/var/run/secrets/kubernetes.io/serviceaccount/";

} // namespace

access_or_errors load_in_cluster(const environment& env, const std::string& root) {
  access_or_errors out;
  const auto host = env("KUBERNETES_SERVICE_HOST").value_or("");
  const auto port = env("KUBERNETES_SERVICE_PORT").value_or("");
  if (host.empty() || port.empty()) {
    out.errors.emplace_back("KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT aren't set, so this is no pod of a "
                            "cluster; name a kubeconfig instead");
    return out;
  }
  cluster_access access;
  access.server = "https://" + (host.find(':') == std::string::npos ? host : "[" + host + "]") + ":" + port;
  access.ca_file = root + service_account + "ca.crt";
  access.token_file = root + service_account + "token";
  for (const auto& fault : find_faults(access))
    out.errors.push_back("in-cluster access: " + fault);
  if (out.errors.empty())
    out.access = std::move(access);
  return out;
}

} // namespace sliceferry::k8s
