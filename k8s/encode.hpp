#pragma once
#include "messages/command.hpp"
#include "messages/object_key.hpp"
#include "messages/slice_export.hpp"

#include <string>
#include <string_view>

namespace sliceferry::k8s {

// The bodies that are sent; independent of any locale. `json_type` is the Content-Type of creates
// and deletes, `merge_patch_type` that of the others.

inline constexpr std::string_view json_type = "application/json";
inline constexpr std::string_view merge_patch_type = "application/merge-patch+json";

/// Merge patch of an EndpointSlice: our three annotations and nothing else, guarded by the UID.
std::string encode_annotate(const annotate_slice& what);

/// Merge patch of an EndpointSlice: removes our three annotations, guarded by the UID.
std::string encode_clear(const clear_annotations& what);

/// A new EndpointSliceExport, for a POST.
std::string encode_create(const object_key& key, const slice_export_spec& spec);

/// Merge patch that makes an export hold `spec`, guarded by UID and resourceVersion. It names every
/// member, with `null` where there is none: a member left out would keep its old value.
std::string encode_change(const hub_target& target, const slice_export_spec& spec);

/// DeleteOptions guarded by the UID.
std::string encode_delete(std::string_view uid);

} // namespace sliceferry::k8s
