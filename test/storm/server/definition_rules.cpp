#include "test/storm/server/definition_rules.hpp"

#include "test/storm/server/json_text.hpp"

#include <algorithm>
#include <tuple>

namespace sliceferry::storm {

void prepare_definition(const resource_kind& kind, proposal& wanted) {
  const auto* spec = wanted.values[kind.member_index("spec")];
  const auto* names = find(spec, "names");
  std::string versions;
  if (const auto* all = find(spec, "versions"); all && all->is_array())
    for (const auto& each : all->get_array())
      if (const auto* stored = find(&each, "storage"); stored && stored->is_bool() && stored->get_bool())
        versions = quoted(text_of(&each, "name"));
  std::string status = R"({"acceptedNames":)";
  status += names ? to_text(*names) : "{}";
  status += R"(,"conditions":[)"
            R"({"message":"no conflicts found","reason":"NoConflicts","status":"True","type":"NamesAccepted"},)"
            R"({"message":"the initial names have been accepted","reason":"InitialNamesAccepted","status":"True",)"
            R"("type":"Established"}],"storedVersions":[)";
  wanted.set_text(kind.member_index("status"), status + versions + "]}");
}

std::string terminating_status(std::string_view status, const std::string& stamp) {
  auto read = read_json(status);
  if (!read.value || !read.value->is_object())
    return std::string{status};
  auto& conditions = read.value->get_object()["conditions"];
  if (!conditions.is_array())
    conditions.emplace_array();
  conditions.get_array().push_back({{"type", "Terminating"},
                                    {"status", "True"},
                                    {"lastTransitionTime", stamp},
                                    {"reason", "InstanceDeletionInProgress"},
                                    {"message", "CustomResource deletion is in progress"}});
  return to_text(*read.value);
}

void check_definition(const proposal& wanted, field_errors& errors) {
  const auto* spec = wanted.values[0];
  if (!wanted.given[0])
    return;
  const auto* names = find(spec, "names");
  for (const auto& [in, name, path] : {std::tuple{spec, "group", "spec.group"},
                                       {names, "plural", "spec.names.plural"},
                                       {names, "kind", "spec.names.kind"}})
    if (text_of(in, name).empty())
      errors.push_back(required(path));
  const auto* versions = find(spec, "versions");
  const bool stored = versions && versions->is_array() &&
                      std::any_of(versions->get_array().begin(), versions->get_array().end(), [](const auto& each) {
                        const auto* storage = find(&each, "storage");
                        return storage && storage->is_bool() && storage->get_bool();
                      });
  if (!stored)
    errors.push_back(invalid("spec.versions", "[]", "must have exactly one version marked as storage version"));
  const std::string key = std::string{text_of(names, "plural")} + "." + std::string{text_of(spec, "group")};
  if (wanted.draft.meta.name != key)
    errors.push_back(
      invalid("metadata.name", quoted(wanted.draft.meta.name), "must be spec.names.plural+\".\"+spec.group"));
}

} // namespace sliceferry::storm
