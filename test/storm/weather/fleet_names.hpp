#pragma once
#include "test/storm/weather/fleet.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace sliceferry::storm {

inline constexpr std::uint32_t port_sets = 6;       ///< how many different sets of ports slices have
inline constexpr std::uint32_t foreign_exports = 5; ///< in each member's namespace of the hub
inline constexpr std::string_view importer = "endpointsliceimport-controller.networking.fleet.azure.com";
inline constexpr std::string_view name_key = "networking.fleet.azure.com/fleet-unique-name";
inline constexpr std::string_view generation_key = "networking.fleet.azure.com/last-seen-generation";
inline constexpr std::string_view timestamp_key = "networking.fleet.azure.com/last-seen-timestamp";

std::string nspace_name(std::uint32_t number);
std::string service_name(std::uint32_t number);
/// The service's name, a hyphen and five characters, different for each ordinal.
std::string slice_name(std::uint32_t service_number, std::uint32_t ordinal);
/// A valid unique name that a user wrote; `number` tells them apart within a member.
std::string taken_name(std::uint32_t number);
/// The name of an export on the hub that belongs to another cluster.
std::string foreign_export_name(std::uint32_t number);
/// RFC 3339, whole seconds, of the users' clock.
std::string time_of(std::uint32_t changes);

} // namespace sliceferry::storm
