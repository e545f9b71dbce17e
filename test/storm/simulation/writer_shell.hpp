#pragma once
#include "actors/core/write_queue.hpp"
#include "test/storm/simulation/mail.hpp"

#include <optional>

namespace sliceferry::storm {

class process;

/// Mirrors actors/api_writer.cpp, without its troubles, figures and draining.
class writer_shell {
public:
  writer_shell(process& whole, server which, const core::write_limits& limits);

  void take(const writer_mail& mail);
  bool is_idle() const;

private:
  void submit(const submission& asked);
  void take_back(const take_back_request& asked);
  void forget(const forget_request& asked);
  void give_turn(const read_turn_request& asked);
  void wake(const moment_due& moment);
  void pump();
  void call(request::call what, const core::work& asked, verdict how);
  void judge(const core::work& asked, const reply& end);
  void judge_read(const core::work& asked, verdict how, const reply& end);
  void finish(const core::work& asked, write_answer end);
  void answer(const core::work& asked, write_answer end);
  void remind_at(tick when);

  process& whole_;
  server which_;
  core::write_queue queue_;
  std::optional<tick> reminder_;
};

} // namespace sliceferry::storm
