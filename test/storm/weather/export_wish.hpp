#pragma once
#include <cstdint>
#include <string>

namespace sliceferry::storm {

/// What somebody does to an export on the hub, or beside it.
enum class export_deed : std::uint8_t {
  edit_endpoints,
  edit_ports,
  edit_generation,
  edit_since,
  edit_reference, ///< to another slice's name
  edit_owner,
  edit_uid,     ///< of the reference: it looks like a leftover
  edit_cluster, ///< of the reference: it looks like another cluster's
  label,        ///< others' business: it must stay
  remove,
  replace,   ///< deletes it; another cluster's takes its name
  hold,      ///< deletes it while a finalizer holds it; releases it after a while
  duplicate, ///< the same under another name
  orphan,    ///< one of ours of a slice that never was
  plant,     ///< one of another cluster in our namespace
  revert,    ///< as a rival does that thinks it is its own: a change each time
  snatch,    ///< as a rival that deletes it
};
inline constexpr std::uint32_t tamperings = 15; ///< so many of them are nobody's system

/// Something done to the export of a slice, whose name on the hub only the program knows.
struct export_wish {
  export_deed what = export_deed::label;
  std::string member;
  std::string nspace; ///< of the slice
  std::string slice;
  std::uint32_t number = 0; ///< tells wishes apart

  bool operator==(const export_wish&) const = default;
};

} // namespace sliceferry::storm
