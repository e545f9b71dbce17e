#pragma once
#include "actors/core/journal_gate.hpp"
#include "actors/core/write_queue.hpp"
#include "actors/core/write_reaction.hpp"
#include "actors/core/write_troubles.hpp"
#include "actors/journal/journal_port.hpp"
#include "actors/mail.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace sliceferry {

class metrics;
class readiness;

/// What a writer needs to know; the same for all its life.
struct writer_ports {
  std::string server; ///< `hub` or the member's name
  caf::actor gateway;
  std::map<std::string, std::string> hub_nspaces; ///< by member
  core::write_limits limits;
  std::uint64_t seed = 0;
  journal::journal_port* journal = nullptr; ///< these outlive the actor system
  metrics* figures = nullptr;
  readiness* board = nullptr;
};

/// Carries out the commands of many exporters on one API server: the hub writer and the member
/// writers are this actor with other ports.
///
/// The shell of `core::write_queue`: what may be sent when is decided there, what a failure means
/// in `core::react`. A command enters the queue once the decision from which it follows is durable. An answer goes to
/// the dispatcher of the member that asked.
class api_writer : public caf::event_based_actor {
public:
  api_writer(caf::actor_config& config, writer_ports ports);

  const char* name() const override { return "api_writer"; }
  caf::behavior make_behavior() override;
  void on_exit() override;

private:
  using mail = std::variant<submission, take_back_request, forget_request>;
  struct held_mail {
    mail what;
    tick came_at;
  };

  template <class Mail>
  void admit(const Mail& asked, std::uint64_t durable_at = 0);
  void await_journal();
  void journal_came();
  bool is_idle(const std::string& member) const;
  core::queue_tale tell_of(const core::work_owner& whose) const;
  void take(const submission& asked);
  void take(const take_back_request& asked);
  void take(const forget_request& asked);
  void give_turn(const read_turn_request& asked);
  void pump();
  void write(const core::work& asked);
  void judge(const core::work& asked, const http_reply& reply);
  void read(const core::work& asked, verdict how);
  void judge_read(const core::work& asked, verdict how, const http_reply& reply);
  void finish(const core::work& asked, write_answer end);
  void answer(const core::work& asked, write_answer end);
  void remind_at(tick when, tick now);
  void report(tick now);
  core::queue_state state() const;
  void note(const core::work& asked, const failure& why);
  void show(const core::write_troubles::change& change);
  caf::typed_response_promise<drained> drain();
  const std::string& hub_nspace_of(const core::work& asked) const;

  writer_ports ports_;
  core::journal_gate<held_mail> gate_; ///< of the queue
  bool awaits_journal_ = false;
  core::write_queue queue_;
  std::map<std::string, caf::actor> dispatchers_; ///< by member
  std::optional<tick> reminder_;
  tick reported_{};
  core::limiter_waits reported_waits_;
  core::write_troubles troubles_; ///< what readiness was told of
  std::optional<caf::typed_response_promise<drained>> drain_;
};

} // namespace sliceferry
