#include "test/storm/server/kind_rules.hpp"

#include "test/storm/server/definition_rules.hpp"
#include "test/storm/server/json_text.hpp"
#include "test/storm/server/object_names.hpp"
#include "test/storm/server/slice_rules.hpp"

#include <algorithm>

namespace sliceferry::storm {

namespace {

constexpr std::string_view name_label = "kubernetes.io/metadata.name";

void prepare_namespace(const resource_kind& kind, proposal& wanted) {
  wanted.set_text(kind.member_index("spec"), R"({"finalizers":["kubernetes"]})");
  wanted.set_text(kind.member_index("status"), R"({"phase":"Active"})");
  auto& labels = wanted.draft.meta.labels;
  std::erase_if(labels, [](const auto& each) { return each.first == name_label; });
  labels.emplace_back(name_label, wanted.draft.meta.name);
  std::sort(labels.begin(), labels.end());
}

void check_lease(const proposal& wanted, field_errors& errors) {
  const auto* seconds = find(wanted.values[0], "leaseDurationSeconds");
  if (seconds && seconds->is_int64() && seconds->get_int64() <= 0)
    errors.push_back(
      invalid("spec.leaseDurationSeconds", std::to_string(seconds->get_int64()), "must be greater than 0"));
  const auto* moves = find(wanted.values[0], "leaseTransitions");
  if (moves && moves->is_int64() && moves->get_int64() < 0)
    errors.push_back(
      invalid("spec.leaseTransitions", std::to_string(moves->get_int64()), "must be greater than or equal to 0"));
}

} // namespace

void prepare_create(const resource_kind& kind, proposal& wanted) {
  if (kind.status_subresource)
    if (const auto status = kind.member_index("status"); status < kind.members.size())
      wanted.set_text(status, kind.members[status].fallback);
  if (kind.how == resource_kind::rules::nspace)
    prepare_namespace(kind, wanted);
  if (kind.how == resource_kind::rules::definition)
    prepare_definition(kind, wanted);
}

void check_name(const resource_kind& kind, std::string_view name, field_errors& errors) {
  if (name.empty()) {
    errors.push_back(required("metadata.name", "name or generateName is required"));
    return;
  }
  const auto problem =
    kind.how == resource_kind::rules::nspace ? problem_of_dns_label(name) : problem_of_dns_subdomain(name);
  if (!problem.empty())
    errors.push_back(invalid("metadata.name", quoted(name), problem));
}

void check_kind(const resource_kind& kind, const proposal& wanted, const revision* before, field_errors& errors) {
  switch (kind.how) {
    case resource_kind::rules::plain:
    case resource_kind::rules::nspace:
      return;
    case resource_kind::rules::slice:
      return check_slice(wanted, before, errors);
    case resource_kind::rules::lease:
      return check_lease(wanted, errors);
    case resource_kind::rules::definition:
      return check_definition(wanted, errors);
  }
}

bool is_writable(const resource_kind& kind, std::string_view member, std::string_view subresource) {
  if (subresource == "status")
    return member == "status";
  if (kind.how == resource_kind::rules::nspace)
    return subresource == "finalize" && member == "spec";
  return member != "status" || !kind.status_subresource;
}

bool raises_generation(const resource_kind& kind, const object_draft& wanted, const object_draft& before) {
  if (!kind.has_generation)
    return false;
  for (std::size_t i = 0; i < kind.members.size(); ++i)
    if (wanted.parts[i] != before.parts[i] && !(kind.status_subresource && kind.members[i].name == "status"))
      return true;
  return kind.how == resource_kind::rules::slice && wanted.meta.labels != before.meta.labels;
}

bool is_released(const resource_kind& kind, const object_draft& object) {
  if (!object.meta.finalizers.empty())
    return false;
  return kind.how != resource_kind::rules::nspace ||
         object.parts[kind.member_index("spec")].find("finalizers") == std::string_view::npos;
}

} // namespace sliceferry::storm
