#pragma once
#include "test/architecture/source_file.hpp"

namespace sliceferry::architecture {

/// Every `#include` against the table of who may include whom; that quoted ones name a file from
/// the root; that a source includes its own header first; that a header begins with `#pragma once`.
violations check_inclusions(const source_file& file, const source_tree& tree);

/// Beast is instantiated in one source of `k8s/`, one of `actors/admin/` and one of `test/storm/`,
/// never in a header and never together with CAF: it costs half a minute a file.
violations check_beast(const source_tree& tree);

} // namespace sliceferry::architecture
