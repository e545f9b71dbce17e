#pragma once
#include "test/storm/server/canonical_writer.hpp"
#include "test/storm/server/revision.hpp"
#include "test/storm/server/schema.hpp"
#include "test/storm/server/status_body.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

/// A kind as a server serves it.
struct resource_kind {
  /// What else is checked and changed beside the schema; see `kind_rules.hpp`.
  enum class rules { plain, slice, lease, nspace, definition };

  struct served {
    std::string version;
    std::string api_version; ///< with the group
    std::string head;        ///< an object's text up to metadata's value
  };

  std::size_t id = 0; ///< which collection of the store; the same again when a removed kind comes back
  rules how = rules::plain;
  std::string group; ///< empty: core
  std::string plural;
  std::string singular;
  std::string kind;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
  std::vector<served> versions; ///< the stored one first
  bool namespaced = true;
  bool custom = false;
  bool status_subresource = false;
  bool has_generation = false;
  bool needs_version = false; ///< a PUT without resourceVersion is refused
  bool creates_on_put = false;
  bool terminating = false; ///< its definition is being deleted: nothing may be created
  std::vector<schema_property> members;
  std::vector<std::string> required;

  std::string key() const { return subject_of({}).qualified(); } ///< `plural.group`
  strictness how_strict() const { return custom ? strictness::checked : strictness::decoded; }
  member_order order() const { return custom ? member_order::by_name : member_order::as_listed; }
  subject subject_of(std::string_view name) const { return {group, plural, kind, name}; }
  std::size_t member_index(std::string_view name) const; ///< `members.size()` where there is none

  /// Fills in `api_version` and `head` of the versions.
  void add_version(std::string version);
};

/// An object as one version shows it.
shared_text shown(const resource_kind& kind, std::size_t version, const shared_revision& object);
void append_shown(std::string& out, const resource_kind& kind, std::size_t version, const revision& object);
/// The same as an item of a list: built-in kinds leave kind and apiVersion out there.
void append_item(std::string& out, const resource_kind& kind, std::size_t version, const revision& object);

} // namespace sliceferry::storm
