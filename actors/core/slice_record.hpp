#pragma once
#include "actors/core/memory.hpp"
#include "messages/endpoint_slice.hpp"

#include <cstdint>
#include <memory>

namespace sliceferry::core {

/// What the member's table holds of one slice, by UID: what the member shows of it and, while no
/// exporter is awake for it, the memory that the last one left.
struct slice_record {
  object_key key;
  std::shared_ptr<const endpoint_slice> slice; ///< null once gone
  bool gone = false;                           ///< its absence is proven
  bool leftover = false;                       ///< gone, and only an export ever told of it
  bool assumed = false; ///< only an operator's leave, and no proof, has it that the slice is gone
  bool awake = false;
  std::uint64_t number = 0; ///< of the last observation sent; never falls
  memory kept;              ///< as the last exporter left it, also while another one is awake
};

} // namespace sliceferry::core
