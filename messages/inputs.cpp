#include "messages/inputs.hpp"

namespace sliceferry {

std::string to_string(const inputs& seen) {
  std::string out = seen.slice ? to_string(*seen.slice) : to_string(seen.key) + " not there";
  if (seen.gone)
    out += " gone";
  if (seen.leftover)
    out += " leftover";
  out += "; consent ";
  out += to_string(seen.says);
  if (seen.consent_proven)
    out += " (proven)";
  out += "; hub [";
  for (std::size_t i = 0; i < seen.hub.size(); ++i)
    out += (i == 0 ? "" : ", ") + to_string(seen.hub[i]);
  out += "]; synced:";
  out += seen.slices_synced ? " slices" : "";
  out += seen.consents_synced ? " consents" : "";
  out += seen.hub_synced ? " hub" : "";
  if (seen.leaving)
    out += "; leaving";
  if (seen.undone != 0)
    out += "; undone " + std::to_string(seen.undone) + " times";
  return out + (seen.leave ? "" : "; no leave");
}

} // namespace sliceferry
