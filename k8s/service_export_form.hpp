#pragma once
#include "k8s/fields.hpp"
#include "messages/service_export.hpp"

namespace sliceferry::k8s {

/// How the JSON of a ServiceExport (v1alpha1 and v1beta1 alike) becomes a `service_export`.
class service_export_form {
public:
  using value = service_export;

private:
  static constexpr field metadata_[] = {
    {"name", place::name},
    {"namespace", place::nspace},
    {"uid", place::uid},
    {"resourceVersion", place::resource_version},
    {"generation", place::generation, shape::integer},
    {"deletionTimestamp", place::deletion},
  };
  static constexpr field condition_[] = {
    {"type", place::condition_type},
    {"status", place::condition_status},
    {"observedGeneration", place::condition_generation, shape::integer},
  };
  static constexpr field condition_element_[] = {{"", place::condition, shape::object, condition_}};
  static constexpr field status_[] = {{"conditions", place::any, shape::array, condition_element_}};
  static constexpr field root_[] = {
    {"metadata", place::any, shape::object, metadata_},
    {"status", place::any, shape::object, status_},
  };

public:
  static constexpr field root{"", place::any, shape::object, root_};

  void enter(place) {
    type_.clear();
    one_ = {};
  }

  void leave(place) {
    // The first of a type counts, as in apimachinery's FindStatusCondition.
    if (type_ == "Valid" && !object.valid)
      object.valid = one_;
    else if (type_ == "Conflict" && !object.conflict)
      object.conflict = one_;
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
      case place::condition_type:
        type_ = text;
        break;
      default:
        one_.is = text == "True"    ? condition::status::yes
                  : text == "False" ? condition::status::no
                                    : condition::status::unknown;
        break;
    }
  }

  bool integer(place at, std::int64_t number) {
    if (at == place::condition_generation)
      one_.observed_generation = number;
    else
      object.generation = number;
    return true;
  }

  void flag(place, bool) {}

  const char* missing() const { return missing_metadata(object); }

  value object;

private:
  std::string type_;
  condition one_;
};

} // namespace sliceferry::k8s
