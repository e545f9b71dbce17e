#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

/// What a request's target names, by its form alone: whether such a kind is served is not asked here.
///
/// The views point into the target, or into `decoded` where that had escapes; hence not copyable.
struct api_path {
  enum class place {
    resource, ///< a collection or an object
    document, ///< `/api`, `/apis`, a group or a version: discovery
    other,    ///< anything else, such as `/readyz`
  };

  explicit api_path(std::string_view target);
  api_path(const api_path&) = delete;
  api_path& operator=(const api_path&) = delete;

  place where = place::other;
  std::string_view path; ///< without the query
  std::string_view query;
  std::string_view group; ///< empty: core
  std::string_view version;
  std::string_view nspace;
  std::string_view resource; ///< plural
  std::string_view name;
  std::string_view subresource;
  bool too_deep = false; ///< segments follow the subresource

private:
  void read(const std::vector<std::string_view>& segments);

  std::string decoded_;
};

/// The values of a query; of several with one name the first one.
using query_values = std::map<std::string, std::string, std::less<>>;

query_values read_query(std::string_view query);

/// The value of one name, without reading the rest; as sent.
std::string_view query_value(std::string_view query, std::string_view name);

std::string percent_decoded(std::string_view text, bool plus_is_space);

} // namespace sliceferry::storm
