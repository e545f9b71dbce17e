#pragma once
#include "messages/port.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace sliceferry::k8s {

/// Where in a Kubernetes object a value belongs; shared by all forms. `any`: the form needs no call there.
enum class place : std::uint8_t {
  any,
  name,
  nspace,
  uid,
  resource_version,
  generation,
  created,
  deletion,
  service_label,
  managed_by_label,
  name_annotation,
  generation_annotation,
  timestamp_annotation,
  managed_entry,
  manager,
  managed_at,
  managed_spec,
  address_type,
  endpoints,
  endpoint,
  address,
  ready,
  serving,
  terminating,
  ports,
  port,
  port_name,
  port_protocol,
  port_number,
  port_app_protocol,
  condition,
  condition_type,
  condition_status,
  condition_generation,
  ref_cluster,
  ref_api_version,
  ref_kind,
  ref_nspace,
  ref_name,
  ref_namespaced_name,
  ref_uid,
  ref_resource_version,
  ref_generation,
  ref_exported_since,
  owner_nspace,
  owner_name,
  owner_namespaced_name,
  status_code,
  status_reason,
  status_message,
  details_kind,
  details_retry_after,
  cause,
  cause_reason,
  cause_field,
  list_continue,
  event_type,
};

enum class shape : std::uint8_t { object, array, text, integer, flag };

/// One node of a form: a member of an object, or the element of an array (its key is then unused).
/// `inside` lists an object's wanted members, or holds an array's single element.
struct field {
  std::string_view key;
  place at = place::any;
  shape is = shape::text;
  std::span<const field> inside{};
};

inline constexpr field port_members[] = {
  {"name", place::port_name},
  {"port", place::port_number, shape::integer},
  {"protocol", place::port_protocol},
  {"appProtocol", place::port_app_protocol},
};
inline constexpr field port_element[] = {{"", place::port, shape::object, port_members}};
inline constexpr field address_element[] = {{"", place::address}};

/// Takes one text member of a port; other places are left alone.
inline void take_port_text(port& into, place at, std::string_view text) {
  if (at == place::port_name)
    into.name.emplace(text);
  else if (at == place::port_protocol)
    into.protocol.emplace(text);
  else if (at == place::port_app_protocol)
    into.app_protocol.emplace(text);
}

/// Takes a port's number; false when it doesn't fit the API's int32.
inline bool take_port_number(port& into, std::int64_t number) {
  if (number < std::numeric_limits<std::int32_t>::min() || number > std::numeric_limits<std::int32_t>::max())
    return false;
  into.number = static_cast<std::int32_t>(number);
  return true;
}

/// The first of the metadata without which an object can't be told from another, or null.
template <class T>
const char* missing_metadata(const T& object) {
  if (object.key.name.empty())
    return "name";
  if (object.key.nspace.empty())
    return "namespace";
  if (object.uid.empty())
    return "uid";
  return object.resource_version.empty() ? "resourceVersion" : nullptr;
}

/// Walks a JSON document along a form's tree and hands the form what it wants, as values.
///
/// What the tree doesn't name is skipped by counting depth, so that managedFields, hints and fields
/// of future versions cost a counter. A value of the wrong type spoils the object (`problem`) but
/// not the walk: the key that is needed to report it may still follow. `null` is absence everywhere.
///
/// A Form has `static constexpr field root`, `value object`, `enter(place)`, `leave(place)`,
/// `text(place, string_view)`, `bool integer(place, int64)`, `flag(place, bool)`, `missing() → const char*`.
template <class Form>
class field_reader {
public:
  /// True when the value that comes next will be used.
  bool wanted() const { return skipped_ == 0 && upcoming() != nullptr; }
  bool skipping() const { return skipped_ > 0; }

  void key(std::string_view key) {
    next_ = nullptr;
    for (const field& member : open_[depth_ - 1]->inside)
      if (member.key == key) {
        next_ = &member;
        return;
      }
  }

  void begin(shape what) {
    if (skipped_ > 0) {
      ++skipped_;
      return;
    }
    const field* at = upcoming();
    if (!fits(at, what)) {
      skipped_ = 1;
      return;
    }
    open_[depth_++] = at;
    if (at->at != place::any)
      form.enter(at->at);
  }

  void end() {
    if (skipped_ > 0) {
      --skipped_;
      return;
    }
    const field* left = open_[--depth_];
    if (left->at != place::any)
      form.leave(left->at);
  }

  void text(std::string_view text) {
    if (const field* at = value(shape::text))
      form.text(at->at, text);
  }

  void integer(std::int64_t number) {
    if (const field* at = value(shape::integer); at != nullptr && !form.integer(at->at, number))
      spoil(*at, " is out of range");
  }

  void flag(bool set) {
    if (const field* at = value(shape::flag))
      form.flag(at->at, set);
  }

  /// A number that is no 64-bit integer.
  void odd_number() {
    if (wanted())
      spoil(*upcoming(), " is not an integer of its size");
  }

  /// What was wrong first, or empty.
  const std::string& problem() const { return problem_; }

  Form form;

private:
  const field* upcoming() const {
    if (depth_ == 0)
      return &Form::root;
    const field* parent = open_[depth_ - 1];
    return parent->is == shape::array ? parent->inside.data() : next_;
  }

  const field* value(shape what) {
    if (skipped_ > 0)
      return nullptr;
    const field* at = upcoming();
    return fits(at, what) ? at : nullptr;
  }

  bool fits(const field* at, shape what) {
    if (at == nullptr)
      return false;
    if (at->is == what)
      return true;
    spoil(*at, " has the wrong type");
    return false;
  }

  void spoil(const field& at, const char* how) {
    if (!problem_.empty())
      return;
    const bool element = at.key.empty() && depth_ > 0;
    const std::string_view name = element ? open_[depth_ - 1]->key : at.key;
    problem_.append(element ? "an element of " : "").append(name.empty() ? "the object" : name).append(how);
  }

  static constexpr std::size_t depth_max = 12; // deeper than any form's tree

  std::array<const field*, depth_max> open_{};
  std::size_t depth_ = 0;
  std::size_t skipped_ = 0; // containers open below the first unwanted one
  const field* next_ = nullptr;
  std::string problem_;
};

} // namespace sliceferry::k8s
