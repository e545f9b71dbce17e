#include "config/listen_address.hpp"
#include "config/nearest_name.hpp"
#include "config/settings_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

namespace sliceferry {

namespace {

constexpr std::size_t label_size_max = 63; // RFC 1123, as for every namespace's name
constexpr std::string_view nspace_prefix = "fleet-member-";

bool is_dns_label(std::string_view text) {
  const auto inner = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !text.empty() && text.size() <= label_size_max && std::all_of(text.begin(), text.end(), inner) &&
         text.front() != '-' && text.back() != '-';
}

class settings_judge {
public:
  settings_judge(const settings_draft& draft, const surroundings& around, setting_errors& errors)
    : draft_(draft), around_(around), errors_(errors) {}

  settings judge() {
    settings out;
    for (const member_draft& member : draft_.members)
      out.members.push_back(judge_member(member));
    if (draft_.members.empty() && draft_.whole)
      errors_.push_back({"--member-cluster", "no member cluster is named",
                         "give this flag, or MEMBER_CLUSTER_NAME, or members in the settings file"});
    out.hub = judge_server(draft_.hub, around_, errors_);
    if (!draft_.hub.has_way() && !draft_.hub.context && draft_.whole)
      errors_.push_back({"--hub-kubeconfig", "nothing says how to reach the hub",
                         "give this flag, or HUB_SERVER_URL, or hub in the settings file"});
    if (draft_.listen)
      out.listen = listen(*draft_.listen);
    out.format = choice("log format", draft_.log_format, out.format,
                        {{"auto", log_format::automatic}, {"text", log_format::text}, {"json", log_format::json}});
    out.level = choice("log level", draft_.log_level, out.level,
                       {{"debug", log_level::debug},
                        {"info", log_level::info},
                        {"warning", log_level::warning},
                        {"error", log_level::error}});
    out.refresh_resource_version_always = choice("refresh_resource_version", draft_.refresh_resource_version, false,
                                                 {{"on_change", false}, {"always", true}});
    if (draft_.imports_nspace)
      out.imports_nspace = nspace(*draft_.imports_nspace);
    out.guard.share_percent =
      number("guard.share_percent", draft_.guard_share_percent, out.guard.share_percent, {0, 100});
    out.guard.count = number("guard.count", draft_.guard_count, out.guard.count, {0, 1'000'000});
    out.guard.window = seconds("guard.window_seconds", draft_.guard_window_seconds, out.guard.window, {1, 86'400});
    out.journal = journal();
    out.orphan_grace = seconds("orphan_grace_seconds", draft_.orphan_grace_seconds, out.orphan_grace, {0, 86'400});
    out.serving_fallback = truth("serving_fallback", draft_.serving_fallback);
    out.shutdown_grace = seconds("shutdown_grace_seconds", draft_.shutdown_grace_seconds, out.shutdown_grace, {0, 600});
    return out;
  }

private:
  using way = std::tuple<std::string, std::string, std::string, bool>;

  member_settings judge_member(const member_draft& member) {
    member_settings out;
    out.server = judge_server(member.server, around_, errors_);
    if (!member.server.has_way() && !member.server.context)
      errors_.push_back({member.where, "nothing says how to reach this member", "set kubeconfig, url or in_cluster"});
    if (!member.name) {
      errors_.push_back({member.where, "this member has no name", "add \"name: NAME\""});
      return out;
    }
    out.name = name(*member.name, member.nspace.has_value());
    out.hub_nspace = member.nspace ? nspace(*member.nspace) : std::string(nspace_prefix) + out.name;
    const std::string& at = member.name->where;
    once(names_, out.name, at, fmt::format("member \"{}\" is named twice", out.name), "give each its own name");
    once(nspaces_, out.hub_nspace, member.nspace ? member.nspace->where : at,
         fmt::format("two members share the namespace \"{}\" on the hub", out.hub_nspace), "give each its own");
    for (const name_draft& former : member.former_names)
      out.former_names.push_back(judge_former(former));
    out.leave = truth("leave", member.leave);
    if (member.server.has_way())
      once(ways_, way{out.server.kubeconfig, out.server.context, out.server.url, out.server.in_cluster}, at,
           fmt::format("member \"{}\" is reached exactly as another one is", out.name),
           "say which cluster each of them is: kubeconfig, context or url");
    return out;
  }

  /// Exports under a name in use are never taken for somebody's former ones.
  former_name judge_former(const name_draft& former) {
    former_name out;
    if (!former.name) {
      errors_.push_back({former.where, "this former name has no name", "add \"name: NAME\""});
      return out;
    }
    out.name = name(*former.name, former.nspace.has_value());
    out.hub_nspace = former.nspace ? nspace(*former.nspace) : std::string(nspace_prefix) + out.name;
    const std::string& at = former.name->where;
    once(names_, out.name, at, fmt::format("\"{}\" names two members, now or before", out.name),
         "give each its own name");
    once(nspaces_, out.hub_nspace, former.nspace ? former.nspace->where : at,
         fmt::format("the namespace \"{}\" on the hub belongs to another name", out.hub_nspace), "give each its own");
    return out;
  }

  template <class Key>
  void once(std::map<Key, std::string>& seen, const Key& key, const std::string& at, const std::string& what,
            const std::string& advice) {
    const auto [first, fresh] = seen.emplace(key, at);
    if (!fresh)
      errors_.push_back({at, fmt::format("{} (first at {})", what, first->second), advice});
  }

  /// The name goes into each export's name and, unless `placed` elsewhere, into that of its namespace.
  std::string name(const sourced& value, bool placed) {
    const std::size_t size_max = placed ? label_size_max : label_size_max - nspace_prefix.size();
    if (!is_dns_label(value.text) || value.text.size() > size_max)
      error(value, fmt::format("\"{}\" is not a member's name", value.text),
            fmt::format("use lower-case letters, digits and inner dashes, at most {}", size_max));
    return value.text;
  }

  std::string nspace(const sourced& value) {
    if (!is_dns_label(value.text))
      error(value, fmt::format("\"{}\" is not a namespace", value.text),
            fmt::format("use lower-case letters, digits and inner dashes, at most {}", label_size_max));
    return value.text;
  }

  std::string listen(const sourced& value) {
    if (!parse_listen_address(value.text))
      error(value, fmt::format("\"{}\" is not an IP address and a port", value.text),
            "write 127.0.0.1:8080, or for all addresses 0.0.0.0:8080 or [::]:8080");
    return value.text;
  }

  journal_settings journal() {
    journal_settings out;
    if (draft_.data_dir)
      out.data_dir = draft_.data_dir->text;
    if (draft_.data_dir && out.data_dir.empty())
      error(*draft_.data_dir, "the data directory is empty", "name one, or leave this out to keep no journal");
    out.sync = choice("journal.sync", draft_.journal_sync, out.sync,
                      {{"durable", journal_sync::durable}, {"relaxed", journal_sync::relaxed}});
    out.retention = std::chrono::hours{number("journal.retention_hours", draft_.journal_retention_hours,
                                              static_cast<unsigned>(out.retention.count()), {0, 87'600})};
    out.max_mib =
      number("journal.max_mib", draft_.journal_max_mib, static_cast<unsigned>(out.max_mib), {64, 1'048'576});
    return out;
  }

  struct range {
    unsigned least;
    unsigned most;
  };

  unsigned number(const char* name, const draft_value& value, unsigned otherwise, range allowed) {
    if (!value)
      return otherwise;
    unsigned out = 0;
    const char* last = value->text.data() + value->text.size();
    const auto [end, problem] = std::from_chars(value->text.data(), last, out);
    if (problem == std::errc{} && end == last && out >= allowed.least && out <= allowed.most)
      return out;
    error(*value, fmt::format("{}: \"{}\" is not possible", name, value->text),
          fmt::format("give a whole number, {} to {}", allowed.least, allowed.most));
    return otherwise;
  }

  std::chrono::seconds seconds(const char* name, const draft_value& value, std::chrono::seconds otherwise,
                               range allowed) {
    return std::chrono::seconds{number(name, value, static_cast<unsigned>(otherwise.count()), allowed)};
  }

  bool truth(const char* name, const draft_value& value) {
    return choice(name, value, false, {{"false", false}, {"true", true}});
  }

  template <class T>
  T choice(const char* name, const draft_value& value, T otherwise,
           const std::vector<std::pair<std::string, T>>& choices) {
    if (!value)
      return otherwise;
    std::vector<std::string> known;
    for (const auto& [word, chosen] : choices) {
      if (word == value->text)
        return chosen;
      known.push_back(word);
    }
    error(*value, fmt::format("{}: \"{}\" is no choice", name, value->text), nearest_name_advice(value->text, known));
    return otherwise;
  }

  void error(const sourced& value, std::string what, std::string advice) {
    errors_.push_back({value.where, std::move(what), std::move(advice)});
  }

  const settings_draft& draft_;
  const surroundings& around_;
  setting_errors& errors_;
  std::map<std::string, std::string> names_;
  std::map<std::string, std::string> nspaces_;
  std::map<way, std::string> ways_;
};

} // namespace

settings judge_settings(const settings_draft& draft, const surroundings& around, setting_errors& errors) {
  return settings_judge{draft, around, errors}.judge();
}

} // namespace sliceferry
