#pragma once
#include "test/architecture/source_file.hpp"

#include <string>

namespace sliceferry::architecture {

/// The section of CONTRIBUTING.md whose tables say which test holds which rule.
inline const std::string proofs_heading = "## Which test holds which rule";

/// Each row of those tables is `| label | words | tests |`. A label occurs once, the words are not empty, and the last
/// cell names at least one test in backticks, or says "can't happen" and why. A test is `Suite.Name` of GoogleTest, the
/// function `test_…` of an end-to-end test, or else the name of a scenario of the storms; each must be in the tree.
violations check_proofs(const source_tree& tree);

} // namespace sliceferry::architecture
