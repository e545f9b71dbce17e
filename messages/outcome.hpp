#pragma once
#include "messages/endpoint_slice.hpp"
#include "messages/failure.hpp"
#include "messages/hub_export.hpp"
#include "messages/slice_export.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sliceferry {

/// How a command ended. The writer retries what time alone can heal (throttled, unavailable,
/// unauthorized, missing namespaces); everything else comes back as one of these.
enum class verdict {
  done,              ///< the server did it
  missing,           ///< 404 of the object; of a create: cannot happen
  other_uid,         ///< the name is held by another object
  conflict,          ///< the object changed meanwhile; what a read then showed comes along
  already_exists,    ///< a create met an object; what a read then showed comes along
  ambiguous,         ///< the answer was lost; what a read then showed comes along
  namespace_missing, ///< a withdrawal met a missing namespace: nothing is there any more
  refused,           ///< invalid, denied, over quota or forbidden: reported at once, retried slowly
  superseded,        ///< replaced while queued; it was never sent
  taken_back,        ///< taken back before any attempt of it had an effect
  too_late,          ///< the wish to replace or take back came after sending; the outcome follows
};

std::string_view to_string(verdict how);

/// A writer's answer about one command, on its way to the member's dispatcher.
///
/// Where the writer has read the object (after a conflict, AlreadyExists, a lost answer), `read`
/// is true and the object is present or proven absent. It never judges ownership.
struct write_answer {
  std::string slice_uid;
  std::uint64_t ticket = 0;
  verdict how = verdict::done;
  failure why;                          ///< meaningful for refused
  bool read = false;                    ///< a GET was answered after the write
  std::optional<endpoint_slice> slice;  ///< the member's object, if the answer held it
  std::optional<slice_export> exported; ///< the hub's object, if the answer held it
  std::string hub_uid;                  ///< the export that a change or a delete was meant for; else empty
  bool repaired = false;                ///< done, and it put right what somebody else had undone
};

/// The same, as the slice's exporter sees it: the hub's object reduced and its owner named.
struct outcome {
  std::uint64_t ticket = 0;
  verdict how = verdict::done;
  failure why;
  bool read = false;
  std::optional<hub_export> exported;
  bool slice_answered = false; ///< the member's object came along and is part of the inputs

  bool operator==(const outcome&) const = default;
};

std::string to_string(const outcome& end);

} // namespace sliceferry
