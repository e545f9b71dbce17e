#include "messages/service_export.hpp"

namespace sliceferry {
namespace {

std::string text_of(const std::optional<condition>& held) {
  if (!held)
    return "-";
  std::string out = held->is == condition::status::yes  ? "True"
                    : held->is == condition::status::no ? "False"
                                                        : "Unknown";
  if (held->observed_generation)
    out += '@' + std::to_string(*held->observed_generation);
  return out;
}

} // namespace

std::string to_string(const service_export& exported) {
  std::string out = to_string(exported.key) + " uid=" + exported.uid + " rv=" + exported.resource_version;
  out += " generation=" + std::to_string(exported.generation);
  if (exported.deleting)
    out += " deleting";
  return out + " valid=" + text_of(exported.valid) + " conflict=" + text_of(exported.conflict);
}

} // namespace sliceferry
