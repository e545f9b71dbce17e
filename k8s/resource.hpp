#pragma once
#include "messages/object_key.hpp"

#include <string>
#include <string_view>

namespace sliceferry::k8s {

/// A kind of namespaced objects as an API server serves it.
struct resource {
  std::string_view group;
  std::string_view version;
  std::string_view plural;

  bool operator==(const resource&) const = default;
};

inline constexpr resource endpoint_slices{"discovery.k8s.io", "v1", "endpointslices"};
inline constexpr resource service_exports{"networking.fleet.azure.com", "v1beta1", "serviceexports"};
inline constexpr resource service_exports_alpha{"networking.fleet.azure.com", "v1alpha1", "serviceexports"};
inline constexpr resource slice_exports{"networking.fleet.azure.com", "v1alpha1", "endpointsliceexports"};

/// `text` as one segment of a path or one value of a query: all but RFC 3986's unreserved is escaped.
std::string percent_encoded(std::string_view text);

/// The path of a namespace's collection, or of the whole cluster's where `nspace` is empty.
std::string collection_path(const resource& of, std::string_view nspace);

/// The path of one object.
std::string object_path(const resource& of, const object_key& key);

/// The path of a namespace itself.
std::string namespace_path(std::string_view name);

/// The path of the CustomResourceDefinition of this kind.
std::string definition_path(const resource& of);

} // namespace sliceferry::k8s
