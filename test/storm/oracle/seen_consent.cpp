#include "test/storm/oracle/seen_consent.hpp"

#include "test/storm/oracle/json_fields.hpp"

#include <boost/json.hpp>

namespace sliceferry::storm {
namespace {

namespace json = boost::json;
using verdict = seen_consent::verdict;

/// Of one condition: whether its status is the one that an export needs.
verdict judge(const json::object& status, std::string_view type, std::string_view needed, std::int64_t generation) {
  const auto* conditions = array_at(status, "conditions");
  if (!conditions)
    return verdict::unjudged;
  for (const auto& each : *conditions) {
    const auto* found = each.if_object();
    if (!found || text_or_empty(*found, "type") != type)
      continue;
    if (number_at(*found, "observedGeneration").value_or(generation) < generation)
      return verdict::outdated;
    return text_or_empty(*found, "status") == needed ? verdict::granted : verdict::denied;
  }
  return verdict::unjudged;
}

} // namespace

std::optional<seen_consent> read_consent(const json::value& object) {
  static const json::object none;
  const auto* all = object.if_object();
  const auto* metadata = all ? object_at(*all, "metadata") : nullptr;
  if (!metadata || text_or_empty(*metadata, "uid").empty())
    return {};
  seen_consent out;
  out.key = {std::string{text_or_empty(*metadata, "namespace")}, std::string{text_or_empty(*metadata, "name")}};
  out.uid = text_or_empty(*metadata, "uid");
  out.resource_version = text_or_empty(*metadata, "resourceVersion");
  if (field_of(*metadata, "deletionTimestamp"))
    return out;
  const auto* status = object_at(*all, "status");
  const auto generation = number_at(*metadata, "generation").value_or(0);
  const auto valid = judge(status ? *status : none, "Valid", "True", generation);
  const auto conflict = judge(status ? *status : none, "Conflict", "False", generation);
  const auto allows = [](verdict one) { return one == verdict::granted || one == verdict::outdated; };
  if (valid == verdict::unjudged && conflict == verdict::unjudged)
    out.says = verdict::unjudged;
  else if (allows(valid) && allows(conflict))
    out.says = valid == verdict::outdated || conflict == verdict::outdated ? verdict::outdated : verdict::granted;
  return out;
}

} // namespace sliceferry::storm
