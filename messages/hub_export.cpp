#include "messages/hub_export.hpp"

#include "messages/rfc3339.hpp"

namespace sliceferry {

std::string to_string(const hub_export& seen) {
  std::string out = seen.name + " uid=" + seen.uid + " rv=" + seen.resource_version;
  out += " created=" + format_rfc3339(seen.created);
  out += " generation=" + std::to_string(seen.generation);
  out += " since=" + (seen.since ? format_rfc3339(*seen.since) : "-");
  out += " digest=" + std::to_string(seen.digest);
  if (seen.terminating)
    out += " terminating";
  out += seen.mine ? " mine" : " foreign";
  return out;
}

} // namespace sliceferry
