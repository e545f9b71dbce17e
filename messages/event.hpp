#pragma once
#include "messages/clock.hpp"
#include "messages/command.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sliceferry {

/// The facts of one slice's life, in past tense: what the journal keeps and memory folds.

/// Memory was empty or contradicted the clusters; it takes what they show. Nothing is owed by it.
struct adopted {
  std::string name;
  std::int64_t generation = 0;
  seconds_utc since{};
  std::vector<std::string> hub_uids;
  std::uint64_t digest = 0;
  bool operator==(const adopted&) const = default;
};

/// A generation of the slice was seen for the first time, and when; precedes any command about it.
struct generation_seen {
  std::int64_t generation = 0;
  seconds_utc since{};
  bool operator==(const generation_seen&) const = default;
};

struct name_chosen {
  std::string name;
  bool operator==(const name_chosen&) const = default;
};

/// The member acknowledged our annotations for this generation.
struct annotated {
  std::int64_t generation = 0;
  bool operator==(const annotated&) const = default;
};

/// The hub acknowledged the export. `accepted` differs from `digest` when the server stored
/// something else than was sent (pruning, a webhook); it is remembered so that we don't fight.
struct export_applied {
  std::string name;
  std::string hub_uid;
  std::uint64_t digest = 0;
  std::uint64_t accepted = 0;
  bool operator==(const export_applied&) const = default;
};

struct withdrawal_begun {
  std::string name;
  std::string hub_uid;
  proof why = proof::seen;
  bool operator==(const withdrawal_begun&) const = default;
};

/// Consent returned while the delete was still queued: nothing was sent, the name is kept.
struct withdrawal_cancelled {
  bool operator==(const withdrawal_cancelled&) const = default;
};

struct export_withdrawn {
  std::string hub_uid;
  bool operator==(const export_withdrawn&) const = default;
};

struct annotations_cleared {
  bool operator==(const annotations_cleared&) const = default;
};

/// A server refused a command for good reasons of its own; `command` as `name_of` spells it.
struct refused {
  std::string command;
  std::string reason;
  bool operator==(const refused&) const = default;
};

/// The export on the hub had been changed or removed by someone else.
struct drift_repaired {
  std::string what;
  bool operator==(const drift_repaired&) const = default;
};

/// Memory said one thing and the clusters another; the clusters won.
struct contradiction {
  std::string what;
  bool operator==(const contradiction&) const = default;
};

/// The slice no longer exists. With no export left this ends the stream.
struct slice_gone {
  bool operator==(const slice_gone&) const = default;
};

using event =
  std::variant<adopted, generation_seen, name_chosen, annotated, export_applied, withdrawal_begun, withdrawal_cancelled,
               export_withdrawn, annotations_cleared, refused, drift_repaired, contradiction, slice_gone>;

/// The fact's name as the journal and `history` spell it, e.g. "name chosen".
std::string_view name_of(const event& told);
std::string to_string(const event& told);

} // namespace sliceferry
