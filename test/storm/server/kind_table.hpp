#pragma once
#include "test/storm/server/resource_kind.hpp"

#include <boost/json/value.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

using shared_kind = std::shared_ptr<const resource_kind>;

/// A kind in one of its versions.
struct served_kind {
  shared_kind kind; ///< null: not served
  std::size_t version = 0;
};

/// The kinds that a server serves now. Built-in ones stay; custom ones come and go with their definitions.
class kind_table {
public:
  kind_table(); ///< with the built-in kinds

  served_kind find(std::string_view group, std::string_view version, std::string_view plural) const;
  /// By plural, or plural and group.
  shared_kind find(std::string_view name) const;
  shared_kind by_id(std::size_t id) const;

  /// Serves what a CustomResourceDefinition defines, or serves it anew.
  void install(const boost::json::value& definition);
  void remove(std::string_view key);

  /// Whether built-in kinds have this group: then paths of unknown kinds in it are answered with a Status.
  bool is_builtin_group(std::string_view group) const;

  const std::vector<shared_kind>& all() const { return kinds_; }
  std::size_t ids() const { return keys_.size(); } ///< all ids are below

private:
  void add(std::shared_ptr<resource_kind> kind);

  std::vector<shared_kind> kinds_;
  std::vector<std::string> keys_; ///< of each id
};

/// The built-in kinds that a fleet's networking needs.
std::vector<std::shared_ptr<resource_kind>> builtin_kinds();

/// What a CustomResourceDefinition defines.
std::shared_ptr<resource_kind> kind_of_definition(const boost::json::value& definition);

/// The definitions of the fleet's own kinds, as JSON; what `config/manifests` holds.
const std::vector<std::string_view>& fleet_definitions();

} // namespace sliceferry::storm
