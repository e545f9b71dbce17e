#pragma once
#include "actors/journal/journal_record.hpp"
#include "actors/journal/reading_end.hpp"
#include "messages/object_key.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace sliceferry::journal {

class journal_reader;

/// What of a journal is told.
struct history_query {
  std::string directory{};
  std::optional<object_key> slice{}; ///< all that ever had this name; else all slices
  std::string member{};              ///< empty: all members
  std::optional<moment> since{};
  std::optional<std::uint64_t> after{}; ///< only what lies beyond this position
  bool json = false;
};

/// Tells the records that the query is about, oldest first, one line each: as `to_json` or `record_lines` form them.
/// For people, a line before the first record of each slice that had the name says whose life follows. The note says
/// if there is nothing, and how far the journal's log reaches back. A record that can't be read is told as such
/// whatever is asked for, as it may have been of that.
///
/// Where the log's beginning was cut, what the snapshot remembers of a slice that is asked for by name comes before the
/// first record that the snapshot doesn't know: unless the log tells the whole life, or only news are asked for
/// (`since`, `after`). Interruptions after the first record that is told of it are told too: its story may lack what
/// happened then.
///
/// A slice of which nothing is recorded, and a position beyond the journal's last, are failures; a member of which no
/// stream is makes the question `misasked`. That there is no news isn't wrong.
///
/// Follows the records that were there when it began; a program that writes beside it isn't kept waiting.
reading_end show_history(const history_query& asked, const text_sink& sink);

/// The same in this process: a damaged file may end it.
reading_end tell_history(journal_reader& from, const history_query& asked, const text_sink& sink);

} // namespace sliceferry::journal
