#pragma once
#include "actors/journal/journal_record.hpp"
#include "actors/journal/memory_codec.hpp"

#include <cstddef>
#include <string>

namespace sliceferry::journal {

/// `2026-11-30T13:05:09.123Z`
std::string format_moment(moment at);

/// One record as one line of JSON, for programs. Fields are only ever added.
///
///     position    number: of the record in the journal; rises by one, without gaps
///     time        RFC 3339 with milliseconds, UTC: by the program's clock when the record was handed to the journal
///     member, namespace, name, uid    of the slice whose stream it is; not for an interruption
///     event       as `name_of` spells it ("generation seen"), or "remembered", or "interruption"
///
/// and the event's own fields under the names of messages/event.hpp, each where the event has it: `name` is already
/// the slice's, so the export's is `export`. `generation` number; `since` RFC 3339; `hub_uids` array; `hub_uid`;
/// `digest`, `accepted` decimal numbers as strings (JavaScript's numbers are too short for them); `why` the proof;
/// `command`, `reason`, `what`. A `remembered` has either `blank` alone, true, or `export`, `generation`, `since`,
/// `hub_uids`, `digest`, `accepted`, `withdrawals` (objects with `export`, `hub_uid`, `why`, `done`), `names_chosen`,
/// `annotated_in_row` and, of the flags in actors/core/memory.hpp, those that are true. An `interruption` has `from`
/// (in the form of `time`, which is when it ended) and `reason`.
std::string to_json(const journal_record& what);

/// What a snapshot holds of a stream, for where the log doesn't tell its whole life any more: as a `remembered`, with
/// `snapshot`, true; `position` is that of the newest record in it, and there is no `time`.
std::string to_json(const kept_memory& kept);

/// The line of a record that can't be read: position, "event":"unreadable", "why":"damaged" or "newer".
std::string unreadable_to_json(std::uint64_t position, bool newer);

/// Records as lines for people, in columns: time, member, slice, the UID's beginning, event, details. A column grows
/// with what it has to hold, so later lines may be wider.
class record_lines {
public:
  std::string line(const journal_record& what);
  /// In place of the time it says that this is the snapshot's.
  std::string line(const kept_memory& kept);

private:
  std::string columns(std::string when, const stream_id& whose, const object_key& where, std::string what);
  std::size_t member_width_ = 0;
  std::size_t slice_width_ = 0;
};

std::string unreadable_to_line(std::uint64_t position, bool newer);

} // namespace sliceferry::journal
