#pragma once
#include "test/architecture/sizes.hpp"

namespace sliceferry::architecture {

/// The outermost functions of C++ code whose comments and literals are blanked. It relies on a
/// blank before the brace of a block and none before the brace of an initialiser.
std::vector<extent> cpp_functions(std::string_view code);

} // namespace sliceferry::architecture
