#include "actors/admin/readiness.hpp"

#include <gtest/gtest.h>

namespace sliceferry {
namespace {

struct step {
  const char* member;
  input which;
  sync_state how;
};

constexpr sync_state synced = sync_state::synced;
constexpr sync_state unreachable = sync_state::unreachable;
constexpr sync_state waiting = sync_state::waiting;

std::vector<step> all_synced(const char* member) {
  return {{member, input::endpointslices, synced},
          {member, input::serviceexports, synced},
          {member, input::hub_exports, synced}};
}

std::vector<step> operator+(std::vector<step> left, const std::vector<step>& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

TEST(Readiness, FollowsFromEveryInput) {
  struct row {
    const char* name;
    std::vector<std::string> members;
    std::vector<step> steps;
    bool ready;
  };
  const row table[] = {
    {"nothing is synced at the start", {"m1"}, {}, false},
    {"a single member needs all three", {"m1"}, all_synced("m1"), true},
    {"two of three are not enough",
     {"m1"},
     {{"m1", input::endpointslices, synced}, {"m1", input::serviceexports, synced}},
     false},
    {"a single member may not be unreachable",
     {"m1"},
     all_synced("m1") + std::vector<step>{{"m1", input::endpointslices, unreachable}},
     false},
    {"one of several members may be unreachable",
     {"m1", "m2"},
     all_synced("m1") + std::vector<step>{{"m2", input::endpointslices, unreachable},
                                          {"m2", input::serviceexports, unreachable},
                                          {"m2", input::hub_exports, synced}},
     true},
    {"a member that merely waits holds readiness back",
     {"m1", "m2"},
     all_synced("m1") + std::vector<step>{{"m2", input::endpointslices, waiting},
                                          {"m2", input::serviceexports, unreachable},
                                          {"m2", input::hub_exports, synced}},
     false},
    {"the hub may never be unreachable",
     {"m1", "m2"},
     all_synced("m1") + all_synced("m2") + std::vector<step>{{"m2", input::hub_exports, unreachable}},
     false},
    {"a stranger is not noted",
     {"m1"},
     all_synced("m1") + std::vector<step>{{"m9", input::hub_exports, waiting}},
     true},
  };
  for (const auto& [name, members, steps, ready] : table) {
    SCOPED_TRACE(name);
    readiness board{members};
    for (const auto& each : steps)
      board.set(each.member, each.which, each.how, "reason");
    EXPECT_EQ(board.ready(), ready);
    EXPECT_EQ(board.tell().ready, ready);
  }
}

TEST(Readiness, TellsOneLinePerInput) {
  readiness board{{"m2", "m1"}};
  board.set("m1", input::endpointslices, synced);
  board.set("m1", input::serviceexports, waiting, "kind not served");
  board.set("m2", input::endpointslices, unreachable, "connection\nrefused");
  EXPECT_EQ(board.tell().lines, "[+]member m1 endpointslices ok\n"
                                "[-]member m1 serviceexports waiting: kind not served\n"
                                "[-]hub exports of m1 waiting: not listed yet\n"
                                "[!]member m2 endpointslices unreachable: connection refused\n"
                                "[-]member m2 serviceexports waiting: not listed yet\n"
                                "[-]hub exports of m2 waiting: not listed yet\n"
                                "readyz check failed\n");
  for (const char* member : {"m1", "m2"})
    for (const auto& each : all_synced(member))
      board.set(each.member, each.which, each.how);
  EXPECT_EQ(board.tell().lines, "[+]member m1 endpointslices ok\n"
                                "[+]member m1 serviceexports ok\n"
                                "[+]hub exports of m1 ok\n"
                                "[+]member m2 endpointslices ok\n"
                                "[+]member m2 serviceexports ok\n"
                                "[+]hub exports of m2 ok\n"
                                "readyz check passed\n");
}

TEST(Readiness, IsHeldBackByTroubles) {
  readiness board{{"m1"}};
  for (const auto& each : all_synced("m1"))
    board.set(each.member, each.which, each.how);
  board.troubled("hub namespace fleet-member-m1", "not\nfound");
  board.troubled("rights on hub", "may not patch");
  board.healed("rights on hub");
  board.healed("never heard of");
  EXPECT_FALSE(board.ready());
  EXPECT_EQ(board.tell().lines, "[+]member m1 endpointslices ok\n"
                                "[+]member m1 serviceexports ok\n"
                                "[+]hub exports of m1 ok\n"
                                "[-]hub namespace fleet-member-m1: not found\n"
                                "readyz check failed\n");
  board.healed("hub namespace fleet-member-m1");
  EXPECT_TRUE(board.ready());
}

TEST(Readiness, TellsNotesAndIsReadyAllTheSame) {
  readiness board{{"m1"}};
  for (const auto& each : all_synced("m1"))
    board.set(each.member, each.which, each.how);
  board.noted("member m1 exports", "1 refused, the last one shop/web: quota");
  board.noted("member m1 exports", "2 refused, the last one shop/db: exceeded\nquota");
  board.cleared("never heard of");
  EXPECT_TRUE(board.ready());
  EXPECT_EQ(board.tell().lines, "[+]member m1 endpointslices ok\n"
                                "[+]member m1 serviceexports ok\n"
                                "[+]hub exports of m1 ok\n"
                                "[!]member m1 exports: 2 refused, the last one shop/db: exceeded quota\n"
                                "readyz check passed\n");
  board.cleared("member m1 exports");
  EXPECT_EQ(board.tell().lines.find("[!]"), std::string::npos);
}

TEST(Readiness, BeginsAnewWhenEverythingDoes) {
  readiness board{{"m1"}};
  const auto fresh = board.tell().lines;
  for (const auto& each : all_synced("m1"))
    board.set(each.member, each.which, each.how);
  board.troubled("writes to hub", "connection refused");
  board.noted("member m1 exports", "1 refused");
  board.reset();
  EXPECT_EQ(board.tell().lines, fresh);
}

} // namespace
} // namespace sliceferry
