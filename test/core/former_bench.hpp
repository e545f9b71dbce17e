#pragma once
#include "actors/core/former_exports.hpp"
#include "test/core/member_makers.hpp"

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace sliceferry::core {

using strings = std::vector<std::string>;

inline constexpr std::size_t enough = 100;
inline constexpr tick start{std::chrono::seconds(100)};

/// An export of the time when m1 was called "old".
inline slice_export old_export(const std::string& name, const std::string& slice_uid, int version = 5) {
  auto out = make_export(name, "hub-" + name, version, slice_uid);
  out.key.nspace = "fleet-old";
  out.spec.reference.cluster = "old";
  return out;
}

inline slice_export ending(slice_export out) {
  out.terminating = true;
  return out;
}

/// The machine, with the verdicts that a test sets; by slice UID, and leave for all but those denied.
struct bench {
  former_exports machine{{"old", "fleet-old"}};
  std::map<std::string, target> verdicts;
  std::set<std::string> denied;

  former_exports::plan due(tick now = start, std::size_t out_max = enough) {
    return machine.due(
      [&](const leftover& former) {
        const auto at = verdicts.find(former.slice_uid);
        return at == verdicts.end() ? target{goal::wait} : at->second;
      },
      [&](const std::string& uid) { return !denied.contains(uid); }, now, out_max);
  }
  void list_slices() {
    machine.slices_began();
    machine.slices_done();
  }
  strings asked(tick now = start, std::size_t out_max = enough) {
    strings out;
    for (const auto& each : due(now, out_max).withdraw)
      out.push_back(each.name);
    return out;
  }
};

inline const target gone{goal::withdraw, proof::gone};
inline const target left_over{goal::withdraw, proof::leftover};
inline const target superseded{goal::withdraw, proof::superseded};

} // namespace sliceferry::core
