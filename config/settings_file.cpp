#include "config/nearest_name.hpp"
#include "config/settings_sources.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

namespace sliceferry {

namespace {

using handler = std::function<void(const YAML::Node&)>;
using handlers = std::vector<std::pair<std::string, handler>>;

class settings_file {
public:
  settings_file(const std::string& path, setting_errors& errors)
    : path_(path), folder_(std::filesystem::path(path).parent_path()), errors_(errors) {}

  settings_draft read(const std::string& text) {
    settings_draft draft;
    try {
      const std::vector<YAML::Node> documents = YAML::LoadAll(text);
      if (documents.size() > 1)
        error(documents[1], "a second document begins", "keep all settings in one");
      if (!documents.empty() && !documents[0].IsNull())
        root(documents[0], draft);
    } catch (const YAML::Exception& broken) {
      errors_.push_back({where(broken.mark), "not valid YAML: " + broken.msg, "correct the file"});
      draft.whole = false;
    }
    return draft;
  }

private:
  void root(const YAML::Node& node, settings_draft& draft) {
    mapping(node, {
                    {"members", [&](const YAML::Node& list) { members(list, draft); }},
                    {"hub", [&](const YAML::Node& hub) { mapping(hub, server_keys(draft.hub)); }},
                    {"listen", scalar(draft.listen)},
                    {"refresh_resource_version", scalar(draft.refresh_resource_version)},
                    {"imports_namespace", scalar(draft.imports_nspace)},
                    {"guard",
                     [&](const YAML::Node& guard) {
                       mapping(guard, {{"share_percent", scalar(draft.guard_share_percent)},
                                       {"count", scalar(draft.guard_count)},
                                       {"window_seconds", scalar(draft.guard_window_seconds)}});
                     }},
                    {"data_dir", file(draft.data_dir)},
                    {"journal",
                     [&](const YAML::Node& journal) {
                       mapping(journal, {{"sync", scalar(draft.journal_sync)},
                                         {"retention_hours", scalar(draft.journal_retention_hours)},
                                         {"max_mib", scalar(draft.journal_max_mib)}});
                     }},
                    {"orphan_grace_seconds", scalar(draft.orphan_grace_seconds)},
                    {"serving_fallback", scalar(draft.serving_fallback)},
                    {"shutdown_grace_seconds", scalar(draft.shutdown_grace_seconds)},
                    {"log",
                     [&](const YAML::Node& log) {
                       mapping(log, {{"format", scalar(draft.log_format)}, {"level", scalar(draft.log_level)}});
                     }},
                  });
  }

  void members(const YAML::Node& list, settings_draft& draft) {
    if (!list.IsSequence())
      return error(list, "members is not a list", "begin each member with \"- name: NAME\"");
    for (const YAML::Node& node : list) {
      member_draft& member = draft.members.emplace_back();
      member.where = where(node.Mark());
      handlers keys = server_keys(member.server);
      keys.insert(keys.begin(),
                  {{"name", scalar(member.name)},
                   {"namespace", scalar(member.nspace)},
                   {"former_names", [&](const YAML::Node& names) { former_names(names, member.former_names); }},
                   {"leave", scalar(member.leave)}});
      mapping(node, keys);
    }
  }

  void former_names(const YAML::Node& list, std::vector<name_draft>& names) {
    if (!list.IsSequence())
      return error(list, "former_names is not a list", "begin each with \"- name: NAME\"");
    for (const YAML::Node& node : list) {
      name_draft& name = names.emplace_back();
      name.where = where(node.Mark());
      mapping(node, {{"name", scalar(name.name)}, {"namespace", scalar(name.nspace)}});
    }
  }

