#pragma once
#include "test/storm/weather/dice.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry::storm {

inline constexpr std::size_t endpoints_max = 100; ///< as the endpoint slice controller packs them

/// A pod as a slice shows it. Its address and name follow from `pod`.
struct endpoint {
  std::uint32_t pod = 0;
  std::uint16_t node = 0;
  bool ready = true;
  bool terminating = false;

  bool operator==(const endpoint&) const = default;
};

enum class slice_role : std::uint8_t {
  ordinary,
  family, ///< comes and goes, of changing address family
  import, ///< made by the importer: never exported
};

/// What a slice's service label says, beyond the index of a service.
inline constexpr std::uint32_t no_label = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint32_t stranger_label = no_label - 1; ///< a service that nobody exports

struct slice {
  std::vector<endpoint> endpoints;
  std::uint32_t service = 0; ///< whose name it bears
  std::uint32_t label = 0;
  std::uint32_t taken_name = 0; ///< number of the unique name that a user wrote last; 0: none known
  std::uint8_t ordinal = 0;     ///< among its service's
  slice_role role = slice_role::ordinary;
  bool present = false;
  bool ipv6 = false;
  bool portless = false;
  bool imported = false; ///< managed by the importer
  std::uint8_t port_set = 0;
};

enum class verdict : std::uint8_t { valid, invalid, conflict, unknown, stale };
enum class consent_state : std::uint8_t { absent, present, terminating };

/// A service, which itself is never read; its slices and services of one namespace lie next to each other.
struct service {
  std::uint32_t nspace = 0;
  std::uint32_t first_slice = 0;
  std::uint16_t slices = 0;
  std::uint16_t number = 0; ///< within its namespace
  consent_state consent = consent_state::absent;
  std::optional<verdict> judged;
  std::optional<verdict> born; ///< the verdict at setup; nothing: not exported then
  bool held = false;           ///< its ServiceExport has a finalizer
};

enum class nspace_state : std::uint8_t { live, terminating, absent };

struct nspace {
  std::string name;
  std::uint32_t first_service = 0;
  std::uint32_t services = 0;
  nspace_state state = nspace_state::absent;
  bool is_reserved = false; ///< storms that choose at random leave it alone
};

struct member_fleet {
  std::string name;
  std::vector<nspace> nspaces;
  std::vector<service> services;
  std::vector<slice> slices;
  std::vector<std::uint32_t> families; ///< slices of that role
  std::vector<std::uint32_t> imports;
  std::uint16_t nodes = 1;
  std::uint32_t pods = 0; ///< made so far
  std::uint32_t ordinary = 0;

  const service& home(const slice& each) const { return services[each.service]; }
  const nspace& place(const slice& each) const { return nspaces[home(each).nspace]; }
  nspace& place(const slice& each) { return nspaces[home(each).nspace]; }
};

/// What exists in the members, as far as users made it. Nothing is present before it was created by a request.
struct fleet {
  std::vector<member_fleet> members;
  std::optional<std::uint32_t> restless; ///< a slice of the first member
  std::uint32_t changes = 0;             ///< requests so far: the users' clock
  std::uint32_t changes_of_setup = 0;
};

struct fleet_size {
  std::vector<std::string> members;
  std::size_t slices = 0; ///< ordinary ones, over all members
  bool with_families = false;
  bool with_imports = false;
  bool with_restless = false;
};

/// Lays out namespaces, services and slices; nothing of it is present yet.
fleet make_fleet(const fleet_size& size, dice& chance);

/// Pods that were never there before, ready; most slices have few, some have a hundred.
std::vector<endpoint> fresh_endpoints(member_fleet& member, dice& chance);
endpoint fresh_endpoint(member_fleet& member, dice& chance);

} // namespace sliceferry::storm
