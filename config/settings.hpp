#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sliceferry {

/// How to reach one API server, and how hard it may be asked. Of `kubeconfig`, `url` and
/// `in_cluster` exactly one is set.
struct server_settings {
  std::string kubeconfig; ///< a file, or several separated by ':' and merged as kubectl does
  std::string context;    ///< of the kubeconfig; empty: its current-context

  std::string url;                            ///< reached directly; what follows belongs to it
  std::string token_file;                     ///< holds a bearer token; empty: anonymous
  std::string ca_data;                        ///< PEM; wins over `ca_file`
  std::string ca_file;                        ///< PEM; without any CA the system's store counts
  bool insecure_skip_tls_verify = false;      ///< never together with a CA (AU15)
  std::map<std::string, std::string> headers; ///< sent with each request; none that we set ourselves (AU26)

  bool in_cluster = false; ///< the service account of the pod that we run in

  double qps = 200;   ///< requests per second in the long run, > 0
  double burst = 400; ///< requests at once after a quiet time, ≥ 1

  bool operator==(const server_settings&) const = default;
};

/// A name that a member had before: its exports of that time lie under this cluster id in this namespace.
struct former_name {
  std::string name;
  std::string hub_nspace; ///< `fleet-member-<name>` unless set

  bool operator==(const former_name&) const = default;
};

/// One member cluster: its name is also its cluster id in every export.
struct member_settings {
  std::string name; ///< DNS-1123 label such that `fleet-member-<name>` is one too
  server_settings server;
  std::string hub_nspace;                  ///< where its exports live on the hub; `fleet-member-<name>` unless set
  std::vector<former_name> former_names{}; ///< none is the name or namespace of a member, and none comes twice
  bool leave = false;                      ///< it leaves the fleet: all its exports are withdrawn

  bool operator==(const member_settings&) const = default;
};

enum class log_format {
  automatic, ///< text on a terminal, else JSON
  text,
  json,
};

enum class log_level { debug, info, warning, error };

/// When withdrawals that rest on an absence are doubted: more of them within `window` than both limits allow.
struct guard_settings {
  unsigned share_percent = 30; ///< of the member's exports, 0 to 100; 100 never doubts
  unsigned count = 50;
  std::chrono::seconds window{60}; ///< at least 1 s

  bool operator==(const guard_settings&) const = default;
};

/// When an event counts as kept.
enum class journal_sync {
  durable, ///< once it survives a loss of power
  relaxed, ///< once the kernel has it: a crash of the program loses nothing, one of the machine up to a second
};

/// What every slice's life is written to; without a directory nothing is, and only history and warmth are missing.
struct journal_settings {
  std::string data_dir; ///< made if it isn't there; of one process at a time. Empty: no journal
  journal_sync sync = journal_sync::durable;
  std::chrono::hours retention{168}; ///< how long history is kept, as far as `max_mib` allows
  std::uint64_t max_mib = 4096;      ///< what the log may take on the disk, at least 64; snapshots come on top

  bool operator==(const journal_settings&) const = default;
};

/// All that can be set, complete and valid: whoever holds one need not check it again.
struct settings {
  std::vector<member_settings> members; ///< at least one; names and hub namespaces are unique
  server_settings hub;
  std::string listen = "127.0.0.1:8080"; ///< address:port, an IPv6 address in brackets; port 0: any free one
  log_format format = log_format::automatic;
  log_level level = log_level::info;
  bool refresh_resource_version_always = false; ///< the Go agent's way: an export is rewritten for metadata changes too
  std::string imports_nspace = "fleet-system";  ///< slices here are imported ones and never exported
  guard_settings guard;                         ///< of each member
  std::chrono::seconds orphan_grace{0};         ///< how long an export whose slice isn't there is left alone
  bool serving_fallback = false;                ///< without a ready endpoint, those that serve while terminating
  journal_settings journal;
  std::chrono::seconds shutdown_grace{8}; ///< how long a stop waits for the writes in flight

  bool operator==(const settings&) const = default;
};

} // namespace sliceferry
