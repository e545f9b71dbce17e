#pragma once
#include "messages/clock.hpp"
#include "messages/object_key.hpp"
#include "messages/slice_export.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace sliceferry {

/// Why an export may be taken away; it travels with the command into log and journal.
enum class proof {
  seen,       ///< the object that forbids the export was itself seen
  superseded, ///< the slice's keeper is right, this one is a duplicate
  gone,       ///< slice or ServiceExport absent by a watched DELETE or a consistent list
  ending,     ///< the ServiceExport was seen being deleted
  leftover,   ///< an export of our cluster whose slice isn't there, confirmed by a read
  leaving,    ///< an operator has the member leave the fleet
};

std::string_view to_string(proof why);

/// Member: put all three annotations on the slice in one merge patch guarded by its UID.
struct annotate_slice {
  object_key slice;
  std::string uid;
  std::string name;
  std::int64_t generation = 0;
  seconds_utc since{};
  bool retry = false; ///< the sixth name in a row and later: the writer delays it

  bool operator==(const annotate_slice&) const = default;
};

/// Member: remove our three annotations from the slice.
struct clear_annotations {
  object_key slice;
  std::string uid;

  bool operator==(const clear_annotations&) const = default;
};

/// Which object of the hub a change or a delete is meant for.
struct hub_target {
  std::string uid;
  std::string resource_version;

  bool operator==(const hub_target&) const = default;
};

/// Hub: make the export under `name` hold `spec`. Without a target it is a create (POST), with
/// one a merge patch of `spec` guarded by UID and resourceVersion.
struct apply_export {
  std::string name;
  std::optional<hub_target> target;
  std::shared_ptr<const slice_export_spec> spec; ///< never null
  std::uint64_t digest = 0;                      ///< of *spec
  bool repair = false;                           ///< the hub had acknowledged this very content: somebody else undid it
  unsigned undone =
    0; ///< of a repair: how often lately somebody undid the export of this slice: the writer waits longer each time

  /// Two applies are the same when they aim at the same object with equivalent content, and both wait or neither.
  bool operator==(const apply_export& other) const {
    return name == other.name && target == other.target && digest == other.digest && (undone > 1) == (other.undone > 1);
  }
};

/// Hub: delete the export, guarded by its UID.
struct withdraw_export {
  std::string name;
  std::string hub_uid;
  proof why = proof::seen;

  bool operator==(const withdraw_export&) const = default;
};

/// What an exporter asks of a writer. Every command is idempotent: asked twice, it does no more than once.
using command = std::variant<annotate_slice, clear_annotations, apply_export, withdraw_export>;

/// The command's name as logs, metrics and the journal spell it: annotate, clear, apply, withdraw.
std::string_view name_of(const command& what);
std::string to_string(const command& what);

/// Which export a command is meant for, where it is meant for one that exists; else empty.
std::string hub_uid_of(const command& what);

/// True if it puts right what somebody else had undone.
bool is_repair(const command& what);

/// True for the commands that go to the member's API server.
inline bool is_member_write(const command& what) {
  return what.index() < 2;
}

} // namespace sliceferry
