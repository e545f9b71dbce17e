#pragma once
#include "k8s/fields.hpp"
#include "messages/endpoint_slice.hpp"

#include <utility>

namespace sliceferry::k8s {

/// How the JSON of a discovery.k8s.io/v1 EndpointSlice becomes an `endpoint_slice`.
class slice_form {
public:
  using value = endpoint_slice;

private:
  static constexpr field labels_[] = {
    {"kubernetes.io/service-name", place::service_label},
    {"endpointslice.kubernetes.io/managed-by", place::managed_by_label},
  };
  static constexpr field annotations_[] = {
    {"networking.fleet.azure.com/fleet-unique-name", place::name_annotation},
    {"networking.fleet.azure.com/last-seen-generation", place::generation_annotation},
    {"networking.fleet.azure.com/last-seen-timestamp", place::timestamp_annotation},
  };
  static constexpr field metadata_[] = {
    {"name", place::name},
    {"namespace", place::nspace},
    {"uid", place::uid},
    {"resourceVersion", place::resource_version},
    {"generation", place::generation, shape::integer},
    {"deletionTimestamp", place::deletion},
    {"labels", place::any, shape::object, labels_},
    {"annotations", place::any, shape::object, annotations_},
  };
  static constexpr field conditions_[] = {
    {"ready", place::ready, shape::flag},
    {"serving", place::serving, shape::flag},
    {"terminating", place::terminating, shape::flag},
  };
  static constexpr field endpoint_[] = {
    {"addresses", place::any, shape::array, address_element},
    {"conditions", place::any, shape::object, conditions_},
  };
  static constexpr field endpoint_element_[] = {{"", place::endpoint, shape::object, endpoint_}};
  static constexpr field root_[] = {
    {"metadata", place::any, shape::object, metadata_},
    {"addressType", place::address_type},
    {"endpoints", place::endpoints, shape::array, endpoint_element_},
    {"ports", place::ports, shape::array, port_element},
  };

public:
  static constexpr field root{"", place::any, shape::object, root_};

  void enter(place at) {
    switch (at) {
      case place::endpoints:
        object.ready.clear();
        object.fallback.clear();
        break;
      case place::endpoint:
        addresses_.clear();
        ready_ = true; // the API: absent means ready
        serving_ = terminating_ = false;
        break;
      case place::ports:
        object.ports.emplace();
        break;
      case place::port:
        object.ports->emplace_back();
        break;
      default:
        break;
    }
  }

  void leave(place at) {
    if (at == place::endpoint && !addresses_.empty())
      take_endpoint();
    else if (at == place::endpoints && !object.ready.empty())
      object.fallback.clear();
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
      case place::deletion:
        object.deleting = true;
        break;
      case place::service_label:
        object.service.emplace(text);
        break;
      case place::managed_by_label:
        object.managed_by = text;
        break;
      case place::name_annotation:
        object.ours.name.emplace(text);
        break;
      case place::generation_annotation:
        object.ours.generation.emplace(text);
        break;
      case place::timestamp_annotation:
        object.ours.timestamp.emplace(text);
        break;
      case place::address_type:
        object.address_type = text;
        break;
      case place::address:
        addresses_.emplace_back(text);
        break;
      default:
        take_port_text(object.ports->back(), at, text);
        break;
    }
  }

  bool integer(place at, std::int64_t number) {
    if (at == place::port_number)
      return take_port_number(object.ports->back(), number);
    object.generation = number;
    return true;
  }

  void flag(place at, bool set) {
    (at == place::ready ? ready_ : at == place::serving ? serving_ : terminating_) = set;
  }

  const char* missing() const { return missing_metadata(object); }

  value object;

private:
  void take_endpoint() {
    if (ready_)
      object.ready.push_back({std::exchange(addresses_, {})});
    else if (serving_ && terminating_)
      object.fallback.push_back({std::exchange(addresses_, {})});
  }

  std::vector<std::string> addresses_;
  bool ready_ = true;
  bool serving_ = false;
  bool terminating_ = false;
};

} // namespace sliceferry::k8s
