#pragma once
#include "test/storm/server/api_path.hpp"
#include "test/storm/server/server_state.hpp"

#include <string>

namespace sliceferry::storm {

/// A request for a kind that is served.
struct verb_request {
  const api_request& asked;
  const api_path& path;
  served_kind of;

  const resource_kind& kind() const { return *of.kind; }
  const std::string& api_version() const { return kind().versions[of.version].api_version; }
  subject about(std::string_view name) const { return kind().subject_of(name); }
  object_place place() const { return {path.nspace, path.name}; }
};

struct verb_outcome {
  api_answer answer;
  store_change done; ///< `none` where nothing changed
  std::string name;  ///< of a new object, when the server chose it
};

verb_outcome create_object(server_state& state, const verb_request& request);
verb_outcome replace_object(server_state& state, const verb_request& request);
verb_outcome patch_object(server_state& state, const verb_request& request);
verb_outcome delete_object(server_state& state, const verb_request& request);
/// Deletes what a list with the same query would show, and makes a line of the history for each object.
verb_outcome delete_collection(server_state& state, const verb_request& request);
verb_outcome get_object(server_state& state, const verb_request& request);
verb_outcome list_objects(server_state& state, const verb_request& request);

/// Creates an object of a kind without the checks that a request meets, as the server itself does.
store_change create_by_server(server_state& state, const resource_kind& kind, const boost::json::value& object);

/// The same for a deletion: at once, or as far as finalizers let it come.
store_change delete_by_server(server_state& state, const resource_kind& kind, object_place at, std::string_view user);

} // namespace sliceferry::storm
