#include "messages/port.hpp"

namespace sliceferry {

std::string to_string(const port_list& ports) {
  if (!ports)
    return "none";
  std::string out = "[";
  for (const auto& each : *ports) {
    if (out.size() > 1)
      out += ' ';
    out += each.name ? '"' + *each.name + '"' : "-";
    out += ':' + (each.number ? std::to_string(*each.number) : "*");
    out += '/' + each.protocol.value_or("-");
    if (each.app_protocol)
      out += '/' + *each.app_protocol;
  }
  return out + ']';
}

} // namespace sliceferry
