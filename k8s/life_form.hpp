#pragma once
#include "k8s/fields.hpp"
#include "k8s/object_life.hpp"

namespace sliceferry::k8s {

/// How the JSON of any object becomes an `object_life`. Cluster-wide objects have no namespace.
class life_form {
public:
  using value = object_life;

private:
  static constexpr field metadata_[] = {
    {"name", place::name}, {"uid", place::uid}, {"deletionTimestamp", place::deletion}};
  static constexpr field root_[] = {{"metadata", place::any, shape::object, metadata_}};

public:
  static constexpr field root{"", place::any, shape::object, root_};

  void enter(place) {}
  void leave(place) {}
  void text(place at, std::string_view text) {
    if (at == place::name)
      object.name = text;
    else if (at == place::uid)
      object.uid = text;
    else
      object.terminating = true;
  }
  bool integer(place, std::int64_t) { return true; }
  void flag(place, bool) {}

  const char* missing() const { return object.name.empty() ? "name" : nullptr; }

  value object;
};

} // namespace sliceferry::k8s
