#pragma once
#include "actors/core/explanation.hpp"
#include "actors/core/member_identity.hpp"
#include "messages/clock.hpp"
#include "messages/endpoint_slice.hpp"
#include "messages/object_key.hpp"
#include "messages/service_export.hpp"
#include "messages/slice_export.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sliceferry::core {

/// What was read of both clusters about one name, by GETs and one complete list of the hub namespace.
struct slice_readings {
  object_key where;
  std::optional<endpoint_slice> slice;   ///< nothing: it isn't there
  std::optional<service_export> consent; ///< of the Service of `slice`; nothing: it isn't there
  std::vector<slice_export> exports;     ///< all that the hub namespace holds
  std::string exports_version;           ///< resourceVersion of their list
  bool leaving = false;                  ///< the settings have the member leave the fleet
};

/// The slices of that name: the one that is there, and those of which only exports tell. Memory, queues and the guard's
/// leave are known to the running program alone, so this is what a program that starts now would say,
/// with `unknown` for the rules that only a running one can judge.
std::vector<explanation> explain_readings(const member_identity& identity, const slice_readings& read, seconds_utc now);

} // namespace sliceferry::core
