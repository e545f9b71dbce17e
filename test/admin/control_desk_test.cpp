#include "actors/admin/control_desk.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sliceferry {
namespace {

TEST(ControlDesk, HandsOrdersToTheMemberTheyAreFor) {
  control_desk desk{{"paris", "tokyo"}};
  std::vector<std::string> heard;
  const auto listen = [&](const std::string& member) {
    desk.attach(member, [&heard, member](operator_order what) {
      heard.push_back(member + (what == operator_order::allow ? " allow" : " leave"));
    });
  };
  listen("paris");
  listen("tokyo");
  desk.guard_stands("paris", {120, "holds 120 withdrawals"});
  auto orders = desk.orders();
  EXPECT_EQ(orders.at("/guard/allow/paris")().status, 200U);
  EXPECT_EQ(orders.at("/guard/allow/tokyo")().status, 409U) << "nothing is held back there";
  EXPECT_EQ(orders.at("/leave/tokyo")().status, 202U);
  EXPECT_EQ(heard, (std::vector<std::string>{"paris allow", "tokyo leave"}));
}

TEST(ControlDesk, ShowsHowGuardsStand) {
  control_desk desk{{"paris", "tokyo"}};
  desk.guard_stands("paris", {120, "holds 120 withdrawals"});
  EXPECT_EQ(desk.pages().at("/guard")().body, "paris: holds 120 withdrawals\ntokyo: not asked yet\n");
}

TEST(ControlDesk, TellsHowFarALeaveIs) {
  control_desk desk{{"paris"}};
  desk.attach("paris", [](operator_order) {});
  auto page = desk.pages().at("/leave/paris");
  EXPECT_EQ(page().status, 409U);
  desk.orders().at("/leave/paris")();
  EXPECT_EQ(page().status, 202U) << "before the dispatcher has heard of it";
  EXPECT_TRUE(desk.is_leaving("paris"));
  desk.leave_stands("paris", {true, false, 7, "7 exports are left"});
  EXPECT_EQ(page().body, "paris: 7 exports are left\n");
  desk.leave_stands("paris", {true, true, 0, "has left"});
  EXPECT_EQ(page().status, 200U);
}

TEST(ControlDesk, SaysSoWhileNobodyTakesOrders) {
  control_desk desk{{"paris"}};
  desk.attach("paris", [](operator_order) { FAIL(); });
  desk.detach();
  EXPECT_EQ(desk.orders().at("/leave/paris")().status, 503U);
  EXPECT_FALSE(desk.is_leaving("paris"));
}

} // namespace
} // namespace sliceferry
