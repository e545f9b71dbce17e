#pragma once
#include "actors/admin/admin_server.hpp"
#include "actors/journal/journal.hpp"
#include "actors/journal/journal_status.hpp"
#include "actors/journal/replay.hpp"

#include <functional>
#include <optional>
#include <string>

namespace sliceferry {

/// What a running program tells of its slices' memories, and of the journal that should hold them.
struct running_memories {
  journal::memory_digests digests{};
  bool keeps_journal = true;
  std::optional<journal::degradation> degraded{}; ///< its journal, just now
};

/// The line before the memories: `# journal STATE`, or `# journal degraded SINCE WHY`; of no journal the state is
/// "none". `now`: the wall clock.
std::string journal_line(const std::optional<journal::journal_status>& kept, journal::moment now);

/// These pages, with such a line before each answer that is one.
admin_questions with_journal_line(admin_questions pages, std::function<std::string()> line);

/// With that of a journal that outlives them; null: none is kept.
admin_questions with_journal_line(admin_questions pages, const journal::journal* kept);

/// Reads what such a page answered; nothing if it is none.
std::optional<running_memories> read_memories(const std::string& text);

} // namespace sliceferry
