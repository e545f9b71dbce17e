#pragma once
#include "test/storm/server/hub_controller.hpp"
#include "test/storm/server/server_state.hpp"
#include "test/storm/server/verbs.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

/// The store as it was once.
struct store_backup {
  object_store objects;
  std::uint64_t version = 0;
};

/// What `cluster` hides.
struct cluster::impl {
  impl(cluster_options options, history_sink history);

  server_state state;
  hub_controller hub;
  std::optional<store_backup> backup;
  store_backup birth;
  std::vector<std::string> lost_nspaces; ///< by `empty`

  api_answer handle(const api_request& asked, const api_path& path);
  std::variant<std::uint64_t, api_answer> watch(const api_request& asked, const api_path& path, watcher sinks);

  void restore(const store_backup& then);
  void empty();
  void remake_nspaces();
  void bring_back(std::string_view resource);
  void remove_kind(std::string_view resource);
  void install_kind(std::string_view resource);
  /// Ends a kind whose definition is gone, with its objects.
  void forget_kind(const resource_kind& kind);
  /// What happens to definitions that are being deleted.
  void collect_definitions();
  void note(const api_request& asked, const api_path& path, unsigned status, const verb_outcome* outcome,
            std::string_view fault);

private:
  struct taken_object {
    std::string nspace;
    std::string name;
    shared_revision object;
  };
  std::map<std::string, std::vector<taken_object>, std::less<>> taken_; ///< with their kind, by its plural name

  void populate();
  void saw(const logged_event& event);
  void saw_definition(const logged_event& event);
  api_answer answer_other(const api_path& path, const api_request& asked);
  verb_outcome answer_resource(const api_request& asked, const api_path& path);
  verb_outcome answer_object(const verb_request& request);
  verb_outcome answer_collection(const verb_request& request);
  std::optional<api_answer> refuse_user(const api_request& asked, const api_path& path) const;
};

/// The verb as Kubernetes calls it.
std::string_view verb_of(const api_request& asked, const api_path& path);

} // namespace sliceferry::storm
