#include "actors/core/guard.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

using namespace std::chrono_literals;
using names = std::vector<std::string>;

guard::wish wish(const std::string& nspace, unsigned number) {
  return {nspace + std::to_string(number), nspace};
}

/// Beyond 3 and 30 % of 10: two in `shop`, two in `bank`, and one more in `shop`.
guard tripped() {
  guard out{{30, 3, 60s}};
  out.ask({wish("shop", 1), wish("bank", 1), wish("bank", 2), wish("shop", 2), wish("shop", 3)}, 10, tick{});
  return out;
}

void list(guard& of, mirrored which, bool is_empty = false) {
  of.list_began(which);
  of.list_done(which, is_empty, tick{});
}

TEST(GuardNamespaces, ThatEndExplainTheirSlices) {
  guard subject{{30, 3, 60s}};
  subject.ask({wish("shop", 1), wish("shop", 2)}, 20, tick{});
  subject.ask({wish("shop", 3), wish("bank", 1), wish("bank", 2), wish("bank", 3), wish("bank", 4)}, 20, tick{} + 1s);
  ASSERT_EQ(subject.held(), 7u);
  EXPECT_EQ(subject.namespace_read("shop", existence::terminating, tick{} + 2s).notify,
            (names{"shop1", "shop2", "shop3"}));
  EXPECT_EQ(subject.state(), guard_state::checking) << "the others are few, and wait for the check all the same";
  EXPECT_FALSE(subject.leave("bank1"));
  EXPECT_TRUE(subject.ask({wish("shop", 4)}, 20, tick{} + 3s).notify == names{"shop4"});
}

TEST(GuardNamespaces, ThatEndLeaveTheOthersHeld) {
  guard subject{{30, 3, 60s}};
  subject.ask({wish("bank", 1), wish("bank", 2), wish("bank", 3), wish("bank", 4), wish("shop", 1)}, 10, tick{});
  EXPECT_EQ(subject.namespace_read("shop", existence::terminating, tick{}).notify, names{"shop1"});
  EXPECT_EQ(subject.state(), guard_state::checking);
  EXPECT_EQ(subject.held(), 4u);
  EXPECT_EQ(subject.ask({wish("shop", 2)}, 10, tick{}).notify, names{"shop2"}) << "the rest of the namespace follows";
}

TEST(GuardNamespaces, ThatAreMissingExplainOnlyOnARealMember) {
  struct row {
    const char* name;
    existence kind;
    bool no_slices;
    bool explained;
  };
  const row table[] = {
    {"a member", existence::exists, false, true},
    {"a cluster without the CRD", existence::missing, false, false},
    {"nobody knows", existence::unknown, false, false},
    {"an empty cluster", existence::exists, true, false},
  };
  for (const auto& [name, kind, no_slices, explained] : table) {
    SCOPED_TRACE(name);
    for (const bool read_first : {true, false}) {
      auto subject = tripped();
      if (read_first) {
        EXPECT_EQ(subject.namespace_read("shop", existence::missing, tick{}), guard::orders{})
          << "it may lack them all";
      }
      subject.kind_read(kind, tick{});
      list(subject, mirrored::slices, no_slices);
      if (!read_first)
        subject.namespace_read("shop", existence::missing, tick{});
      EXPECT_EQ(subject.leave("shop1"), explained);
    }
  }
}

TEST(GuardNamespaces, AreReadUnlessThereAreMany) {
  struct row {
    const char* name;
    unsigned first;
    unsigned later;
    std::size_t read_at_first;
    std::size_t read_later;
  };
  const row table[] = {
    {"all that may be read", 32, 0, 32, 0},
    {"one too many", 33, 0, 0, 0},
    {"new ones", 30, 2, 30, 2},
    {"too many new ones", 30, 3, 30, 0},
  };
  for (const auto& [name, first, later, read_at_first, read_later] : table) {
    SCOPED_TRACE(name);
    guard subject{{30, 3, 60s}};
    std::vector<guard::wish> asked;
    for (unsigned i = 0; i < first + later; ++i)
      for (unsigned number = 0; number < 2; ++number)
        asked.push_back(wish("ns" + std::to_string(i) + "-", number));
    const auto middle = asked.begin() + 2 * first;
    const auto orders = subject.ask({asked.begin(), middle}, 100, tick{});
    EXPECT_EQ(orders.read_namespaces.size(), read_at_first);
    const auto more = subject.ask({middle, asked.end()}, 100, tick{});
    EXPECT_EQ(more.read_namespaces.size(), read_later);
    for (const auto which : {mirrored::slices, mirrored::consents, mirrored::exports})
      list(subject, which);
    auto told = subject.kind_read(existence::exists, tick{});
    for (const auto& each : {orders, more})
      for (const auto& nspace : each.read_namespaces) {
        EXPECT_EQ(told, guard::orders{}) << "one is not read yet";
        told = subject.namespace_read(nspace, existence::exists, tick{});
      }
    EXPECT_EQ(told.read_absent.size(), guard_check::sample_size);
    for (const auto& uid : told.read_absent)
      subject.absence_read(uid, existence::missing, tick{});
    EXPECT_EQ(subject.held(), 0u) << "what isn't read isn't waited for";
  }
}

TEST(GuardNamespaces, OfNoNameAreNotRead) {
  guard subject{{30, 3, 60s}};
  const auto orders = subject.ask({{"u1", ""}, {"u2", ""}, {"u3", "shop"}, {"u4", "shop"}, {"u5", ""}}, 10, tick{});
  EXPECT_EQ(orders.read_namespaces, names{"shop"});
}

} // namespace
} // namespace sliceferry::core
