#include "test/storm/weather/fault_table.hpp"

#include <algorithm>

namespace sliceferry::storm {
namespace {

using enum fault_set;
using enum fault_place;

constexpr extent whole{100, 100};
constexpr extent at_once{};
constexpr extent none{};

constexpr fault_kind kinds[]{
  {"latency", basic, any_cluster, {3'000, 10'000}, {20, 300}, {30, 100}, "Answers come late, by about the amount."},
  {"reset", basic, any_cluster, {2'000, 8'000}, none, {2, 20}, "Connections are reset before a request is handled."},
  {"one_byte_chunks", basic, any_cluster, {2'000, 6'000}, none, {20, 100}, "Bodies come one byte at a time."},
  {"truncated_lines", basic, any_cluster, {2'000, 8'000}, none, {2, 20}, "Watches end in the middle of a line."},
  {"huge_lines", basic, any_cluster, {2'000, 8'000}, none, {1, 10}, "Watches carry events of megabytes."},
  {"blank_lines", basic, any_cluster, {2'000, 8'000}, none, {10, 50}, "Watches carry lines without anything."},
  {"html_errors", basic, any_cluster, {2'000, 8'000}, none, {5, 40}, "A proxy answers with a page of HTML."},
  {"errors_5xx", basic, any_cluster, {2'000, 8'000}, none, {5, 50}, "Requests are answered with 500, 503 or 504."},
  {"server_restart",
   basic,
   any_cluster,
   at_once,
   {200, 3'000},
   whole,
   "The server goes down for the amount and comes back without its events.",
   true},
  {"cut_watches", basic, any_cluster, at_once, none, whole, "All watches end."},
  {"expired_watches",
   basic,
   any_cluster,
   {1'000, 4'000},
   none,
   whole,
   "Events are forgotten, watches end, and new ones are answered with HTTP 410."},
  {"kill_program",
   basic,
   program,
   at_once,
   {100, 2'000},
   whole,
   "The program gets a SIGKILL and is started again after the amount.",
   true},
  {"stop_program", basic, program, {500, 4'000}, none, whole, "The program gets a SIGSTOP and later goes on.", true},

  {"half_open", all, any_cluster, {3'000, 8'000}, none, whole, "Connections stay open, and nothing passes.", true},
  {"mute_watches", all, any_cluster, {3'000, 10'000}, none, {30, 100}, "Watches stay open and tell nothing more."},
  {"empty_lists",
   apart,
   fault_place::member,
   {2'000, 6'000},
   none,
   {40, 100},
   "Lists wrongly lack a share of their objects; watches end at begin and end."},
  {"quota", all, fault_place::hub, {2'000, 6'000}, none, {30, 100}, "Creates are answered with 403: quota exceeded."},
  {"denied_writes", all, any_cluster, {2'000, 6'000}, none, {30, 100}, "A webhook denies creates and changes."},
  {"mutated_exports",
   apart,
   fault_place::hub,
   {4'000, 8'000},
   none,
   whole,
   "A webhook changes the ports of each export that is written."},
  {"conflict_bursts", all, any_cluster, {1'000, 5'000}, none, {10, 60}, "Writes are answered with 409 Conflict."},
  {"throttle", all, any_cluster, {2'000, 6'000}, none, {20, 80}, "Requests are answered with 429 and Retry-After."},
  {"lost_answers", all, any_cluster, {2'000, 8'000}, none, {5, 40}, "Writes are carried out, their answers lost."},
  {"gzip", all, any_cluster, {3'000, 10'000}, none, {30, 100}, "Answers are compressed."},
  {"restored_backup",
   all,
   any_cluster,
   at_once,
   {2'000, 8'000},
   whole,
   "After the amount the server is what it was before it: lower resourceVersions.",
   true},
  {"emptied",
   apart,
   fault_place::hub,
   at_once,
   {500, 4'000},
   whole,
   "The server is as it was when new; after the amount the members' namespaces are made again.",
   true},
  {"outage", apart, fault_place::hub, at_once, {20'000, 20'000}, whole, "The server is down for the amount.", true},
  {"long_outage", apart, fault_place::hub, at_once, {210'000, 210'000}, whole, "The same, for minutes.", true},
  {"expired_token", all, any_cluster, {1'000, 5'000}, none, whole, "The program's token is answered with 401."},
  {"revoked_rights", all, any_cluster, {1'000, 5'000}, none, whole, "The program's requests are answered with 403."},
  {"revoked_writes", all, any_cluster, {1'000, 5'000}, none, whole, "The program's writes are answered with 403."},
  {"revoked_watches",
   all,
   any_cluster,
   {1'000, 5'000},
   none,
   whole,
   "The program's watches are cut, its lists and watches answered with 403."},
  {"clock_step", all, program, at_once, {1'000, 3'600'000}, whole, "The program's clock steps by the amount."},
  {"remove_crd",
   all,
   any_cluster,
   {2'000, 6'000},
   none,
   whole,
   "The CRD of exports is deleted with all of them and later made again; in a member that of ServiceExports, which "
   "come back with it.",
   true},

  {"disk_full", disk, program, {2'000, 10'000}, none, whole, "The journal's disk has no room."},
  {"disk_errors", disk, program, {2'000, 10'000}, none, {10, 100}, "The journal can't be written or synced."},
  {"slow_disk", disk, program, {3'000, 10'000}, {100, 2'000}, whole, "The journal's syncs take the amount longer."},
  {"hung_disk", disk, program, {1'000, 5'000}, none, whole, "The journal's writes and syncs don't return."},
  {"torn_journal",
   disk,
   program,
   at_once,
   {100, 1'000},
   whole,
   "The program gets a SIGKILL, and the journal loses its end or some bits of it before it is started again.",
   true},
};

bool is_in(const fault_kind& each, std::string_view set) {
  return (set == "basic" && each.set == basic) || (set == "all" && each.set != apart) ||
         (set == "disk" && each.set == disk);
}

} // namespace

std::span<const fault_kind> fault_kinds() {
  return kinds;
}

std::optional<std::vector<const fault_kind*>> kinds_named(std::string_view name) {
  std::vector<const fault_kind*> out;
  for (const auto& each : kinds)
    if (each.name == name || is_in(each, name))
      out.push_back(&each);
  if (out.empty() && name != calm)
    return std::nullopt;
  return out;
}

} // namespace sliceferry::storm
