#include "actors/server_access.hpp"

#include "k8s/access_check.hpp"
#include "k8s/in_cluster.hpp"
#include "k8s/kubeconfig.hpp"

#include <cstdlib>
#include <optional>
#include <sstream>

namespace sliceferry {

namespace {

k8s::kubeconfig_choice choice_of(const server_settings& chosen) {
  k8s::kubeconfig_choice choice;
  choice.context = chosen.context;
  std::istringstream files(chosen.kubeconfig);
  for (std::string file; std::getline(files, file, ':');)
    if (!file.empty())
      choice.files.push_back(file);
  return choice;
}

k8s::access_or_errors direct(const server_settings& chosen) {
  k8s::cluster_access access;
  access.server = chosen.url;
  access.token_file = chosen.token_file;
  access.ca_data = chosen.ca_data;
  access.ca_file = chosen.ca_file;
  access.insecure_skip_verify = chosen.insecure_skip_tls_verify;
  access.headers = chosen.headers;
  auto faults = k8s::find_faults(access);
  if (!faults.empty())
    return {std::nullopt, std::move(faults)};
  return {std::move(access), {}};
}

std::optional<std::string> variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value ? std::optional<std::string>(value) : std::nullopt;
}

k8s::access_or_errors access_to(const server_settings& chosen) {
  if (chosen.in_cluster)
    return k8s::load_in_cluster(variable);
  return chosen.url.empty() ? k8s::load_kubeconfig(choice_of(chosen)) : direct(chosen);
}

} // namespace

server_access find_access(const settings& chosen) {
  server_access out;
  const auto find = [&](const std::string& who, const server_settings& how, k8s::cluster_access& into) {
    auto found = access_to(how);
    if (found.access)
      into = std::move(*found.access);
    for (const auto& error : found.errors)
      out.errors.push_back(who + ": " + error);
  };
  find("hub", chosen.hub, out.hub);
  for (const auto& member : chosen.members)
    find("member " + member.name, member.server, out.members[member.name]);
  return out;
}

} // namespace sliceferry
