#pragma once
#include "k8s/fields.hpp"
#include "messages/rfc3339.hpp"
#include "messages/slice_export.hpp"

namespace sliceferry::k8s {

/// How the JSON of an EndpointSliceExport becomes a `slice_export`.
class slice_export_form {
public:
  using value = slice_export;

private:
  static constexpr field managed_parts_[] = {{"f:spec", place::managed_spec, shape::object}};
  static constexpr field managed_[] = {
    {"manager", place::manager},
    {"time", place::managed_at},
    {"fieldsV1", place::any, shape::object, managed_parts_},
  };
  static constexpr field managed_element_[] = {{"", place::managed_entry, shape::object, managed_}};
  static constexpr field metadata_[] = {
    {"name", place::name},
    {"namespace", place::nspace},
    {"uid", place::uid},
    {"resourceVersion", place::resource_version},
    {"creationTimestamp", place::created},
    {"deletionTimestamp", place::deletion},
    {"managedFields", place::any, shape::array, managed_element_},
  };
  static constexpr field endpoint_[] = {{"addresses", place::any, shape::array, address_element}};
  static constexpr field endpoint_element_[] = {{"", place::endpoint, shape::object, endpoint_}};
  static constexpr field reference_[] = {
    {"clusterId", place::ref_cluster},
    {"apiVersion", place::ref_api_version},
    {"kind", place::ref_kind},
    {"namespace", place::ref_nspace},
    {"name", place::ref_name},
    {"namespacedName", place::ref_namespaced_name},
    {"uid", place::ref_uid},
    {"resourceVersion", place::ref_resource_version},
    {"generation", place::ref_generation, shape::integer},
    {"exportedSince", place::ref_exported_since},
  };
  static constexpr field owner_[] = {
    {"namespace", place::owner_nspace},
    {"name", place::owner_name},
    {"namespacedName", place::owner_namespaced_name},
  };
  static constexpr field spec_[] = {
    {"addressType", place::address_type},
    {"endpoints", place::endpoints, shape::array, endpoint_element_},
    {"ports", place::ports, shape::array, port_element},
    {"endpointSliceReference", place::any, shape::object, reference_},
    {"ownerServiceReference", place::any, shape::object, owner_},
  };
  static constexpr field root_[] = {
    {"metadata", place::any, shape::object, metadata_},
    {"spec", place::any, shape::object, spec_},
  };

public:
  static constexpr field root{"", place::any, shape::object, root_};

  void enter(place at) {
    switch (at) {
      case place::managed_entry:
        manager_.clear();
        managed_at_.clear();
        manages_spec_ = false;
        break;
      case place::managed_spec:
        manages_spec_ = true;
        break;
      case place::endpoints:
        object.spec.endpoints.clear();
        break;
      case place::endpoint:
        object.spec.endpoints.emplace_back();
        break;
      case place::ports:
        object.spec.ports.emplace();
        break;
      case place::port:
        object.spec.ports->emplace_back();
        break;
      default:
        break;
    }
  }

  void leave(place at) {
    // managedFields carry UTC with `Z` in whole seconds, so the texts order as the times do. Of equals the later entry
    // wins unless it is ours: a rival undoes within a second what we put right, and it is he who must be named.
    // Who has written metadata only, as the hub controller its finalizer, didn't write the export.
    const bool is_newer =
      managed_at_ > newest_ || object.last_manager.empty() || (managed_at_ == newest_ && manager_ != own_manager);
    if (at == place::managed_entry && manages_spec_ && is_newer) {
      newest_ = managed_at_;
      object.last_manager = manager_;
    }
  }

  void text(place at, std::string_view text) {
    switch (at) {
      case place::name:
        object.key.name = text;
        break;
      case place::nspace:
        object.key.nspace = text;
        break;
      case place::uid:
        object.uid = text;
        break;
      case place::resource_version:
        object.resource_version = text;
        break;
      case place::created:
        object.created = parse_rfc3339(text).value_or(seconds_utc{});
        break;
      case place::deletion:
        object.terminating = true;
        break;
      case place::manager:
        manager_ = text;
        break;
      case place::managed_at:
        managed_at_ = text;
        break;
      default:
        spec_text(at, text);
        break;
    }
  }

  bool integer(place at, std::int64_t number) {
    if (at == place::port_number)
      return take_port_number(object.spec.ports->back(), number);
    object.spec.reference.generation = number;
    return true;
  }

  void flag(place, bool) {}

  const char* missing() const { return missing_metadata(object); }

  value object;

private:
  void spec_text(place at, std::string_view text) {
    slice_reference& reference = object.spec.reference;
    service_reference& owner = object.spec.owner;
    switch (at) {
      case place::address_type:
        object.spec.address_type = text;
        break;
      case place::address:
        object.spec.endpoints.back().addresses.emplace_back(text);
        break;
      case place::ref_cluster:
        reference.cluster = text;
        break;
      case place::ref_api_version:
        reference.api_version = text;
        break;
      case place::ref_kind:
        reference.kind = text;
        break;
      case place::ref_nspace:
        reference.slice.nspace = text;
        break;
      case place::ref_name:
        reference.slice.name = text;
        break;
      case place::ref_namespaced_name:
        reference.namespaced_name = text;
        break;
      case place::ref_uid:
        reference.uid = text;
        break;
      case place::ref_resource_version:
        reference.resource_version = text;
        break;
      case place::ref_exported_since:
        reference.exported_since = parse_rfc3339(text);
        break;
      case place::owner_nspace:
        owner.service.nspace = text;
        break;
      case place::owner_name:
        owner.service.name = text;
        break;
      case place::owner_namespaced_name:
        owner.namespaced_name = text;
        break;
      default:
        take_port_text(object.spec.ports->back(), at, text);
        break;
    }
  }

  std::string manager_;
  std::string managed_at_;
  std::string newest_;
  bool manages_spec_ = false;
};

} // namespace sliceferry::k8s
