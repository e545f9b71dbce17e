#include "test/storm/weather/consent_body.hpp"

#include "test/storm/weather/fleet_names.hpp"

#include <string_view>

namespace sliceferry::storm {
namespace {

struct condition {
  std::string_view status;
  std::string_view reason;
  std::string_view message;
};

struct judgement {
  verdict what;
  unsigned generation; ///< that it judged; a ServiceExport that nobody deletes has generation 1
  condition valid;
  condition conflict;
};

constexpr judgement judgements[]{
  {verdict::valid,
   1,
   {"True", "ServiceIsValid", "exported service is valid"},
   {"False", "NoConflictFound", "exported without conflict"}},
  {verdict::invalid,
   1,
   {"False", "ServiceNotFound", "the service is not found"},
   {"Unknown", "PendingConflictResolution", "not looked at"}},
  {verdict::conflict,
   1,
   {"True", "ServiceIsValid", "exported service is valid"},
   {"True", "ConflictFound", "conflicts with another cluster"}},
  {verdict::unknown, 1, {"Unknown", "Pending", "not known"}, {"False", "NoConflictFound", "exported without conflict"}},
  // Of a generation that is over: it says nothing about this one.
  {verdict::stale,
   0,
   {"False", "ServiceNotFound", "the service is not found"},
   {"False", "NoConflictFound", "exported without conflict"}},
};

std::string to_json(std::string_view type, const condition& each, std::string_view common) {
  std::string out = R"({"type":")";
  out += type;
  out += R"(","status":")";
  out += each.status;
  out += R"(","reason":")";
  out += each.reason;
  out += R"(","message":")";
  out += each.message;
  out += "\",";
  out += common;
  return out + '}';
}

} // namespace

std::string consent_object(const std::string& name, const std::string& nspace, bool held) {
  return R"({"apiVersion":"networking.fleet.azure.com/v1beta1","kind":"ServiceExport","metadata":{"name":")" + name +
         R"(","namespace":")" + nspace + '"' +
         (held ? R"(,"finalizers":["networking.fleet.azure.com/svc-export-cleanup"])" : "") + "}}";
}

std::string verdict_patch(verdict judged, std::uint32_t changes) {
  for (const auto& each : judgements) {
    if (each.what != judged)
      continue;
    const std::string common = R"("observedGeneration":)" + std::to_string(each.generation) +
                               R"(,"lastTransitionTime":")" + time_of(changes) + '"';
    return R"({"status":{"conditions":[)" + to_json("Valid", each.valid, common) + ',' +
           to_json("Conflict", each.conflict, common) + "]}}";
  }
  return {};
}

std::string released_patch() {
  return R"({"metadata":{"finalizers":null}})";
}

} // namespace sliceferry::storm
