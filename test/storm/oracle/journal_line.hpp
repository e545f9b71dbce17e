#pragma once
#include "test/storm/history/entry.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

/// Which generation of a slice was seen first, and when.
struct dated_generation {
  std::int64_t generation = 0;
  std::int64_t since = 0; ///< seconds since 1970

  bool operator==(const dated_generation&) const = default;
};

/// A record of the program's journal as its `history -o json` prints it, reduced to what can explain a write.
struct journal_line {
  enum class kind {
    told,         ///< an event
    gone,         ///< the event that the slice is gone: with no export left the stream ends
    blank,        ///< the stream begins here for this journal
    remembered,   ///< a stream's memory, whole: it follows what could not be written
    interruption, ///< of no stream
    unreadable,   ///< the journal has it, and it is damaged; of no stream, without a time
  };

  kind is = kind::told;
  std::uint64_t position = 0; ///< counts all records of the journal
  instant at{};               ///< by the program's clock
  instant from{};             ///< of an interruption: when it began
  std::string member, slice_uid;
  std::string export_name; ///< chosen, adopted or remembered here; else empty
  std::optional<dated_generation> dated;
  std::vector<std::string> withdrawn; ///< hub UIDs whose deletes are decided here
};

/// Nothing where the line isn't of that form.
std::optional<journal_line> read_journal_line(std::string_view line);

} // namespace sliceferry::storm
