#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

/// What may happen next in a simulated run. Each takes two numbers; an index counts modulo what is present, so that
/// any step makes sense, or does nothing, after any other.
enum class op {
  // Hands on the member.
  write_slice,    ///< (slot, content) created, or its endpoints changed
  label_slice,    ///< (slot, service) moved to another Service, or to none
  mark_slice,     ///< (slot, how) address type, managed-by, ports, readiness, or foreign metadata
  delete_slice,   ///< (slot, how) gone, or deleting and held by a finalizer
  recreate_slice, ///< (slot, how) another UID under the same name, perhaps with the old annotations
  tamper,         ///< (slot, how) our annotations wiped or overwritten
  consent,        ///< (service, how) its ServiceExport says something else
  drop_nspace,    ///< (nspace, -) a namespace with all that is in it goes
  // Hands on the hub.
  hub_edit,     ///< (export, how)
  hub_delete,   ///< (export, -) by someone else
  hub_foreign,  ///< (slot, name) another cluster's export, where it can be under the name that the slice carries
  hub_leftover, ///< (how many, -) exports of slices that are no more
  hub_twin,     ///< (slot, -) a second export of the slice
  controller,   ///< (export, how) the hub controller adds its finalizer, or lets go
  hub_nspace,   ///< (state, -) there, terminating, gone
  // Watches; the first number names the collection.
  hear,     ///< (which, how many) the next events arrive in one batch
  cut,      ///< (which, how many) the watch resumes: these events are told again
  expire,   ///< (which, -) 410: a list begins anew
  page,     ///< (which, how many) the next page of a list
  catch_up, ///< (which, -) list and watch to the end
  // Requests under way.
  serve,   ///< (request, fate) carried out and answered
  execute, ///< (request, fate) carried out; the answer is still on its way
  answer,  ///< (request, -) a waiting answer arrives
  lose,    ///< (request, how) no answer will come; the request may still be carried out later
  ghost,   ///< (request, -) one that nobody waits for is carried out
  // The process.
  busy,  ///< (steps, -) for so long, messages between its actors wait for `turn`
  turn,  ///< (actor, -) one actor takes one message
  fail,  ///< (exporter, -) throws at its next message
  crash, ///< (limits, -) the process ends, all its memory is lost, another one starts
  pass,  ///< (ms, -) time passes
  clock, ///< (seconds, -) the process's wall clock is set wrong by so much
  calm,  ///< (rounds, -) everything works for a while
};

inline constexpr int ops_count = static_cast<int>(op::calm) + 1;

struct step {
  op what = op::calm;
  std::uint32_t a = 0;
  std::uint32_t b = 0;

  bool operator==(const step&) const = default;
};

using trace = std::vector<step>;

std::string_view name_of(op what);
/// As C++ spells it: `{op::hear, 0, 3}`.
std::string to_string(const step& one);

} // namespace sliceferry::storm
