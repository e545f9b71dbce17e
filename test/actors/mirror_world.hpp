#pragma once
#include "actors/admin/control_desk.hpp"
#include "actors/admin/metrics.hpp"
#include "actors/admin/readiness.hpp"
#include "actors/core/former_exports.hpp"
#include "actors/core/write_queue.hpp"
#include "actors/journal/journal_port.hpp"
#include "actors/mail.hpp"
#include "test/actors/fake_fleet.hpp"
#include "test/actors/fake_gateway.hpp"
#include "test/actors/staged_journal.hpp"
#include "test/actors/staged_system.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry {

/// When the watches tell of a change that a call of ours made.
enum class echo {
  before_answer, ///< the exporter hears the echo first
  after_answer,  ///< once nothing else is going on
  withheld,      ///< when the test calls `tell`
};

/// What a server does to one call instead of answering it as it should.
struct fault {
  bool applied = false; ///< it does what was asked all the same
  k8s::result<k8s::http_response> reply;
};

/// The actors of some members as `fleet` composes them, over a fake fleet and in virtual time.
class mirror_world {
public:
  explicit mirror_world(fake_fleet& clusters, echo order = echo::after_answer, core::write_limits limits = {},
                        std::vector<core::former_identity> former = {}, std::size_t awake_max = 50'000);

  ~mirror_world() { stage.end(); }

  /// Lists everything, as feeds do when they start, and lets what follows happen.
  void sync();
  void list_slices(const std::string& member);
  void list_consents(const std::string& member);
  void list_exports(const std::string& member);
  void list_former_exports();
  /// Lets the watches tell what has changed; false if there was nothing.
  bool tell();

  /// Lets everything happen that takes no time.
  void settle();
  /// Lets time pass until nothing is left to happen; false if that takes longer than `longest`.
  bool finish(std::chrono::seconds longest = std::chrono::seconds(120));
  /// Lets exactly so much time pass.
  void pass(std::chrono::nanoseconds time);

  void shut(const std::string& server) { doors_.at(server)->shut = true; }
  void open(const std::string& server);
  std::size_t waiting_at(const std::string& server) const { return doors_.at(server)->waiting; }

  /// The calls since the last time, as `m1 PATCH web-1` each.
  std::vector<std::string> take_calls();
  /// A value of `/metrics`, 0 where there is none.
  double figure(const std::string& series) const;
  double awake(const std::string& member = "m1") const;
  double dormant(const std::string& member = "m1") const;

  /// A call's number, from 1 on, and what happens to it; nothing: it is served.
  std::function<std::optional<fault>(std::size_t)> sabotage;
  std::vector<k8s::http_request> requests; ///< all of them
  std::size_t relists = 0;                 ///< wishes for one more list of slices

  metrics figures{"test"};
  staged_journal journal_of_test;
  readiness board;
  control_desk desk;
  staged_system stage;
  caf::actor hub_writer;
  std::map<std::string, caf::actor> member_writers;
  std::map<std::string, caf::actor> dispatchers;

private:
  void add_member(const std::string& name);
  caf::actor spawn_gateway(const std::string& server, fake_cluster& cluster);
  caf::actor spawn_writer(const std::string& server, const caf::actor& gateway);
  k8s::result<k8s::http_response> serve(const std::string& server, fake_cluster& cluster,
                                        const k8s::http_request& asked);
  bool tell_of_member(const std::string& member);
  bool tell_of_hub();

  fake_fleet& clusters_;
  echo order_;
  core::write_limits limits_;
  std::vector<core::former_identity> former_; ///< of each member
  std::size_t awake_max_;                     ///< the same
  std::map<std::string, std::shared_ptr<gate>> doors_;
  std::map<std::string, caf::actor> gateways_;
  caf::actor hub_dispatcher_;
  std::vector<std::string> calls_;
};

} // namespace sliceferry
