#pragma once
#include "test/architecture/source_file.hpp"

namespace sliceferry::architecture {

/// Words that no file may hold, or only where they belong: clocks and chance in rules, waits in
/// tests, JSON types in headers, paths of somebody's machine, and the like.
violations check_words(const source_file& file);

/// Names of folders and files that say nothing (`utils/`, `helpers.hpp`, `types.hpp`).
violations check_names(const source_file& file);

} // namespace sliceferry::architecture
