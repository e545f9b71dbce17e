#include "config/setting_flags.hpp"

namespace sliceferry {

std::span<const flag> known_flags() {
  static constexpr flag flags[] = {
    {"--config", "FILE", "settings as YAML (default: none)", &setting_flags::config},
    {"--member-cluster", "NAME", "the one member to serve; also its cluster id (default: those of the file)",
     &setting_flags::member_cluster},
    {"--member-kubeconfig", "FILE", "how to reach that member (default: $KUBECONFIG, else the pod's service account)",
     &setting_flags::member_kubeconfig},
    {"--member-context", "NAME", "context of its kubeconfig (default: current-context)",
     &setting_flags::member_context},
    {"--hub-kubeconfig", "FILE", "how to reach the hub (default: $HUB_SERVER_URL)", &setting_flags::hub_kubeconfig},
    {"--hub-context", "NAME", "context of its kubeconfig, alone: of $KUBECONFIG (default: current-context)",
     &setting_flags::hub_context},
    {"--hub-namespace", "NS", "the member's namespace on the hub (default: fleet-member-NAME)",
     &setting_flags::hub_namespace},
    {"--data-dir", "DIR", "where the journal is kept, of one process alone (default: none, no journal)",
     &setting_flags::data_dir},
    {"--listen", "ADDR:PORT", "probes, metrics, questions and orders (default: 127.0.0.1:8080)",
     &setting_flags::listen},
    {"--hub-qps", "N", "requests a second to the hub (default: 200)", &setting_flags::hub_qps},
    {"--hub-burst", "N", "requests at once to the hub (default: 400)", &setting_flags::hub_burst},
    {"--member-qps", "N", "requests a second to each member (default: 200)", &setting_flags::member_qps},
    {"--member-burst", "N", "requests at once to each member (default: 400)", &setting_flags::member_burst},
    {"--refresh-resource-version", "WHEN",
     "on_change, or always: rewrite an export for metadata changes too (default: on_change)",
     &setting_flags::refresh_resource_version},
    {"--log-format", "FORMAT", "text, json, or auto: text on a terminal (default: auto)", &setting_flags::log_format},
    {"--log-level", "LEVEL", "debug, info, warning or error (default: info)", &setting_flags::log_level},
  };
  return flags;
}

} // namespace sliceferry
