#include "actors/no_such_member.hpp"

namespace sliceferry {

std::string no_such_member(const std::string& name, const std::vector<std::string>& known) {
  std::string all;
  for (const auto& each : known)
    all += (all.empty() ? "" : ", ") + each;
  return "there is no member " + name + (known.size() == 1 ? "; there is " : "; there are ") +
         (all.empty() ? "none" : all);
}

} // namespace sliceferry
