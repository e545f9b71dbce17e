#pragma once
#include "test/storm/oracle/consent_record.hpp"
#include "test/storm/oracle/seen_export.hpp"
#include "test/storm/oracle/seen_slice.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sliceferry::storm {

/// What one slice's objects are, in both clusters: all that the State check looks at.
struct standing {
  const seen_slice* slice = nullptr;       ///< null: gone
  std::vector<const seen_export*> exports; ///< whose reference holds the member's id and the slice's UID
  call called = call::no;                  ///< never `yes` without a slice
  bool versions_compare = true;            ///< false after a restored backup of the member
  std::vector<const seen_export*> mutated; ///< of the exports, those whose ports a webhook of the hub made
  bool half_cleared = false;               ///< the program took the name away and left its siblings
};

/// Whether the slice's own objects allow an export; what its service's ServiceExport says is another matter.
bool may_be_exported(const seen_slice& slice, const std::string& imports_nspace);

/// What must be and isn't, one text each, in words; empty where all is right.
std::vector<std::string> differences_of(const standing& found);
/// The same without the words.
bool differs(const standing& found);

} // namespace sliceferry::storm
