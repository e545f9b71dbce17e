#include "test/storm/server/discovery.hpp"

#include "test/storm/server/json_text.hpp"

#include <algorithm>

namespace sliceferry::storm {

namespace {

std::string quoted_list(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const auto& one : texts) {
    out.append(&one == &texts.front() ? "" : ",");
    append_string(out, one);
  }
  return out + "]";
}

/// The groups in the order of their first kinds, each once; the core group isn't one of them.
std::vector<std::string> groups_of(const kind_table& kinds) {
  std::vector<std::string> out;
  for (const auto& kind : kinds.all())
    if (!kind->group.empty() && std::find(out.begin(), out.end(), kind->group) == out.end())
      out.push_back(kind->group);
  return out;
}

/// Newest first: `v1` before `v1beta1` before `v1alpha1`.
std::vector<std::string> versions_of(const kind_table& kinds, std::string_view group) {
  std::vector<std::string> out;
  for (const auto& kind : kinds.all())
    for (const auto& each : kind->versions)
      if (kind->group == group && std::find(out.begin(), out.end(), each.version) == out.end())
        out.push_back(each.version);
  const auto rank = [](const std::string& version) {
    return version.find("alpha") != std::string::npos ? 2 : version.find("beta") != std::string::npos ? 1 : 0;
  };
  std::stable_sort(out.begin(), out.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return out;
}

std::string group_members(const kind_table& kinds, const std::string& group) {
  std::string versions;
  std::string preferred;
  for (const auto& version : versions_of(kinds, group)) {
    const std::string one = R"({"groupVersion":")" + group + "/" + version + R"(","version":")" + version + "\"}";
    preferred = preferred.empty() ? one : preferred;
    versions.append(versions.empty() ? "" : ",").append(one);
  }
  return R"("name":")" + group + R"(","versions":[)" + versions + R"(],"preferredVersion":)" + preferred;
}

std::string resource_entry(const resource_kind& kind) {
  std::string out = R"({"name":")" + kind.plural + R"(","singularName":")" + kind.singular + R"(","namespaced":)" +
                    (kind.namespaced ? "true" : "false") + R"(,"kind":")" + kind.kind + R"(","verbs":)";
  const bool collects = kind.how != resource_kind::rules::nspace;
  out += kind.terminating ? R"(["delete","deletecollection","get","list","watch"])"
         : kind.custom    ? R"(["delete","deletecollection","get","list","patch","create","update","watch"])"
         : collects       ? R"(["create","delete","deletecollection","get","list","patch","update","watch"])"
                          : R"(["create","delete","get","list","patch","update","watch"])";
  if (!kind.short_names.empty())
    out += R"(,"shortNames":)" + quoted_list(kind.short_names);
  if (!kind.categories.empty())
    out += R"(,"categories":)" + quoted_list(kind.categories);
  return out + "}";
}

std::string subresource_entry(const resource_kind& kind, const char* name, const char* verbs) {
  return R"({"name":")" + kind.plural + "/" + name + R"(","singularName":"","namespaced":)" +
         (kind.namespaced ? "true" : "false") + R"(,"kind":")" + kind.kind + R"(","verbs":)" + verbs + "}";
}

std::optional<std::string> resource_list(const kind_table& kinds, const api_path& path) {
  std::string entries;
  const auto add = [&](const std::string& one) { entries.append(entries.empty() ? "" : ",").append(one); };
  for (const auto& kind : kinds.all()) {
    if (kind->group != path.group || !kinds.find(path.group, path.version, kind->plural).kind)
      continue;
    add(resource_entry(*kind));
    if (kind->how == resource_kind::rules::nspace)
      add(subresource_entry(*kind, "finalize", R"(["update"])"));
    if (kind->status_subresource)
      add(subresource_entry(*kind, "status", R"(["get","patch","update"])"));
  }
  if (entries.empty())
    return std::nullopt;
  const std::string group = path.group.empty() ? std::string{} : std::string{path.group} + "/";
  return R"({"kind":"APIResourceList","apiVersion":"v1","groupVersion":")" + group + std::string{path.version} +
         R"(","resources":[)" + entries + "]}\n";
}

} // namespace

std::optional<std::string> discovery_document(const kind_table& kinds, const api_path& path) {
  if (!path.version.empty())
    return resource_list(kinds, path);
  if (path.path.starts_with("/apis") && !path.group.empty()) {
    const auto groups = groups_of(kinds);
    const std::string group{path.group};
    if (std::find(groups.begin(), groups.end(), group) == groups.end())
      return std::nullopt;
    return R"({"kind":"APIGroup","apiVersion":"v1",)" + group_members(kinds, group) + "}\n";
  }
  if (!path.path.starts_with("/apis"))
    return R"({"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[]})"
           "\n";
  std::string groups;
  for (const auto& group : groups_of(kinds))
    groups.append(groups.empty() ? "{" : ",{").append(group_members(kinds, group)).append("}");
  return R"({"kind":"APIGroupList","apiVersion":"v1","groups":[)" + groups + "]}\n";
}

std::string version_document() {
  return R"({"major":"1","minor":"36","gitVersion":"v1.36.3-simulated","gitCommit":"","gitTreeState":"",)"
         R"("buildDate":"1970-01-01T00:00:00Z","goVersion":"","compiler":"","platform":"linux/amd64"})"
         "\n";
}

} // namespace sliceferry::storm
