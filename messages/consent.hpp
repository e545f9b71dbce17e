#pragma once

#include <string_view>

namespace sliceferry {

/// What the ServiceExport of a slice's Service says. `pending`: nobody has judged it yet, or its
/// conditions judge an older generation of it and no earlier verdict is known, so it neither grants nor forbids.
enum class consent { absent, invalid, conflicted, deleting, pending, granted };

std::string_view to_string(consent says);

} // namespace sliceferry
