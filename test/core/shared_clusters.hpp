#pragma once
#include "messages/endpoint_slice.hpp"
#include "messages/service_export.hpp"
#include "messages/slice_export.hpp"
#include "test/core/picture.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::core {

/// A member and its hub namespace as their API servers hold them: what a Go agent and this program hand to each other.
///
/// The tests change the objects as users do. Agents write by the functions below, each of which is one request:
/// counted in `written`, and lost once `writes_left` is used up (the agent was stopped in the middle of its work).
class shared_clusters {
public:
  std::map<object_key, endpoint_slice> slices;
  std::map<object_key, service_export> consents;
  std::map<object_key, slice_export> exports; ///< of the hub namespace `fleet-member-m1`
  std::set<std::string> finalized;            ///< hub UIDs that the hub controller's finalizer holds
  seconds_utc now = noon;
  std::vector<std::string> written;
  std::size_t writes_left = std::numeric_limits<std::size_t>::max();

  static object_key export_key(const std::string& name) { return {m1.hub_nspace, name}; }
  const slice_export* find(const std::string& name) const {
    const auto at = exports.find(export_key(name));
    return at == exports.end() ? nullptr : &at->second;
  }

  std::string fresh_uid() { return "uid-" + std::to_string(++uids_); }
  std::uint64_t version() const { return versions_; }

  /// A user writes these; only the slice's owner moves its generation.
  void put(endpoint_slice slice) {
    slice.resource_version = next_version();
    slices[slice.key] = std::move(slice);
  }
  void put(service_export consent) {
    consent.resource_version = next_version();
    consents[consent.key] = std::move(consent);
  }
  void put(slice_export exported) {
    exported.resource_version = next_version();
    exports[exported.key] = std::move(exported);
  }

  /// Null when the agent's time is up.
  const endpoint_slice* annotate(const object_key& key, const slice_annotations& ours) {
    if (!is_served("annotate"))
      return nullptr;
    auto& held = slices.at(key);
    if (held.ours != ours) {
      held.ours = ours;
      held.resource_version = next_version();
    }
    return &held;
  }
  const slice_export* create(const std::string& name, const slice_export_spec& spec) {
    if (!is_served("create"))
      return nullptr;
    slice_export made;
    made.key = export_key(name);
    made.uid = fresh_uid();
    made.created = now;
    made.spec = spec;
    put(made);
    return find(name);
  }
  const slice_export* change(const std::string& name, const slice_export_spec& spec) {
    if (!is_served("change"))
      return nullptr;
    auto next = exports.at(export_key(name));
    next.spec = spec;
    put(next);
    return find(name);
  }
  bool remove(const std::string& name) {
    if (!is_served("delete"))
      return false;
    auto next = exports.at(export_key(name));
    next.terminating = true;
    if (finalized.contains(next.uid))
      put(next);
    else
      exports.erase(next.key);
    return true;
  }

  /// The hub controller lets go of what terminates and holds what is new. True if anything vanished.
  bool finalize() {
    for (auto& [key, each] : exports)
      if (!each.terminating && finalized.insert(each.uid).second)
        each.resource_version = next_version();
    return std::erase_if(exports, [](const auto& each) { return each.second.terminating; }) > 0;
  }

private:
  std::string next_version() { return std::to_string(++versions_); }

  bool is_served(const char* what) {
    if (writes_left == 0)
      return false;
    --writes_left;
    written.emplace_back(what);
    return true;
  }

  std::uint64_t versions_ = 100;
  std::uint64_t uids_ = 0;
};

/// The slice `shop/NAME` of service `web`, as its owner writes it first.
inline endpoint_slice make_plain_slice(const std::string& name, const std::string& uid) {
  auto out = picture{}.slice;
  out.key.name = name;
  out.uid = uid;
  return out;
}

/// A ServiceExport of `shop` that is valid and without conflict, or invalid.
inline service_export make_verdict(const std::string& service, bool valid = true) {
  service_export out;
  out.key = {"shop", service};
  out.uid = "se-" + service;
  out.generation = 1;
  out.valid = condition{valid ? condition::status::yes : condition::status::no, {}};
  out.conflict = condition{condition::status::no, {}};
  return out;
}

} // namespace sliceferry::core
