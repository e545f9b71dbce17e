#pragma once
#include "actors/admin/admin_server.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace sliceferry {

/// What an operator tells a member's dispatcher.
enum class operator_order {
  allow, ///< what the guard holds back is meant
  leave, ///< withdraw all exports of the member and make none
};

/// How a member's guard stands.
struct guard_standing {
  std::size_t held = 0; ///< withdrawals without leave
  std::string text = "not asked yet";
};

/// How far a member has left the fleet.
struct leave_standing {
  bool asked = false;
  bool done = false;       ///< the hub holds no export of it
  std::size_t exports = 0; ///< still on the hub
  std::string text = "not asked to leave";
};

/// Where the admin server and the members' dispatchers meet: orders go one way, standings the other. Thread-safe.
///
/// It outlives the fleet, which may be built anew: a member that was told to leave goes on leaving. It does not
/// outlive the process; the setting `leave` does.
class control_desk {
public:
  explicit control_desk(const std::vector<std::string>& members);

  /// Orders to this member go to `deliver` from now on, until it is attached again or `detach`.
  void attach(const std::string& member, std::function<void(operator_order)> deliver);
  void detach();

  void guard_stands(const std::string& member, guard_standing now);
  void leave_stands(const std::string& member, leave_standing now);
  bool is_leaving(const std::string& member) const;

  /// `/guard` and for each member `/leave/NAME`: 200 when it has left, 202 while it leaves, 409 before it was asked to.
  admin_routes pages();
  /// `/guard/allow/NAME` and `/leave/NAME`; 409 where there is nothing to allow, 503 while nobody takes orders.
  admin_orders orders();

private:
  struct seat {
    std::function<void(operator_order)> deliver;
    guard_standing guard;
    leave_standing leave;
  };

  admin_answer tell_guards() const;
  admin_answer tell_leave(const std::string& member) const;
  admin_answer take(const std::string& member, operator_order what);

  mutable std::mutex lock_;
  std::map<std::string, seat> seats_;
};

} // namespace sliceferry
