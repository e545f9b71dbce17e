#include "actors/admin/control_desk.hpp"

#include <utility>

namespace sliceferry {

control_desk::control_desk(const std::vector<std::string>& members) {
  for (const auto& member : members)
    seats_[member];
}

void control_desk::attach(const std::string& member, std::function<void(operator_order)> deliver) {
  const std::lock_guard guard{lock_};
  seats_.at(member).deliver = std::move(deliver);
}

void control_desk::detach() {
  const std::lock_guard guard{lock_};
  for (auto& [member, held] : seats_)
    held.deliver = nullptr;
}

void control_desk::guard_stands(const std::string& member, guard_standing now) {
  const std::lock_guard guard{lock_};
  seats_.at(member).guard = std::move(now);
}

void control_desk::leave_stands(const std::string& member, leave_standing now) {
  const std::lock_guard guard{lock_};
  seats_.at(member).leave = std::move(now);
}

bool control_desk::is_leaving(const std::string& member) const {
  const std::lock_guard guard{lock_};
  return seats_.at(member).leave.asked;
}

admin_routes control_desk::pages() {
  admin_routes out;
  out["/guard"] = [this] { return tell_guards(); };
  for (const auto& [member, held] : seats_)
    out["/leave/" + member] = [this, name = member] { return tell_leave(name); };
  return out;
}

admin_orders control_desk::orders() {
  admin_orders out;
  for (const auto& [member, held] : seats_) {
    out["/guard/allow/" + member] = [this, name = member] { return take(name, operator_order::allow); };
    out["/leave/" + member] = [this, name = member] { return take(name, operator_order::leave); };
  }
  return out;
}

admin_answer control_desk::tell_guards() const {
  const std::lock_guard guard{lock_};
  admin_answer out;
  for (const auto& [member, held] : seats_)
    out.body += member + ": " + held.guard.text + '\n';
  return out;
}

admin_answer control_desk::tell_leave(const std::string& member) const {
  const std::lock_guard guard{lock_};
  const auto& leave = seats_.at(member).leave;
  return {.status = leave.done ? 200U : leave.asked ? 202U : 409U, .body = member + ": " + leave.text + '\n'};
}

admin_answer control_desk::take(const std::string& member, operator_order what) {
  const std::lock_guard guard{lock_};
  seat& of = seats_.at(member);
  if (what == operator_order::allow && of.guard.held == 0)
    return {.status = 409, .body = member + ": nothing is held back, so there is nothing to allow\n"};
  if (!of.deliver)
    return {.status = 503, .body = member + ": is being started, ask again\n"};
  of.deliver(what);
  if (what == operator_order::allow)
    return {.body = member + ": " + std::to_string(of.guard.held) + " withdrawals are allowed, and begin\n"};
  if (!of.leave.asked) // said here, so that whoever asks next doesn't miss it
    of.leave = {true, false, 0, "leaving"};
  return {.status = 202, .body = member + ": " + of.leave.text + '\n'};
}

} // namespace sliceferry
