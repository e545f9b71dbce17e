#include "config/print_settings.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace sliceferry {

namespace {

void print_text(YAML::Emitter& out, const char* key, const std::string& value) {
  if (!value.empty())
    out << YAML::Key << key << YAML::Value << value;
}

void print_server(YAML::Emitter& out, const server_settings& server) {
  print_text(out, "kubeconfig", server.kubeconfig);
  print_text(out, "context", server.context);
  print_text(out, "url", server.url);
  print_text(out, "token_file", server.token_file);
  if (!server.ca_data.empty())
    out << YAML::Key << "ca_data" << YAML::Value << YAML::Literal << server.ca_data;
  print_text(out, "ca_file", server.ca_file);
  if (server.insecure_skip_tls_verify)
    print_text(out, "insecure_skip_tls_verify", "true");
  if (!server.headers.empty()) {
    out << YAML::Key << "headers" << YAML::Value << YAML::BeginMap;
    for (const auto& [name, value] : server.headers)
      out << YAML::Key << name << YAML::Value << "<hidden>";
    out << YAML::EndMap;
  }
  if (server.in_cluster)
    print_text(out, "in_cluster", "true");
  print_text(out, "qps", fmt::format("{}", server.qps));
  print_text(out, "burst", fmt::format("{}", server.burst));
}

void print_former_names(YAML::Emitter& out, const std::vector<former_name>& names) {
  if (names.empty())
    return;
  out << YAML::Key << "former_names" << YAML::Value << YAML::BeginSeq;
  for (const former_name& former : names) {
    out << YAML::BeginMap;
    print_text(out, "name", former.name);
    print_text(out, "namespace", former.hub_nspace);
    out << YAML::EndMap;
  }
  out << YAML::EndSeq;
}

void print_guard(YAML::Emitter& out, const guard_settings& guard) {
  out << YAML::Key << "guard" << YAML::Value << YAML::BeginMap;
  print_text(out, "share_percent", fmt::format("{}", guard.share_percent));
  print_text(out, "count", fmt::format("{}", guard.count));
  print_text(out, "window_seconds", fmt::format("{}", guard.window.count()));
  out << YAML::EndMap;
}

void print_journal(YAML::Emitter& out, const journal_settings& journal) {
  print_text(out, "data_dir", journal.data_dir);
  out << YAML::Key << "journal" << YAML::Value << YAML::BeginMap;
  print_text(out, "sync", journal.sync == journal_sync::durable ? "durable" : "relaxed");
  print_text(out, "retention_hours", fmt::format("{}", journal.retention.count()));
  print_text(out, "max_mib", fmt::format("{}", journal.max_mib));
  out << YAML::EndMap;
}

const char* name_of(log_format format) {
  switch (format) {
    case log_format::automatic:
      return "auto";
    case log_format::text:
      return "text";
    case log_format::json:
      return "json";
  }
  return "";
}

const char* name_of(log_level level) {
  switch (level) {
    case log_level::debug:
      return "debug";
    case log_level::info:
      return "info";
    case log_level::warning:
      return "warning";
    case log_level::error:
      return "error";
  }
  return "";
}

} // namespace

std::string print_settings(const settings& what) {
  YAML::Emitter out;
  out << YAML::BeginMap;
  out << YAML::Key << "members" << YAML::Value << YAML::BeginSeq;
  for (const member_settings& member : what.members) {
    out << YAML::BeginMap;
    print_text(out, "name", member.name);
    print_text(out, "namespace", member.hub_nspace);
    print_former_names(out, member.former_names);
    if (member.leave)
      print_text(out, "leave", "true");
    print_server(out, member.server);
    out << YAML::EndMap;
  }
  out << YAML::EndSeq;
  out << YAML::Key << "hub" << YAML::Value << YAML::BeginMap;
  print_server(out, what.hub);
  out << YAML::EndMap;
  print_text(out, "listen", what.listen);
  print_text(out, "refresh_resource_version", what.refresh_resource_version_always ? "always" : "on_change");
  print_text(out, "imports_namespace", what.imports_nspace);
  print_guard(out, what.guard);
  print_journal(out, what.journal);
  print_text(out, "orphan_grace_seconds", fmt::format("{}", what.orphan_grace.count()));
  print_text(out, "serving_fallback", what.serving_fallback ? "true" : "false");
  print_text(out, "shutdown_grace_seconds", fmt::format("{}", what.shutdown_grace.count()));
  out << YAML::Key << "log" << YAML::Value << YAML::BeginMap;
  print_text(out, "format", name_of(what.format));
  print_text(out, "level", name_of(what.level));
  out << YAML::EndMap << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

} // namespace sliceferry
