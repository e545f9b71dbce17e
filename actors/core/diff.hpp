#pragma once
#include "actors/core/member_identity.hpp"
#include "actors/core/spec_fields.hpp"
#include "messages/clock.hpp"
#include "messages/endpoint_slice.hpp"
#include "messages/object_key.hpp"
#include "messages/service_export.hpp"
#include "messages/slice_export.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::core {

/// How what is differs from what should be; by and by the worst first.
enum class difference_kind {
  missing,       ///< a slice that should be exported isn't
  content,       ///< its export holds something else than it should
  unwanted,      ///< an export of a slice that may not be exported
  leftover,      ///< an export of our cluster whose slice isn't there
  duplicate,     ///< a second export of one slice
  name_taken,    ///< the name on the slice is that of somebody else's export
  annotations,   ///< of an exported slice: name or last-seen are absent or wrong
  uncleared,     ///< annotations of ours on a slice that may not be exported
  former,        ///< an export under a former name of the member, of which nothing needs to stay
  unreadable,    ///< an object that could not be decoded: nothing can be said of it
  undecided,     ///< harmless: the ServiceExport awaits its verdict, and what is there stays as it is
  older_version, ///< harmless: the export names an older resourceVersion of its slice, else all is right
};

/// True where nothing needs to be done.
bool is_harmless(difference_kind kind);
/// As `diff` prints it: `missing`, `content`, `name-taken`, `older-version`, …
std::string_view to_string(difference_kind kind);

struct difference {
  difference_kind kind = difference_kind::missing;
  object_key slice;
  std::string slice_uid;
  std::string export_name;              ///< empty where no export is concerned, or its name isn't chosen yet
  std::vector<field_difference> fields; ///< what is and what should be, where it is fields that differ
  std::string why;                      ///< for people: the rule and its evidence; may be empty

  bool operator==(const difference&) const = default;
};

/// What one member's clusters hold, by one complete list of each collection.
struct member_lists {
  struct unreadable {
    enum class kind { slice, consent, exported };
    kind what = kind::slice;
    object_key key;
    std::string text; ///< what is wrong with it
  };

  /// What lies in the hub namespace of a former name.
  struct former_exports {
    std::string cluster; ///< the former name
    std::vector<slice_export> exports;
  };

  std::vector<endpoint_slice> slices;
  std::vector<service_export> consents;
  std::vector<slice_export> exports;
  std::string slices_version; ///< resourceVersions of the lists
  std::string consents_version;
  std::string exports_version;
  std::vector<former_exports> former;
  std::vector<unreadable> broken;
};

struct comparison {
  std::vector<difference> found; ///< by kind, slice and export
  std::size_t slices = 0;        ///< that the member holds
  std::size_t wanted = 0;        ///< of them, those that should be exported
  std::size_t exports = 0;       ///< that the hub namespace holds
  std::size_t foreign = 0;       ///< of them, those that no slice of our cluster claims
};

/// What an exporter that starts now would put right, and nothing else: `decide`, `outstanding`, `project` and
/// `equivalent` judge, over the member's table, slice by slice, as on a cold start. So whatever the Go agent writes
/// otherwise and readers can't tell apart is none, nor is a foreign export; and of two fields, one of which follows
/// from the other (a new time from a new generation), only the cause is named. `leaving`: the member leaves the fleet.
///
/// What was remembered elsewhere isn't known here: where the hub's server stores something else than was sent (pruning,
/// a webhook), that is a difference.
comparison compare(const member_identity& identity, const member_lists& are, bool leaving, seconds_utc now);

/// What both show alike. Differences that an agent at work makes and mends don't last from one reading to the next.
std::vector<difference> lasting(const std::vector<difference>& first, const std::vector<difference>& second);

} // namespace sliceferry::core
