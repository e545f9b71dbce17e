#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sliceferry::storm {

/// Time of a server's own clock.
using instant = std::chrono::microseconds; ///< since 1970, UTC

/// One line of a server's history: what was asked, by whom, and what came of it.
///
/// A simulated server writes these lines itself; a real one's audit log is read into the same form. Within one run
/// `seq` orders the entries of all clusters; a change and the request that caused it are one entry. A change that no
/// request caused (a controller that the server plays, a restored backup) has a user that begins with `system:`.
struct history_entry {
  enum class change { none, added, modified, deleted };

  std::uint64_t seq = 0;
  instant at{};         ///< when the server had decided
  std::string cluster;  ///< `hub`, or a member's name
  std::string user;     ///< whose token it was; empty: nobody's
  std::string verb;     ///< create, update, patch, delete, get, list, watch; `mark` for what isn't a request
  std::string resource; ///< plural: endpointslices, serviceexports, endpointsliceexports, namespaces …
  std::string nspace;
  std::string name;
  std::string subresource; ///< status, finalize, or empty
  int code = 0;            ///< HTTP status that was answered, or would have been; 0 for a mark
  std::string fault;       ///< the injected fault that this request met, or empty; see `weather/fault.hpp`
  std::string mark;        ///< of a mark: started, stopped, restored, compacted …
  change what = change::none;
  std::string
    object;        ///< JSON of the object after the change (deleted: as it was last, at the delete's resourceVersion)
  std::string uid; ///< of what was deleted where only that is known of it, as by an audit log; else empty
};

/// A line is a JSON object with the fields above, then a tab and the object's own JSON where there was a change.
/// No newline at its end.
std::string format(const history_entry& entry);

/// Nothing where the line isn't of that form.
std::optional<history_entry> parse_history_line(std::string_view line);

} // namespace sliceferry::storm
