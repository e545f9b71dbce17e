#pragma once
#include "actors/core/memory.hpp"
#include "messages/endpoint_slice.hpp"
#include "messages/hub_export.hpp"
#include "messages/object_key.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sliceferry::core {

/// When an object was last heard of, as far as that decides which news is newer (`newness`).
struct hearing {
  std::uint64_t list = 0; ///< number of the list during or after which it was heard of
  bool answered = false;  ///< heard by an answer alone since that list began
  unsigned behind = 0;    ///< answers in a row that were older

  bool operator==(const hearing&) const = default;
};

/// An export in the member's hub namespace, reduced to what rules ask for.
struct held_export {
  hub_export seen;      ///< `mine` is false: that depends on who asks
  bool created = false; ///< its owner is the one for which a write of ours made or changed it
  object_key slice;     ///< where its reference says that the slice is
  hearing heard;

  bool operator==(const held_export&) const = default;
};

/// All that a member's table holds of one slice UID: what the member shows of it, the memory that its last exporter
/// left, and the exports that it claims. Or, without a UID, an export that no slice of ours claims.
struct slice_row {
  std::string uid;
  bool recorded = false; ///< a slice of that UID is known, or known to be gone; else only exports tell of it
  bool waiting = false;  ///< not recorded, and a journal remembers it: `kept` waits for the slice
  bool gone = false;     ///< its absence is proven
  bool leftover = false; ///< gone, and only an export ever told of it
  bool assumed = false;  ///< only an operator's leave, and no proof, has it that the slice is gone
  bool awake = false;
  std::uint64_t number = 0;                    ///< of the last observation sent; never falls
  object_key key;                              ///< empty where neither recorded nor waiting
  std::shared_ptr<const endpoint_slice> slice; ///< null unless the member holds it; its key and UID are the row's
  hearing heard;                               ///< of the slice, while there is one
  memory kept;                                 ///< as the last exporter left it, also while another one is awake
  std::vector<held_export> exports;            ///< ordered by name

  /// Nobody needs to be remembered.
  bool is_void() const { return !recorded && !waiting && exports.empty(); }
};

/// Compares what the slices say, too.
bool operator==(const slice_row& left, const slice_row& right);

/// What can be read of a row without unpacking it.
struct row_head {
  bool recorded = false;
  bool waiting = false;
  bool gone = false;
  bool leftover = false;
  bool assumed = false;
  bool awake = false;
  bool has_slice = false;
  std::size_t exports = 0;
  bool refers_elsewhere = false; ///< some export's reference tells of another key than the row's
  hearing heard;                 ///< of the slice, while there is one
};

} // namespace sliceferry::core
