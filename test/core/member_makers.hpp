#pragma once
#include "actors/core/member_table.hpp"

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::core {

/// Values for the tests of the member's table: cluster "m1", hub namespace "fleet-m1", slices in "shop".

inline std::shared_ptr<const member_identity> make_identity(bool every_version = false) {
  member_identity who;
  who.cluster = "m1";
  who.hub_nspace = "fleet-m1";
  who.refresh_resource_version_always = every_version;
  return std::make_shared<const member_identity>(who);
}

inline endpoint_slice make_slice(const std::string& name, const std::string& uid, int version,
                                 std::optional<std::string> service = "web") {
  endpoint_slice out;
  out.key = {"shop", name};
  out.uid = uid;
  out.resource_version = std::to_string(version);
  out.address_type = "IPv4";
  out.service = std::move(service);
  return out;
}

inline endpoint_slice named(endpoint_slice slice, const std::string& export_name) {
  slice.ours.name = export_name;
  return slice;
}

inline service_export make_consent(const std::string& service, int version, bool valid = true) {
  service_export out;
  out.key = {"shop", service};
  out.uid = "se-" + service;
  out.resource_version = std::to_string(version);
  out.valid = condition{valid ? condition::status::yes : condition::status::no, {}};
  out.conflict = condition{condition::status::no, {}};
  return out;
}

inline slice_export make_export(const std::string& name, const std::string& hub_uid, int version,
                                const std::string& slice_uid) {
  slice_export out;
  out.key = {"fleet-m1", name};
  out.uid = hub_uid;
  out.resource_version = std::to_string(version);
  out.spec.reference.cluster = "m1";
  out.spec.reference.slice = {"shop", "of-" + slice_uid};
  out.spec.reference.uid = slice_uid;
  return out;
}

template <class T>
watch_batch<T> changes(std::initializer_list<watch_event<T>> events) {
  watch_batch<T> out;
  out.events = events;
  return out;
}
template <class T>
watch_batch<T> applied(const T& object) {
  return changes<T>({{watch_change::applied, object}});
}
template <class T>
watch_batch<T> deleted(const T& object) {
  return changes<T>({{watch_change::deleted, object}});
}
template <class T>
watch_batch<T> listed(const std::vector<T>& objects) {
  watch_batch<T> out;
  out.events.push_back({watch_change::init, {}});
  for (const T& object : objects)
    out.events.push_back({watch_change::applied, object});
  out.events.push_back({watch_change::init_done, {}});
  return out;
}

inline write_answer answer_to(const std::string& slice_uid, verdict how = verdict::done) {
  write_answer out;
  out.slice_uid = slice_uid;
  out.ticket = 7;
  out.how = how;
  return out;
}

} // namespace sliceferry::core
