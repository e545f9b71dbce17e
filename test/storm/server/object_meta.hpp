#pragma once
#include "test/storm/server/field_error.hpp"
#include "test/storm/server/revision.hpp"
#include "test/storm/server/schema.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sliceferry::storm {

/// An object's metadata. The views point into the JSON value that it was read from.
struct object_meta {
  using texts = std::vector<std::pair<std::string_view, std::string_view>>; ///< sorted by key

  std::string_view name;
  std::string_view generate_name;
  std::string_view nspace;
  std::string_view uid;
  std::string_view version; ///< resourceVersion, as it was sent
  std::string_view created;
  std::string_view deleted; ///< deletionTimestamp
  std::optional<std::int64_t> grace;
  std::int64_t generation = 0; ///< 0: the kind has none
  texts labels;
  texts annotations;
  std::vector<std::string_view> finalizers;
  std::string owners; ///< canonical JSON of ownerReferences, or empty

  /// Equal in what makes a revision: all but resourceVersion, generation and managedFields.
  bool same_content(const object_meta& other) const;
};

/// Null reads as empty metadata. Values of wrong types are `undecodable`.
object_meta read_meta(const boost::json::value* from, field_errors& errors);

/// Who wrote a revision: what managedFields says.
struct signature {
  std::string_view manager;
  std::string_view api_version;
  std::string_view stamp;
};

/// Writes metadata's value into the revision's text, and notes its parts and version there.
void write_meta(revision& out, const object_meta& meta, const signature& by, member_order order);

/// What any object's metadata must be.
void check_meta(const object_meta& meta, bool custom, field_errors& errors);
/// What an update may not change.
void check_meta_update(const object_meta& meta, const object_meta& before, field_errors& errors);

} // namespace sliceferry::storm
