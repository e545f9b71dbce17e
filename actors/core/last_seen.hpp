#pragma once
#include "messages/clock.hpp"
#include "messages/endpoint_slice.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sliceferry::core {

/// What two annotations of a slice say: which generation an exporter saw last, and when it saw it first.
struct last_seen {
  std::int64_t generation = 0;
  seconds_utc since{};

  bool operator==(const last_seen&) const = default;
};

/// Nothing unless both annotations are there and readable: a base-10 int64 as Go's ParseInt takes it (sign and
/// leading zeros allowed, spaces not) and an RFC 3339 time (any offset, a fraction is cut off). Anyone may write them.
std::optional<last_seen> read_last_seen(const slice_annotations& ours);

std::optional<std::int64_t> parse_generation(std::string_view text);

} // namespace sliceferry::core
