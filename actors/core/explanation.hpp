#pragma once
#include "actors/core/name_choice.hpp"
#include "actors/core/queue_tale.hpp"
#include "actors/core/target.hpp"
#include "messages/clock.hpp"
#include "messages/command.hpp"
#include "messages/object_key.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::core {

/// What a rule says of a slice.
enum class ruling {
  passes,
  fails,
  unknown,     ///< it can't be told yet, and nothing is concluded; or only a running program could tell it
  not_reached, ///< an earlier rule has decided, or nothing asks for this one
};

/// The rows of the decision table, in its order, and then the guard's leave.
enum class explained_rule { leaving, synced, presence, imported, address_type, service, deleting, consent, leave };

struct finding {
  explained_rule rule = explained_rule::synced;
  ruling is = ruling::not_reached;
  std::string evidence; ///< what was seen, for people; empty where the rule wasn't reached

  bool operator==(const finding&) const = default;
};

/// How the slice's export stands, all rules taken together.
enum class standing {
  undecided,    ///< nothing is concluded: what is stays as it is
  not_exported, ///< something forbids it, and nothing of ours is out there
  exported,     ///< named by the slice, acknowledged, and as it ought to be
  exporting,    ///< it ought to be exported, and something is still to be done or awaited
  withdrawing,  ///< something forbids it, and what is out there goes
  held,         ///< it would be withdrawn, but for the guard's leave
};

/// Whose an export on the hub is.
enum class owner_seen {
  this_slice,
  another_slice, ///< of the same member
  foreign,
};

struct export_seen {
  std::string name;
  std::string uid;
  std::string resource_version;
  std::int64_t generation = 0;
  std::optional<seconds_utc> since;
  owner_seen whose = owner_seen::foreign;
  bool terminating = false;
  std::optional<bool> equivalent; ///< to what the slice asks for; nothing where it asks for none, or it isn't ours

  bool operator==(const export_seen&) const = default;
};

/// Which rule names the export. `name` is empty where a new one is to be made.
struct name_found {
  name_rule by = name_rule::fresh;
  std::string name;
  std::string evidence;

  bool operator==(const name_found&) const = default;
};

/// Which generation the slice is at, and since when it counts as exported.
struct since_found {
  std::int64_t generation = 0; ///< the slice's
  seconds_utc since{};         ///< what its export says, or would say now
  std::string evidence;

  bool operator==(const since_found&) const = default;
};

/// What only the running program knows.
struct activity {
  bool awake = false;         ///< an exporter is at work for the slice
  std::optional<command> out; ///< the one command that it has handed to a writer
  queue_tale member{};        ///< what the member's writer knows of it
  queue_tale hub{};           ///< what the hub's writer knows of it
  unsigned undone = 0;        ///< how often lately somebody else undid the export
  std::uint32_t names_chosen = 0;

  bool operator==(const activity&) const = default;
};

/// Why a slice is exported or not. `explain` makes all of it but `member`, `uid` and `runs`.
struct explanation {
  std::string member;
  object_key slice;
  std::string uid;
  standing stands = standing::undecided;
  std::string conclusion;                     ///< one sentence, for people
  explained_rule by = explained_rule::synced; ///< the rule that decided; `consent` where all let it pass
  std::optional<proof> why;                   ///< of a withdrawal, held or not
  std::vector<finding> rules;                 ///< all of them, in order
  std::optional<name_found> name;             ///< where the slice ought to be exported
  std::optional<since_found> since;           ///< the same
  std::optional<command> owed;                ///< what is to be done next
  bool name_is_made_up = false;               ///< what is owed would name the export anew; its name isn't chosen yet
  std::vector<export_seen> exports;           ///< those of the slice, and the one under its name
  std::optional<activity> runs;               ///< nothing: no program was asked

  bool operator==(const explanation&) const = default;
};

std::string_view to_string(ruling is);
std::string_view to_string(explained_rule rule);
std::string_view to_string(standing stands);
std::string_view to_string(owner_seen whose);
std::string_view to_string(name_rule by);

} // namespace sliceferry::core
