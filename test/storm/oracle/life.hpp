#pragma once
#include "test/storm/oracle/expectation.hpp"

#include <string>
#include <vector>

namespace sliceferry::storm {

struct life;

/// Who changed an object last, and when.
struct last_change {
  moment when{instant{}, long_ago};
  bool by_program = false;
};

/// An export that stands in a member's hub namespace.
struct export_record {
  seen_export seen;
  life* of = nullptr; ///< null: its reference holds another cluster's id, so it is foreign
  bool made_by_program = false;
  run_time made = long_ago;
  last_change changed;
  bool mutated = false;                 ///< by a webhook of the hub, when it was written last
  run_time edited_by_others = long_ago; ///< when somebody else made it or changed its spec
};

/// How others undo a life's exports, and how often the program puts them right; it is over after a while of peace.
struct contest {
  static constexpr std::chrono::seconds peace{10};

  instant last{};
  unsigned undone = 0;
  unsigned mended = 0;
  bool told = false;

  void undo(instant at) {
    if (at > last + peace)
      *this = {};
    last = at;
    ++undone;
  }
  void mend(instant at) { mended += at <= last + peace ? 1U : 0U; }
};

/// One line of a story, without payload.
struct story_line {
  enum class about : std::uint8_t { slice, consent, exported };

  instant at{};
  std::int64_t generation = 0;
  std::uint16_t user = 0; ///< index of the known users
  std::uint16_t code = 0;
  std::uint8_t verb = 0; ///< index of the known verbs
  std::uint8_t change = 0;
  about what = about::slice;
  bool flag = false;      ///< an export: terminating; a slice: named
  call called = call::no; ///< after it
  std::uint8_t name = 0;  ///< of an export: index of the life's `names`
};

/// All that is known of one slice of a member, by its UID: the slice, its exports and what happened to them.
struct life {
  struct carried {
    std::string name;
    run_time until{};
  };
  struct awaited {
    std::int64_t generation = 0;
    instant since{};
  };

  std::string uid;
  object_key key; ///< of the slice; empty while only exports were seen
  std::optional<seen_slice> slice;
  last_change changed; ///< of the slice
  bool half_cleared = false;
  std::vector<carried> former; ///< names that the slice carried before, the last few
  std::vector<export_record*> exports;

  call called = call::no;
  run_time called_since = long_ago; ///< when `called` became what it is, or the slice moved to another service
  bool wavered = false;             ///< once called for, it wasn't for a while, or moved to another service
  bool was_called = false;          ///< before a kind of the member was removed
  bool owed = false;                ///< its State differs
  run_time progress = long_ago;     ///< when it became owed, or its exports last changed by the program
  bool starved = false;             ///< and that was told
  run_time doubled = long_ago;      ///< since when it has two live exports
  bool doubled_told = false;
  contest against;                ///< others who undo its exports
  instant righted{};              ///< when its State was right last
  run_time bereft = long_ago;     ///< when somebody else last took or made a live export of it
  std::int64_t written = -1;      ///< highest generation that the program wrote
  run_time written_at = long_ago; ///< when it was written first
  std::vector<awaited> pending;   ///< generations that the hub doesn't hold yet
  std::vector<story_line> story;  ///< the last few
  std::vector<std::string> names; ///< of exports in the story
  instant last{};                 ///< when anything happened to it

  std::size_t live() const {
    std::size_t out = 0;
    for (const auto* each : exports)
      out += each->seen.terminating ? 0U : 1U;
    return out;
  }
  bool over() const { return !slice && exports.empty(); }
};

} // namespace sliceferry::storm
