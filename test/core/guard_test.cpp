#include "actors/core/guard.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::core {
namespace {

using namespace std::chrono_literals;
using names = std::vector<std::string>;

/// More than 3 and more than 30 % within a minute.
constexpr guard_limits small{30, 3, 60s};

std::vector<guard::wish> wishes(unsigned from, unsigned count, const std::string& nspace = "shop") {
  std::vector<guard::wish> out;
  for (unsigned i = from; i < from + count; ++i)
    out.push_back({"u" + std::to_string(i), nspace});
  return out;
}

names uids(unsigned from, unsigned count) {
  names out;
  for (const auto& each : wishes(from, count))
    out.push_back(each.slice_uid);
  return out;
}

names sorted(names list) {
  std::sort(list.begin(), list.end());
  return list;
}

void list_all(guard& of, tick now, bool no_slices = false) {
  for (const auto which : {mirrored::slices, mirrored::consents, mirrored::exports}) {
    of.list_began(which);
    of.list_done(which, no_slices && which == mirrored::slices, now);
  }
}

/// Orders to read these namespaces, and no others.
guard::orders to_read(names namespaces, bool check = false) {
  guard::orders out;
  out.check = check;
  out.read_namespaces = std::move(namespaces);
  return out;
}

/// Of none of these the absent object is there. Returns what follows from the last one.
guard::orders miss(guard& of, const names& slice_uids, tick now) {
  guard::orders out;
  for (const auto& uid : slice_uids)
    out = of.absence_read(uid, existence::missing, now);
  return out;
}

/// Of 10 exports 4 are to go at once, in namespace `shop`.
guard tripped(tick now) {
  guard out{small};
  out.ask(wishes(1, 4), 10, now);
  return out;
}

/// As above, and the CRD turned out to be missing.
guard holding(tick now) {
  auto out = tripped(now);
  list_all(out, now);
  out.namespace_read("shop", existence::exists, now);
  out.kind_read(existence::missing, now);
  return out;
}

TEST(Guard, TripsBeyondBothLimitsWithinTheWindow) {
  struct batch {
    std::chrono::milliseconds at;
    unsigned wishes;
    std::size_t exports;
  };
  struct row {
    const char* name;
    std::vector<batch> batches;
    guard_state then;
  };
  const row table[] = {
    {"as many as the count allows", {{0s, 3, 3}}, guard_state::open},
    {"one more, and all there is", {{0s, 4, 4}}, guard_state::checking},
    {"more than the count, less than the share", {{0s, 30, 100}}, guard_state::open},
    {"more than the share", {{0s, 31, 100}}, guard_state::checking},
    {"one by one", {{0s, 1, 10}, {1s, 1, 9}, {2s, 1, 8}, {3s, 1, 7}}, guard_state::checking},
    {"just within the window", {{0s, 2, 10}, {59s, 2, 8}}, guard_state::checking},
    {"slower than that", {{0s, 2, 10}, {62s, 2, 8}, {124s, 2, 6}}, guard_state::open},
    {"the share is that of what was there before", {{0s, 1, 100}, {30s, 29, 10}}, guard_state::open},
    {"that was long ago", {{0s, 1, 100}, {61s, 4, 10}}, guard_state::checking},
    {"half a second apart", {{0s, 1, 10}, {900ms, 2, 9}, {60500ms, 2, 7}}, guard_state::checking},
    {"nobody knows how many exports there are", {{0s, 4, 0}}, guard_state::checking},
  };
  for (const auto& [name, batches, then] : table) {
    SCOPED_TRACE(name);
    guard subject{small};
    unsigned next = 1;
    for (const auto& [at, count, exports] : batches) {
      ASSERT_EQ(subject.state(), guard_state::open) << "before the last batch";
      const auto orders = subject.ask(wishes(next, count), exports, tick{} + at);
      next += count;
      EXPECT_EQ(orders.check, subject.state() == guard_state::checking);
      if (subject.state() == guard_state::open) {
        EXPECT_EQ(orders.notify, uids(next - count, count));
      }
    }
    EXPECT_EQ(subject.state(), then);
    for (const auto& uid : uids(1, next - 1))
      EXPECT_EQ(subject.leave(uid),
                then == guard_state::open || (uid == "u1" && batches.front().at + 60s <= batches.back().at))
        << uid;
  }
}

TEST(Guard, GivesNoLeaveToWhoNeverAsked) {
  guard subject{small};
  EXPECT_FALSE(subject.leave("u1"));
  subject.ask(wishes(1, 1), 10, tick{});
  EXPECT_TRUE(subject.leave("u1"));
  subject.forget({"u1"}, tick{});
  EXPECT_FALSE(subject.leave("u1"));
}

TEST(Guard, CountsARepeatedWishOnce) {
  guard subject{small};
  for (int i = 0; i < 5; ++i)
    subject.ask(wishes(1, 3), 10, tick{} + i * 1s);
  auto twice = wishes(1, 3);
  twice.push_back(twice.front());
  EXPECT_EQ(subject.ask(twice, 10, tick{} + 6s), guard::orders{});
  EXPECT_EQ(subject.state(), guard_state::open);
  EXPECT_TRUE(subject.ask(wishes(3, 2), 10, tick{} + 7s).check) << "one is new";
}

TEST(Guard, RevokesWhatItGaveWithinTheWindow) {
  guard subject{small};
  subject.ask(wishes(1, 2), 10, tick{});
  subject.ask(wishes(3, 2), 10, tick{} + 70s);
  const auto orders = subject.ask(wishes(5, 2), 10, tick{} + 80s);
  EXPECT_TRUE(orders.check);
  EXPECT_EQ(sorted(orders.notify), uids(3, 2)) << "those who lost their leave; the new never had one";
  EXPECT_EQ(orders.read_namespaces, names{"shop"});
  EXPECT_EQ(subject.held(), 4u);
  for (const auto& uid : uids(1, 6))
    EXPECT_EQ(subject.leave(uid), uid == "u1" || uid == "u2") << uid;
}

TEST(Guard, CountsWhatWentThoughItIsForgotten) {
  guard subject{small};
  subject.ask(wishes(1, 3), 10, tick{});
  subject.forget(uids(1, 2), tick{} + 1s); // their exports are gone
  EXPECT_TRUE(subject.ask(wishes(4, 1), 10, tick{} + 2s).check);
  EXPECT_EQ(subject.held(), 2u);
  // The third was revoked, too late as it turns out: it went within the window.
  EXPECT_EQ(subject.forget({"u3"}, tick{} + 3s), guard::orders{});
  EXPECT_EQ(subject.review(tick{} + 1h), guard::orders{}) << "waiting proves nothing";
  EXPECT_EQ(subject.state(), guard_state::checking);
  EXPECT_FALSE(subject.leave("u4"));
}

TEST(Guard, JudgesByTheCheck) {
  using act = std::function<void(guard&)>;
  const act lists = [](guard& of) { list_all(of, tick{}); };
  const auto nspace = [](const char* which, existence how) -> act {
    return [which, how](guard& of) { of.namespace_read(which, how, tick{}); };
  };
  const act shop = nspace("shop", existence::exists);
  const auto kind = [](existence how) -> act { return [how](guard& of) { of.kind_read(how, tick{}); }; };
  const auto began = [](mirrored which) -> act { return [which](guard& of) { of.list_began(which); }; };
  const auto done = [](mirrored which, bool empty) -> act {
    return [which, empty](guard& of) { of.list_done(which, empty, tick{}); };
  };
  const act exists = kind(existence::exists);
  const act sample = [](guard& of) { miss(of, uids(1, 4), tick{}); };
  struct row {
    const char* name;
    std::vector<act> acts;
    guard_state then;
  };
  const row table[] = {
    {"all is as it should be", {lists, shop, exists, sample}, guard_state::open},
    {"in any order", {exists, shop, lists, sample}, guard_state::open},
    {"no right to read",
     {lists, nspace("shop", existence::unknown), kind(existence::unknown), sample},
     guard_state::open},
    {"the CRD is not read yet", {lists, shop, sample}, guard_state::checking},
    {"the namespace is not read yet", {lists, exists, sample}, guard_state::checking},
    {"the sample is not read yet", {sample, lists, shop, exists}, guard_state::checking},
    {"another namespace was read", {lists, exists, nspace("x", existence::exists), sample}, guard_state::checking},
    {"one list is missing",
     {shop, exists, began(mirrored::slices), done(mirrored::slices, false), began(mirrored::exports),
      done(mirrored::exports, false), began(mirrored::consents), sample},
     guard_state::checking},
    {"a list that began before the check",
     {shop, exists, began(mirrored::consents), done(mirrored::consents, false), began(mirrored::exports),
      done(mirrored::exports, false), done(mirrored::slices, false), sample},
     guard_state::checking},
    {"no ServiceExport and no export is left",
     {shop, exists, began(mirrored::consents), done(mirrored::consents, true), began(mirrored::exports),
      done(mirrored::exports, true), began(mirrored::slices), done(mirrored::slices, false), sample},
     guard_state::open},
    {"the CRD is missing", {lists, shop, kind(existence::missing)}, guard_state::holding},
    {"the CRD is being deleted", {kind(existence::terminating), lists, shop}, guard_state::holding},
    {"not one slice", {shop, exists, [](guard& of) { list_all(of, tick{}, true); }}, guard_state::holding},
    {"not one slice, and no rights",
     {shop, kind(existence::unknown), [](guard& of) { list_all(of, tick{}, true); }},
     guard_state::holding},
    {"the newest list counts", {lists, done(mirrored::slices, true), shop, exists}, guard_state::holding},
  };
  for (const auto& [name, acts, then] : table) {
    SCOPED_TRACE(name);
    auto subject = tripped(tick{});
    for (const auto& told : acts)
      told(subject);
    EXPECT_EQ(subject.state(), then);
    EXPECT_EQ(subject.held(), then == guard_state::open ? 0u : 4u);
    EXPECT_EQ(subject.leave("u1"), then == guard_state::open);
    EXPECT_EQ(subject.due().has_value(), then == guard_state::holding);
  }
}

TEST(Guard, StartsFromZeroOnceConfirmed) {
  guard subject{small};
  subject.ask(wishes(1, 2), 10, tick{});
  subject.ask(wishes(3, 2), 10, tick{});
  list_all(subject, tick{});
  subject.namespace_read("shop", existence::exists, tick{});
  EXPECT_EQ(subject.kind_read(existence::exists, tick{}).read_absent, uids(1, 4));
  EXPECT_EQ(miss(subject, uids(1, 4), tick{}).notify, uids(1, 4));
  EXPECT_EQ(subject.ask(wishes(5, 3), 10, tick{}).notify, uids(5, 3));
  EXPECT_TRUE(subject.ask(wishes(8, 1), 10, tick{}).check);
  EXPECT_TRUE(subject.leave("u4")) << "what was confirmed stays so";
  EXPECT_FALSE(subject.leave("u5"));
}

TEST(Guard, HoldsNewWishesWhileTripped) {
  auto subject = tripped(tick{});
  EXPECT_EQ(subject.ask(wishes(5, 1, "shop"), 10, tick{}), guard::orders{}) << "its namespace is being read";
  const auto orders = subject.ask(wishes(6, 1, "bank"), 10, tick{});
  EXPECT_EQ(orders, to_read({"bank"}));
  list_all(subject, tick{});
  subject.kind_read(existence::exists, tick{});
  subject.namespace_read("shop", existence::exists, tick{});
  EXPECT_EQ(subject.held(), 6u) << "bank is not read yet";
  EXPECT_EQ(subject.namespace_read("bank", existence::exists, tick{}).read_absent, uids(1, 6));
  EXPECT_EQ(miss(subject, uids(1, 6), tick{}).notify, uids(1, 6));

  auto held = holding(tick{});
  EXPECT_EQ(held.ask(wishes(5, 1, "bank"), 10, tick{}), guard::orders{});
  EXPECT_FALSE(held.leave("u5"));
}

TEST(Guard, ChecksAHoldAgain) {
  auto subject = holding(tick{} + 10s);
  ASSERT_EQ(subject.due(), tick{} + 10s + 5min);
  EXPECT_EQ(subject.review(*subject.due() - 1s), guard::orders{});
  EXPECT_EQ(subject.review(*subject.due()), to_read({"shop"}, true));
  EXPECT_EQ(subject.state(), guard_state::checking);
  const auto now = tick{} + 10min;
  EXPECT_EQ(subject.kind_read(existence::exists, now), guard::orders{});
  subject.namespace_read("shop", existence::exists, now);
  EXPECT_EQ(subject.state(), guard_state::checking) << "the lists of the first check are no proof for the second";
  list_all(subject, now);
  miss(subject, uids(1, 4), now);
  EXPECT_EQ(subject.state(), guard_state::open);
  EXPECT_TRUE(subject.leave("u1"));
}

TEST(Guard, OpensToAnOperator) {
  for (auto subject : {tripped(tick{}), holding(tick{})}) {
    EXPECT_EQ(subject.allow(tick{}).notify, uids(1, 4));
    EXPECT_EQ(subject.state(), guard_state::open);
    EXPECT_EQ(subject.held(), 0u);
    EXPECT_EQ(subject.due(), std::nullopt);
    EXPECT_EQ(subject.ask(wishes(5, 3), 10, tick{}).notify, uids(5, 3)) << "counting starts at zero";
    EXPECT_EQ(subject.allow(tick{}), guard::orders{});
    EXPECT_TRUE(subject.ask(wishes(8, 1), 10, tick{}).check) << "there was nothing to allow";
  }
}

TEST(Guard, KeepsWaitingThoughFewStillWish) {
  auto checking = tripped(tick{});
  EXPECT_EQ(checking.forget(uids(1, 3), tick{}), guard::orders{}) << "what lists lack changes from list to list";
  EXPECT_FALSE(checking.leave("u4"));
  EXPECT_EQ(checking.forget({"u4", "unknown"}, tick{}), guard::orders{});
  EXPECT_EQ(checking.state(), guard_state::open);

  auto subject = holding(tick{});
  subject.ask(wishes(5, 4), 10, tick{} + 1s);
  EXPECT_EQ(subject.forget(uids(1, 4), tick{} + 2s), guard::orders{}) << "four are left";
  EXPECT_EQ(subject.forget({"u5", "unknown"}, tick{} + 3s), guard::orders{}) << "few are left, but more may come back";
  const tick quiet = tick{} + 3s + small.window;
  EXPECT_EQ(subject.due(), quiet) << "a hold looks again soon";
  EXPECT_TRUE(subject.review(quiet).check);
  EXPECT_FALSE(subject.leave("u6"));
  subject.kind_read(existence::missing, quiet);
  subject.namespace_read("shop", existence::exists, quiet);
  list_all(subject, quiet);
  EXPECT_EQ(subject.state(), guard_state::holding);
  EXPECT_EQ(subject.forget({"u6"}, quiet + 1s), guard::orders{});
  EXPECT_EQ(subject.due(), quiet + guard::recheck_after) << "but not with each that goes";
  EXPECT_EQ(subject.forget({"u7", "u8"}, quiet + 6s), guard::orders{});
  EXPECT_EQ(subject.state(), guard_state::open);
}

TEST(Guard, LooksNotAgainWhileWhatItHoldsComesBack) {
  auto subject = holding(tick{});
  subject.ask(wishes(5, 20), 24, tick{} + 1s);
  const tick usual = tick{} + guard::recheck_after;
  EXPECT_EQ(subject.due(), usual);
  subject.forget({"u1"}, usual - 2s);
  EXPECT_EQ(subject.due(), usual - 2s + small.window) << "the CRD is back, and the next ServiceExport soon";
  EXPECT_FALSE(subject.review(usual).check);
  EXPECT_TRUE(subject.review(usual - 2s + small.window).check);
}

} // namespace
} // namespace sliceferry::core
