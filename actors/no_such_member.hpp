#pragma once
#include <string>
#include <vector>

namespace sliceferry {

/// `there is no member nope; there are m1, m2`: what every command says that is asked of a member which isn't there.
std::string no_such_member(const std::string& name, const std::vector<std::string>& known);

} // namespace sliceferry
