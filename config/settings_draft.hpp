#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry {

/// A value as it was written, and where: what is found wrong with it later can be shown there.
struct sourced {
  std::string text;
  std::string where;
};
using draft_value = std::optional<sourced>;

/// How one API server is reached, as far as the sources told.
struct server_draft {
  draft_value kubeconfig, context;
  draft_value url, token_file, ca_data, ca_file, insecure_skip_tls_verify;
  std::vector<std::pair<std::string, sourced>> headers; ///< in order; a name may come twice
  draft_value in_cluster;
  draft_value qps, burst;

  bool has_way() const { return kubeconfig || url || (in_cluster && in_cluster->text != "false"); }
};

/// A name of a member, now or before, and its namespace on the hub.
struct name_draft {
  draft_value name, nspace;
  std::string where;
};

struct member_draft {
  draft_value name, nspace;
  server_draft server;
  std::string where;
  std::vector<name_draft> former_names{};
  draft_value leave{};
};

/// Settings before they are judged: the file's, overlaid by the environment's and the flags'.
struct settings_draft {
  std::vector<member_draft> members;
  server_draft hub;
  draft_value listen, log_format, log_level, refresh_resource_version, imports_nspace, shutdown_grace_seconds;
  draft_value guard_share_percent, guard_count, guard_window_seconds, orphan_grace_seconds, serving_fallback;
  draft_value data_dir, journal_sync, journal_retention_hours, journal_max_mib;
  bool whole = true; ///< false: a source was lost, so what is missing may have stood there
};

} // namespace sliceferry
