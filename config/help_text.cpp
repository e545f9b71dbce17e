#include "config/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sliceferry {

namespace {

constexpr const char* before_flags =
  R"(Sliceferry mirrors the EndpointSlices of exported Services from member clusters into a hub cluster.

Usage:
  sliceferry run [flags]      mirror until stopped by SIGTERM or SIGINT
  sliceferry check [flags]    judge the settings, list every error, show what counts; contacts no cluster
  sliceferry guard status     of each member, how many withdrawals the running program holds back, and why
  sliceferry guard allow MEMBER
                              they are meant: the running program withdraws what it holds back of this member
  sliceferry leave MEMBER     the running program withdraws all exports of this member and makes no more until it is
                              started anew; this command ends when the hub holds none
  sliceferry explain NAMESPACE/NAME [--member MEMBER] [-o json]
                              why a slice is or isn't exported: each rule with its evidence, the hub's objects, what is
                              owed; asks the running program or, where none runs, the clusters
  sliceferry history NAMESPACE/NAME [--since 10m] [--member MEMBER] [-o json]
                              what the journal tells of a slice, through all its re-creations
  sliceferry history --since 10m [--member MEMBER] [-o json]
                              what the journal tells of that time; --after POSITION: what it tells beyond that position
  sliceferry replay [--member MEMBER] [-o json]
                              folds the journal's events anew, from the start and from its snapshot, and compares
  sliceferry diff [--member MEMBER] [-o json]
                              what differs between the clusters as they are and as they should be; writes nothing
  sliceferry version          print the version
  sliceferry help             print this text

Examples:
  # Beside the hub, for all members that a file lists
  sliceferry run --config sliceferry.yaml

  # In a member cluster, as the pod's service account
  sliceferry run --member-cluster prod-1 --hub-kubeconfig /etc/sliceferry/hub.kubeconfig

  # From a desk, with two contexts of one kubeconfig
  sliceferry run --member-cluster prod-1 --member-context prod-1 --hub-context hub

  # What is wrong with a file, all at once
  sliceferry check --config sliceferry.yaml

  # Why is this slice not exported? Asked on the machine of the program that serves its member
  sliceferry explain shop/web-x2x7k

  # What would this program change, were it run beside the Go agent?
  sliceferry diff --member-cluster prod-1 --hub-kubeconfig hub.kubeconfig

  # A member leaves the fleet; said on the machine of the program that serves it, which listens on port 9090
  sliceferry leave prod-1 --listen 127.0.0.1:9090

Flags (stronger than the environment, which is stronger than the file):
)";

constexpr const char* after_flags = R"(
Environment (the first five as for the Go agent; the last three of them belong to a URL of the hub):
  MEMBER_CLUSTER_NAME        the one member to serve, like --member-cluster
  HUB_SERVER_URL             https://HOST:PORT of the hub
  CONFIG_PATH                file with a bearer token for the hub, read again when it changes
  HUB_CERTIFICATE_AUTHORITY  certificates that vouch for the hub, PEM or base64 of it
  HUB_KUBE_HEADER            more headers for requests to the hub, "Name: value" lines
  KUBECONFIG                 for a member, or a context, that no kubeconfig is named for

Exit codes:
  0  stopped as asked; the settings are right; what was asked is done or answered; nothing differs
  1  failed while starting or running; the running program wasn't found or refused; diff or replay found a difference
  2  the command line or the settings are wrong
)";

} // namespace

std::string help_text() {
  std::size_t width = 0;
  for (const flag& known : known_flags())
    width = std::max(width, std::string_view(known.name).size() + 1 + std::string_view(known.value).size());
  std::string out = before_flags;
  for (const flag& known : known_flags())
    out += fmt::format("  {:<{}}  {}\n", fmt::format("{} {}", known.name, known.value), width, known.what);
  out += fmt::format("  {:<{}}  print this text\n", "-h, --help", width);
  return out + after_flags;
}

} // namespace sliceferry
