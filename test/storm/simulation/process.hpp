#pragma once
#include "actors/core/member_identity.hpp"
#include "actors/core/write_queue.hpp"
#include "test/storm/simulation/defect.hpp"
#include "test/storm/simulation/mail.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace sliceferry::storm {

class dispatcher_shell;
class exporter_shell;
class writer_shell;

/// What differs between the processes of a run.
struct process_plan {
  std::uint64_t number = 1; ///< also its seed
  core::write_limits limits;
  defect planted = defect::none;
};

/// What the world does for a process.
struct process_ports {
  std::function<tick()> now;
  std::function<seconds_utc()> wall;
  std::function<void(request)> send;
  std::function<void()> relist_slices;
  std::function<void(const core::work&)> note_submitted; ///< for the checks
  std::function<void(const std::string&)> note_failed;   ///< an exporter, by slice UID; the same
};

/// One life of the program: dispatcher, writers and exporters of one member around the machines of core, each with a
/// mailbox of its own, none with a thread. The parts mirror the shells in actors/ line by line; the hub dispatcher,
/// which only routes, and the feeds, which only pass on, have none.
///
/// Messages of one sender to one receiver keep their order; which actor goes on next is the caller's choice. Timers put
/// a message into a mailbox.
class process {
public:
  process(process_plan plan, process_ports ports);
  ~process();
  process(const process&) = delete;
  process& operator=(const process&) = delete;

  // For the world around.
  void deliver(dispatcher_mail mail) { dispatcher_mail_.push_back(std::move(mail)); }
  void answer(request asked, reply end);
  /// One of the actors that have mail takes one message; false if none has.
  bool turn(std::uint32_t choice);
  std::optional<tick> due() const;
  /// Lets all timers go off whose time has come.
  void ring();
  /// The exporter chosen, if any is awake, throws at its next message.
  void fail_exporter(std::uint32_t choice);
  bool is_idle() const; ///< nobody is awake and nothing is queued
  std::uint64_t number() const { return plan_.number; }

  // For its parts.
  const std::shared_ptr<const core::member_identity>& identity() const { return identity_; }
  bool has(defect which) const { return plan_.planted == which; }
  tick now() const { return ports_.now(); }
  seconds_utc wall() const { return ports_.wall(); }
  void send(request asked);
  void relist_slices() { ports_.relist_slices(); }
  void tell_dispatcher(dispatcher_mail mail) { deliver(std::move(mail)); }
  void tell_dispatcher_at(tick when, dispatcher_mail mail);
  void tell_writer(server which, writer_mail mail);
  void tell_writer_at(tick when, server which, writer_mail mail);
  std::uint64_t spawn_exporter(const std::string& slice_uid, core::memory held);
  void tell_exporter(std::uint64_t exporter, observation seen);
  void end_exporter(std::uint64_t exporter);
  void note_submitted(const core::work& asked) { ports_.note_submitted(asked); }

private:
  struct exporter_actor {
    std::unique_ptr<exporter_shell> shell;
    std::deque<observation> mail;
    bool fails = false;
  };
  struct timer {
    std::optional<server> writer; ///< else the dispatcher's
    std::variant<writer_mail, dispatcher_mail> mail;
  };
  using exporters = std::map<std::uint64_t, exporter_actor>;

  bool turn_exporter(std::uint32_t choice);
  writer_shell& writer(server which) { return *writers_[static_cast<std::size_t>(which)]; }

  process_plan plan_;
  process_ports ports_;
  std::shared_ptr<const core::member_identity> identity_;
  std::unique_ptr<dispatcher_shell> dispatcher_;
  std::unique_ptr<writer_shell> writers_[2];
  std::deque<dispatcher_mail> dispatcher_mail_;
  std::deque<writer_mail> writer_mail_[2];
  exporters exporters_;
  std::uint64_t spawned_ = 0;
  std::multimap<tick, timer> timers_;
};

} // namespace sliceferry::storm
