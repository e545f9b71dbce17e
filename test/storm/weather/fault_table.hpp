#pragma once
#include "test/storm/weather/dice.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

inline constexpr std::string_view calm = "none"; ///< the set without faults

enum class fault_set : std::uint8_t {
  basic,
  all,   ///< includes basic and disk
  apart, ///< by name alone: it needs a scenario of its own
  disk,
};

enum class fault_place : std::uint8_t {
  any_cluster,
  hub, ///< where a member's objects would vanish, what its users do next could not succeed
  member,
  program,
};

struct extent {
  std::uint32_t least = 0;
  std::uint32_t most = 0;
};

struct fault_kind {
  std::string_view name;
  fault_set set;
  fault_place where;
  extent lasts_ms;  ///< none where it happens at once
  extent amount_ms; ///< see the sentence
  extent share_percent;
  std::string_view sentence;
  /// Nobody answers, or the program doesn't run: `amount_ms` counts, and it never strikes a place that is down already.
  bool is_outage = false;
};

std::span<const fault_kind> fault_kinds();
/// Those of a set or the one of that name; nothing where the name is unknown.
std::optional<std::vector<const fault_kind*>> kinds_named(std::string_view name);

} // namespace sliceferry::storm
