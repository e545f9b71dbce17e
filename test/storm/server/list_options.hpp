#pragma once
#include "test/storm/server/resource_kind.hpp"
#include "test/storm/server/selector.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace sliceferry::storm {

/// The query of a list or a watch.
struct list_options {
  selector keeps;
  std::uint64_t limit = 0; ///< 0: none
  std::string continues;   ///< token, or empty
  std::string version;     ///< resourceVersion as sent
  std::string match;       ///< resourceVersionMatch
  bool watches = false;
  bool bookmarks = false;
  std::optional<bool> initial_events;
  std::optional<std::int64_t> timeout_s;
  std::optional<api_answer> refusal; ///< the rest means nothing then
};

list_options read_list_options(std::string_view query, const resource_kind& kind);

/// A resourceVersion as a number; nothing where it isn't one.
std::optional<std::uint64_t> version_number(std::string_view text);

/// Go's words for a resourceVersion that is no number.
std::string bad_version(std::string_view text);

} // namespace sliceferry::storm
