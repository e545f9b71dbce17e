#pragma once
#include "actors/core/memory.hpp"
#include "messages/event.hpp"
#include "messages/object_key.hpp"

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <variant>

namespace sliceferry::journal {

/// Wall-clock time as the journal keeps it, for people: nothing is decided by it.
using moment = std::chrono::sys_time<std::chrono::milliseconds>;

/// Whose life a stream tells: one slice of one member. A slice made anew under its name is another stream; slices of
/// cloned clusters share UIDs, so the member belongs to it.
struct stream_id {
  std::string member;
  std::string slice_uid;

  auto operator<=>(const stream_id&) const = default;
};

/// What a stream remembers at this point, whole; whatever its earlier records say counts no more. Blank where a life
/// begins for this journal; else it follows events that could not be written, or that happened after the stream was
/// over: snapshots leave out what is over.
struct remembered {
  core::memory held;
  bool operator==(const remembered&) const = default;
};

/// The journal could not be written from then until this record: events of that time may be lost. Belongs to no stream.
/// The streams that changed meanwhile follow as `remembered`.
struct interruption {
  moment from{};
  std::string why;
  bool operator==(const interruption&) const = default;
};

/// One record of the log. `position` counts all records of a journal from 1 on, without gaps.
struct journal_record {
  std::uint64_t position = 0;
  moment at{};
  stream_id whose;  ///< empty for an interruption
  object_key slice; ///< where the slice was found then
  std::variant<event, remembered, interruption> what;

  bool operator==(const journal_record&) const = default;
};

/// The memory of a stream after this record.
core::memory fold(core::memory before, const journal_record& next);

} // namespace sliceferry::journal
