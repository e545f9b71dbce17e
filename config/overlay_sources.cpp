#include "config/nearest_name.hpp"
#include "config/settings_sources.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sliceferry {

namespace {

draft_value from_flag(const std::optional<std::string>& value, const char* name) {
  return value ? draft_value{{*value, name}} : std::nullopt;
}

/// A variable that is set to nothing counts as unset, as in the Go agent.
draft_value from_variable(const surroundings& around, const std::string& name) {
  const std::optional<std::string> value = around.variable(name);
  return value && !value->empty() ? draft_value{{*value, "$" + name}} : std::nullopt;
}

void overlay(draft_value& field, draft_value stronger) {
  if (stronger)
    field = std::move(stronger);
}

/// Forgets how the server was to be reached; a stronger source says it anew.
void forget_way(server_draft& server) {
  draft_value qps = std::move(server.qps);
  draft_value burst = std::move(server.burst);
  server = {};
  server.qps = std::move(qps);
  server.burst = std::move(burst);
}

void overlay_kubeconfig(server_draft& server, draft_value kubeconfig, draft_value context) {
  if (kubeconfig || (context && !server.kubeconfig))
    forget_way(server);
  overlay(server.kubeconfig, std::move(kubeconfig));
  overlay(server.context, std::move(context));
}

/// Lines of `Name: value`, as the Go agent reads them.
void read_header_lines(const sourced& lines, server_draft& server, setting_errors& errors) {
  server.headers.clear();
  for (std::size_t begin = 0; begin < lines.text.size();) {
    const std::size_t end = std::min(lines.text.find('\n', begin), lines.text.size());
    std::string line = lines.text.substr(begin, end - begin);
    begin = end + 1;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
      line.pop_back();
    if (line.empty())
      continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) {
      errors.push_back({lines.where, "a line has no colon", "write each header as \"Name: value\""});
      continue;
    }
    const std::size_t value = std::min(line.find_first_not_of(" \t", colon + 1), line.size());
    server.headers.emplace_back(line.substr(0, colon), sourced{line.substr(value), lines.where});
  }
}

void overlay_hub_environment(server_draft& hub, const surroundings& around, setting_errors& errors) {
  if (draft_value url = from_variable(around, "HUB_SERVER_URL")) {
    hub.kubeconfig = hub.context = hub.in_cluster = std::nullopt;
    hub.url = std::move(url);
  }
  if (!hub.url)
    return; // The others belong to a URL.
  overlay(hub.token_file, from_variable(around, "CONFIG_PATH"));
  if (draft_value ca = from_variable(around, "HUB_CERTIFICATE_AUTHORITY")) {
    hub.ca_file.reset();
    hub.ca_data = std::move(ca);
  }
  if (const draft_value headers = from_variable(around, "HUB_KUBE_HEADER"))
    read_header_lines(*headers, hub, errors);
}

/// Leaves the one member that is named, or adds it where no file lists any.
void pick_member(settings_draft& draft, const sourced& name, setting_errors& errors) {
  std::vector<std::string> known;
  for (const member_draft& member : draft.members) {
    if (member.name && member.name->text == name.text) {
      draft.members = std::vector<member_draft>{member};
      return;
    }
    if (member.name)
      known.push_back(member.name->text);
  }
  if (draft.members.empty()) {
    draft.members.push_back({name, {}, {}, name.where});
    return;
  }
  errors.push_back({name.where, fmt::format("the settings file lists members, but not \"{}\"", name.text),
                    nearest_name_advice(name.text, known)});
  draft.members.clear();
  draft.whole = false;
}

void overlay_members(settings_draft& draft, const setting_flags& flags, setting_errors& errors) {
  for (member_draft& member : draft.members) {
    overlay(member.server.qps, from_flag(flags.member_qps, "--member-qps"));
    overlay(member.server.burst, from_flag(flags.member_burst, "--member-burst"));
  }
  draft_value kubeconfig = from_flag(flags.member_kubeconfig, "--member-kubeconfig");
  draft_value context = from_flag(flags.member_context, "--member-context");
  draft_value nspace = from_flag(flags.hub_namespace, "--hub-namespace");
  if (draft.members.size() > 1) {
    for (const draft_value* one : {&kubeconfig, &context, &nspace}) {
      if (*one)
        errors.push_back({(*one)->where, fmt::format("it is for one member, and there are {}", draft.members.size()),
                          "pick one with --member-cluster"});
    }
  } else if (draft.members.size() == 1) {
    overlay_kubeconfig(draft.members[0].server, std::move(kubeconfig), std::move(context));
    overlay(draft.members[0].nspace, std::move(nspace));
  }
}

/// A context alone is one of the kubeconfig that kubectl would use.
void fill_in_way(server_draft& server, const surroundings& around) {
  if (server.has_way())
    return;
  overlay(server.kubeconfig, from_variable(around, "KUBECONFIG"));
  if (server.kubeconfig || !server.context)
    return;
  if (const draft_value home = from_variable(around, "HOME"))
    server.kubeconfig = sourced{home->text + "/.kube/config", server.context->where};
}

} // namespace

void overlay_sources(settings_draft& draft, const setting_flags& flags, const surroundings& around,
                     setting_errors& errors) {
  overlay_hub_environment(draft.hub, around, errors);
  overlay_kubeconfig(draft.hub, from_flag(flags.hub_kubeconfig, "--hub-kubeconfig"),
                     from_flag(flags.hub_context, "--hub-context"));
  overlay(draft.hub.qps, from_flag(flags.hub_qps, "--hub-qps"));
  overlay(draft.hub.burst, from_flag(flags.hub_burst, "--hub-burst"));

  draft_value name = from_variable(around, "MEMBER_CLUSTER_NAME");
  overlay(name, from_flag(flags.member_cluster, "--member-cluster"));
  if (name && draft.whole)
    pick_member(draft, *name, errors);
  overlay_members(draft, flags, errors);

  if (draft.hub.context)
    fill_in_way(draft.hub, around);
  for (member_draft& member : draft.members) {
    fill_in_way(member.server, around);
    if (!member.server.has_way() && !member.server.context && !member.server.in_cluster)
      member.server.in_cluster = sourced{"true", member.where};
  }

  overlay(draft.listen, from_flag(flags.listen, "--listen"));
  overlay(draft.data_dir, from_flag(flags.data_dir, "--data-dir"));
  overlay(draft.refresh_resource_version, from_flag(flags.refresh_resource_version, "--refresh-resource-version"));
  overlay(draft.log_format, from_flag(flags.log_format, "--log-format"));
  overlay(draft.log_level, from_flag(flags.log_level, "--log-level"));
}

} // namespace sliceferry
