#pragma once
#include "test/storm/server/api_path.hpp"
#include "test/storm/server/kind_table.hpp"

#include <optional>
#include <string>

namespace sliceferry::storm {

/// The document that `/api`, `/apis` or a path below shows; nothing where there is no such group or version.
std::optional<std::string> discovery_document(const kind_table& kinds, const api_path& path);

/// The text of `/version`.
std::string version_document();

} // namespace sliceferry::storm
