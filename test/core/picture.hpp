#pragma once
#include "actors/core/equivalent.hpp"
#include "actors/core/evolve.hpp"
#include "actors/core/member_identity.hpp"
#include "actors/core/memory.hpp"
#include "actors/core/project.hpp"
#include "messages/event.hpp"
#include "messages/inputs.hpp"
#include "messages/outcome.hpp"
#include "messages/rfc3339.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace sliceferry {

// GoogleTest prints values through these.
inline std::ostream& operator<<(std::ostream& out, const event& told) {
  return out << to_string(told);
}
inline std::ostream& operator<<(std::ostream& out, const command& what) {
  return out << to_string(what);
}

} // namespace sliceferry

namespace sliceferry::core {

inline std::ostream& operator<<(std::ostream& out, const memory& held) {
  return out << to_string(held);
}

/// The time at which rules are asked in tests.
inline const seconds_utc noon{std::chrono::sys_days{std::chrono::year{2026} / 11 / 30} + std::chrono::hours{12}};
inline const seconds_utc morning = noon - std::chrono::hours{3};

inline const member_identity m1{.cluster = "m1", .hub_nspace = "fleet-member-m1", .seed = 7};

/// A picture of both clusters around one slice, changed step by step: `picture{}.named("n").exported("n", "h1")`.
struct picture {
  endpoint_slice slice;
  inputs seen;

  picture() {
    slice.key = {"shop", "web-a"};
    slice.uid = "u1";
    slice.resource_version = "100";
    slice.generation = 3;
    slice.address_type = "IPv4";
    slice.service = "web";
    slice.ready = {endpoint{{"10.0.0.1"}}};
    slice.ports = {{port{"http", "TCP", 80, {}}}};
    seen.key = slice.key;
    seen.says = consent::granted;
    seen.consent_proven = true;
    seen.slices_synced = seen.consents_synced = seen.hub_synced = true;
  }

  template <class Change>
  picture with(Change change) const {
    auto out = *this;
    change(out);
    return out;
  }

  picture named(const std::string& name, const std::string& generation = "3",
                const std::string& timestamp = format_rfc3339(morning)) const {
    return with([&](picture& p) { p.slice.ours = {name, generation, timestamp}; });
  }

  picture says(consent what) const {
    return with([&](picture& p) { p.seen.says = what; });
  }

  /// An export that mirrors the slice as it now is, exported since `morning`.
  hub_export mirror(const std::string& name, const std::string& hub_uid) const {
    hub_export out;
    out.name = name;
    out.uid = hub_uid;
    out.resource_version = "7";
    out.created = morning;
    out.generation = slice.generation;
    out.since = morning;
    out.digest = digest(project(m1, slice, morning));
    out.mine = true;
    return out;
  }

  picture exported(const std::string& name, const std::string& hub_uid) const {
    return with([&](picture& p) { p.seen.hub.push_back(mirror(name, hub_uid)); });
  }

  picture foreign(const std::string& name) const {
    return with([&](picture& p) {
      p.seen.hub.push_back(mirror(name, "foreign"));
      p.seen.hub.back().mine = false;
    });
  }

  operator inputs() const {
    auto out = seen;
    out.slice = std::make_shared<const endpoint_slice>(slice);
    return out;
  }

  /// The slice is not there.
  inputs without_slice(bool gone, bool leftover = false) const {
    auto out = seen;
    out.gone = gone;
    out.leftover = leftover;
    return out;
  }
};

inline outcome make_outcome(std::uint64_t ticket, verdict how) {
  outcome out;
  out.ticket = ticket;
  out.how = how;
  return out;
}

inline memory replay(const std::vector<event>& told, memory held = {}) {
  for (const auto& each : told)
    held = evolve(std::move(held), each);
  return held;
}

/// Memory of a slice of generation 3 that is exported as `name` with hub UID `h1`, all acknowledged.
inline memory exported_as(const std::string& name, const picture& shown = {}) {
  const auto content = shown.mirror(name, "h1").digest;
  return replay(
    {generation_seen{3, morning}, name_chosen{name}, annotated{3}, export_applied{name, "h1", content, content}});
}

} // namespace sliceferry::core