  handlers server_keys(server_draft& server) {
    return {
      {"kubeconfig", file_list(server.kubeconfig)},
      {"context", scalar(server.context)},
      {"url", scalar(server.url)},
      {"token_file", file(server.token_file)},
      {"ca_data", scalar(server.ca_data)},
      {"ca_file", file(server.ca_file)},
      {"insecure_skip_tls_verify", scalar(server.insecure_skip_tls_verify)},
      {"headers", [this, &server](const YAML::Node& node) { headers(node, server); }},
      {"in_cluster", scalar(server.in_cluster)},
      {"qps", scalar(server.qps)},
      {"burst", scalar(server.burst)},
    };
  }

  void headers(const YAML::Node& node, server_draft& server) {
    if (!node.IsMap())
      return error(node, "headers is not a mapping", "write \"Name: value\" lines below it");
    for (const auto& entry : node) {
      draft_value value;
      read_scalar(entry.second, value);
      if (value)
        server.headers.emplace_back(entry.first.Scalar(), sourced{value->text, where(entry.first.Mark())});
    }
  }

  void mapping(const YAML::Node& node, const handlers& known) {
    if (!node.IsMap())
      return error(node, "this is not a mapping",
                   fmt::format("write settings such as \"{}: …\" below it, or remove it", known.front().first));
    std::set<std::string> seen;
    for (const auto& entry : node) {
      const std::string& key = entry.first.Scalar();
      if (!seen.insert(key).second) {
        error(entry.first, fmt::format("\"{}\" is set twice", key), "remove one of them");
        continue;
      }
      const handler* found = find(known, key);
      if (!found)
        error(entry.first, fmt::format("unknown setting \"{}\"", key), nearest_name_advice(key, names(known)));
      else if (entry.second.IsNull()) // Its own place would be that of whatever comes next.
        error(entry.first, fmt::format("\"{}\" has no value", key), "give one, or remove the line");
      else
        (*found)(entry.second);
    }
  }

  static const handler* find(const handlers& known, const std::string& key) {
    for (const auto& [name, handle] : known) {
      if (name == key)
        return &handle;
    }
    return nullptr;
  }

  static std::vector<std::string> names(const handlers& known) {
    std::vector<std::string> out;
    for (const auto& entry : known)
      out.push_back(entry.first);
    return out;
  }

  handler scalar(draft_value& field) {
    return [this, &field](const YAML::Node& node) { read_scalar(node, field); };
  }

  handler file(draft_value& field) {
    return [this, &field](const YAML::Node& node) {
      read_scalar(node, field);
      if (field)
        field->text = from_folder(field->text);
    };
  }

  handler file_list(draft_value& field) {
    return [this, &field](const YAML::Node& node) {
      read_scalar(node, field);
      if (!field)
        return;
      std::string resolved;
      for (std::size_t begin = 0; begin <= field->text.size();) {
        const std::size_t end = std::min(field->text.find(':', begin), field->text.size());
        if (end > begin)
          resolved += (resolved.empty() ? "" : ":") + from_folder(field->text.substr(begin, end - begin));
        begin = end + 1;
      }
      field->text = resolved;
    };
  }

  void read_scalar(const YAML::Node& node, draft_value& field) {
    if (!node.IsScalar() || node.Scalar().empty())
      return error(node, node.IsScalar() ? "the value is empty" : "this is not a single value",
                   "give one, or remove the line");
    field = sourced{node.Scalar(), where(node.Mark())};
  }

  std::string from_folder(const std::string& path) const { return (folder_ / path).lexically_normal().string(); }

  std::string where(const YAML::Mark& mark) const {
    if (mark.is_null())
      return path_;
    return fmt::format("{}:{}:{}", path_, mark.line + 1, mark.column + 1);
  }

  void error(const YAML::Node& node, std::string what, std::string advice) {
    errors_.push_back({where(node.Mark()), std::move(what), std::move(advice)});
  }

  const std::string path_;
  const std::filesystem::path folder_;
  setting_errors& errors_;
};

} // namespace

settings_draft read_settings_file(const std::string& path, const std::string& text, setting_errors& errors) {
  return settings_file{path, errors}.read(text);
}

} // namespace sliceferry
