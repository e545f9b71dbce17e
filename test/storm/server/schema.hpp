#pragma once
#include <boost/json/value.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

struct schema_node;

struct schema_property {
  std::string name;
  std::shared_ptr<const schema_node> is;
  std::string fallback;    ///< canonical JSON of the default, or empty
  bool keeps_null = false; ///< absent or empty it is written as null (a Go slice without omitempty)
  bool omits_empty = false;
};

/// What a value may be. Members that no schema names are pruned.
struct schema_node {
  enum class type { any, object, map, array, string, integer, number, boolean };
  enum class format { none, int32, int64, date_time };
  /// The patterns that the fleet's kinds use. Others are not checked.
  enum class pattern { none, condition_type, condition_reason };

  type is = type::any;
  std::vector<schema_property> properties; ///< in the order in which they are written
  std::vector<std::string> required;
  std::shared_ptr<const schema_node> items; ///< of an array or a map
  std::vector<std::string> enumeration;
  std::vector<std::string> map_keys; ///< of a list that is a map
  format shape = format::none;
  pattern matches = pattern::none;
  std::string pattern_text;
  std::optional<std::size_t> length_min;
  std::optional<std::size_t> length_max;
  std::optional<std::int64_t> minimum;
};

enum class member_order {
  as_listed, ///< a Go structure
  by_name,   ///< a Go map, as custom resources are
};

/// Reads OpenAPI v3 as CRDs hold it, as far as the fleet's kinds use it. `x-null` and `x-omit-empty` stand for how
/// the built-in kinds are written.
std::shared_ptr<const schema_node> read_schema(const boost::json::value& from, member_order order);

bool matches(schema_node::pattern pattern, std::string_view text);

} // namespace sliceferry::storm
