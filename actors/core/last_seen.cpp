#include "actors/core/last_seen.hpp"

#include "messages/rfc3339.hpp"

#include <charconv>

namespace sliceferry::core {

std::optional<std::int64_t> parse_generation(std::string_view text) {
  // from_chars takes a minus and no plus; Go takes either, once.
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-'))
      return std::nullopt;
  }
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stopped != end)
    return std::nullopt;
  return value;
}

std::optional<last_seen> read_last_seen(const slice_annotations& ours) {
  if (!ours.generation || !ours.timestamp)
    return std::nullopt;
  const auto generation = parse_generation(*ours.generation);
  const auto since = parse_rfc3339(*ours.timestamp);
  if (!generation || !since)
    return std::nullopt;
  return last_seen{*generation, *since};
}

} // namespace sliceferry::core
