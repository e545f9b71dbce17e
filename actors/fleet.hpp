#pragma once
#include "actors/caf_seam.hpp"
#include "actors/collection_feed.hpp"
#include "actors/core/write_queue.hpp"
#include "actors/journal/journal.hpp"
#include "actors/mail.hpp"
#include "config/settings.hpp"
#include "k8s/credentials.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sliceferry {

class control_desk;
class explain_desk;
class heartbeat;
class memory_desk;

/// What a fleet is built from; outlives it.
struct fleet_plan {
  settings chosen;
  k8s::cluster_access hub;
  std::map<std::string, k8s::cluster_access> members; ///< by name
  std::uint64_t seed = 0;                             ///< of this process
  k8s::io_loop* loop = nullptr;
  journal::journal_port* journal = nullptr;
  /// Has what an earlier run left in the journal told, member by member; null: there is nothing. Once only: a fleet
  /// that is built anew starts from what the clusters show.
  std::function<void(journal::recovery_hooks)> recall;
  metrics* figures = nullptr;
  readiness* board = nullptr;
  heartbeat* pulse = nullptr;
  control_desk* desk = nullptr;
  explain_desk* questions = nullptr;
  memory_desk* memories = nullptr;
};

/// Everything between the settings and the clusters: clients, actors, feeds. Built whole and torn
/// down whole, since each part can be derived again from the clusters.
class fleet {
public:
  /// `on_death`: called (on any thread) when an actor that must live has ended by a failure.
  fleet(caf::actor_system& system, std::shared_ptr<const fleet_plan> plan,
        std::function<void(std::string who, std::string why)> on_death);
  ~fleet(); ///< ends all of it
  fleet(const fleet&) = delete;
  fleet& operator=(const fleet&) = delete;

  /// Observes nothing more; what is owed stays owed.
  void stop_watching();

  /// The actors with writes in flight.
  const std::vector<caf::actor>& writers() const { return writers_; }

private:
  struct member;

  caf::actor spawn_gateway(const std::string& server, const k8s::cluster_access& access);
  caf::actor spawn_writer(const std::string& server, const server_settings& limits, const caf::actor& gateway);
  caf::actor add_member(const member_settings& chosen, const caf::actor& hub_writer);
  void recall() const;
  void start_feeds(member& whose);
  void start_former_feed(member& whose, const former_name& former);
  void guard(const caf::actor& part, const std::string& who);
  feed_ports feed_for(const std::string& name, input which, std::string_view collection) const;

  caf::actor_system& system_;
  std::shared_ptr<const fleet_plan> plan_;
  std::function<void(std::string, std::string)> on_death_;
  std::vector<std::shared_ptr<k8s::http_client>> clients_;
  std::shared_ptr<k8s::http_client> hub_client_;
  std::vector<std::unique_ptr<member>> members_;
  std::vector<caf::actor> parts_; ///< all that must live, in the order in which they end
  std::vector<caf::actor> writers_;
  caf::actor hub_dispatcher_;
};

} // namespace sliceferry
