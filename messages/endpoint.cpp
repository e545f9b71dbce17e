#include "messages/endpoint.hpp"

namespace sliceferry {

std::string to_string(const std::vector<endpoint>& backends) {
  std::string out = "[";
  for (const auto& backend : backends) {
    if (out.size() > 1)
      out += ' ';
    for (std::size_t i = 0; i < backend.addresses.size(); ++i)
      out += (i == 0 ? "" : "|") + backend.addresses[i];
  }
  return out + ']';
}

} // namespace sliceferry
