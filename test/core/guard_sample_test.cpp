#include "actors/core/guard.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::core {
namespace {

using namespace std::chrono_literals;
using names = std::vector<std::string>;

/// Of fixed width, so that their order by name is that of their numbers.
std::string uid(std::size_t number) {
  const auto digits = std::to_string(number);
  return "u" + std::string(3 - digits.size(), '0') + digits;
}

names uids(std::size_t from, std::size_t count) {
  names out;
  for (std::size_t i = from; i < from + count; ++i)
    out.push_back(uid(i));
  return out;
}

std::vector<guard::wish> wishes(std::size_t from, std::size_t count, const std::string& nspace = "shop") {
  std::vector<guard::wish> out;
  for (const auto& each : uids(from, count))
    out.push_back({each, nspace});
  return out;
}

/// All that comes before the sample is told, and well.
guard::orders tell_all_but_sample(guard& of, tick now = {}) {
  for (const auto which : {mirrored::slices, mirrored::consents, mirrored::exports}) {
    of.list_began(which);
    of.list_done(which, false, now);
  }
  of.namespace_read("shop", existence::exists, now);
  return of.kind_read(existence::exists, now);
}

guard::orders read(guard& of, const names& slice_uids, existence how = existence::missing, tick now = {}) {
  guard::orders out;
  for (const auto& each : slice_uids)
    out = of.absence_read(each, how, now);
  return out;
}

/// More than 3 and 30 % within a minute; that many of 100 exports are to go, and their sample is to be read.
guard sampling(std::size_t held) {
  guard out{{30, 3, 60s}};
  out.ask(wishes(0, held), 100, tick{});
  tell_all_but_sample(out);
  return out;
}

using answers = std::vector<std::pair<std::size_t, existence>>;

/// Of those picked of 40, but for the last ones.
answers all(existence how, std::size_t but_last = 0) {
  answers out;
  for (std::size_t number = 0; number < 40 - 5 * but_last; number += 5)
    out.emplace_back(number, how);
  return out;
}

answers operator+(answers first, const answers& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

TEST(GuardSample, DecidesWhatTheListsCannot) {
  using enum existence;
  struct row {
    const char* name;
    answers told;
    guard_state then;
  };
  const row table[] = {
    {"all are gone", all(missing), guard_state::open},
    {"the last is there", all(missing, 1) + answers{{35, exists}}, guard_state::holding},
    {"one is there, terminating", all(missing, 1) + answers{{35, terminating}}, guard_state::holding},
    {"one is there, and no right to read the others", all(unknown, 1) + answers{{35, exists}}, guard_state::holding},
    {"one can't be read", all(missing, 1) + answers{{35, unknown}}, guard_state::open},
    {"no right to read any", all(unknown), guard_state::open},
    {"one is not answered yet", all(missing, 1), guard_state::checking},
    {"one is there, another not answered yet", answers{{0, exists}, {5, missing}}, guard_state::checking},
    {"an answer that nobody asked for", all(missing, 1) + answers{{1, missing}}, guard_state::checking},
    {"the newest answer counts", answers{{0, exists}} + all(missing), guard_state::open},
  };
  for (const auto& [name, told, then] : table) {
    SCOPED_TRACE(name);
    auto subject = sampling(40);
    for (const auto& [number, how] : told)
      EXPECT_EQ(subject.absence_read(uid(number), how, tick{}).read_absent, names{}) << "it is picked once";
    EXPECT_EQ(subject.state(), then);
    EXPECT_EQ(subject.held(), then == guard_state::open ? 0u : 40u);
    EXPECT_EQ(subject.due().has_value(), then == guard_state::holding);
  }
}

TEST(GuardSample, DoesNotOutweighAnEmptyListThatComesMeanwhile) {
  auto subject = sampling(40);
  subject.list_done(mirrored::slices, true, tick{});
  for (const auto& [number, how] : all(existence::missing))
    subject.absence_read(uid(number), how, tick{});
  EXPECT_EQ(subject.state(), guard_state::holding);
}

TEST(GuardSample, SpreadsEvenlyOverWhatIsHeld) {
  struct row {
    std::size_t held;
    std::vector<std::size_t> picked;
  };
  const row table[] = {
    {4, {0, 1, 2, 3}},
    {8, {0, 1, 2, 3, 4, 5, 6, 7}},
    {9, {0, 1, 2, 3, 4, 5, 6, 7}},
    {15, {0, 1, 3, 5, 7, 9, 11, 13}},
    {23, {0, 2, 5, 8, 11, 14, 17, 20}},
    {40, {0, 5, 10, 15, 20, 25, 30, 35}},
    {800, {0, 100, 200, 300, 400, 500, 600, 700}},
  };
  for (const auto& [held, picked] : table) {
    SCOPED_TRACE(held);
    guard subject{{30, 3, 60s}};
    subject.ask(wishes(0, held), held, tick{});
    names expected;
    for (const auto number : picked)
      expected.push_back(uid(number));
    EXPECT_EQ(tell_all_but_sample(subject).read_absent, expected);
  }
}

TEST(GuardSample, IsNotReadWhereTheListsAlreadySpeakAgainst) {
  guard subject{{30, 3, 60s}};
  subject.ask(wishes(0, 40), 100, tick{});
  for (const auto which : {mirrored::slices, mirrored::consents, mirrored::exports}) {
    subject.list_began(which);
    subject.list_done(which, false, tick{});
  }
  subject.namespace_read("shop", existence::exists, tick{});
  EXPECT_EQ(subject.kind_read(existence::missing, tick{}), guard::orders{});
  EXPECT_EQ(subject.state(), guard_state::holding);
}

TEST(GuardSample, IsPickedAgainByTheNextCheck) {
  auto subject = sampling(40);
  const auto eight = uids(0, 40);
  read(subject, {uid(0), uid(5), uid(10), uid(15), uid(20), uid(25), uid(30)});
  EXPECT_EQ(subject.absence_read(uid(35), existence::exists, tick{}), guard::orders{});
  ASSERT_EQ(subject.state(), guard_state::holding);
  EXPECT_NE(subject.text().find("one by one"), std::string::npos);
  const auto later = *subject.due();
  ASSERT_TRUE(subject.review(later).check);
  const auto sample = tell_all_but_sample(subject, later).read_absent;
  EXPECT_EQ(sample.size(), 8u) << "what the first check read is no proof for the second";
  EXPECT_EQ(read(subject, sample, existence::missing, later).notify, eight);
  EXPECT_EQ(subject.state(), guard_state::open);
}

TEST(GuardSample, HearsNothingOfWhatNoLongerWaits) {
  auto subject = sampling(40);
  subject.forget({uid(0), uid(5)}, tick{}); // they are back, and their watch said so
  EXPECT_EQ(subject.absence_read(uid(0), existence::exists, tick{}).read_absent, names{});
  EXPECT_EQ(subject.absence_read(uid(5), existence::exists, tick{}).read_absent, names{});
  EXPECT_EQ(read(subject, {uid(10), uid(15), uid(20), uid(25), uid(30)}), guard::orders{});
  const auto told = subject.absence_read(uid(35), existence::missing, tick{});
  EXPECT_EQ(told.read_absent, (names{uid(1), uid(21)})) << "others are read in their place";
  EXPECT_EQ(subject.state(), guard_state::checking);
  read(subject, told.read_absent);
  EXPECT_EQ(subject.state(), guard_state::open);
}

TEST(GuardSample, EndsThoughAllOfItIsForgotten) {
  auto subject = sampling(40);
  const names first{uid(0), uid(5), uid(10), uid(15), uid(20), uid(25), uid(30), uid(35)};
  subject.forget(first, tick{});
  auto told = read(subject, first, existence::exists);
  EXPECT_EQ(told.read_absent.size(), 8u);
  told = read(subject, told.read_absent);
  EXPECT_EQ(told.notify.size(), 32u);
  EXPECT_EQ(subject.state(), guard_state::open);
}

TEST(GuardSample, DoesNotSpeakForWhoAskedLater) {
  struct row {
    const char* name;
    std::size_t late;
    std::size_t exports;
    bool leaves; ///< as it would at an open guard
  };
  const row table[] = {
    {"as many as the count allows", 3, 10, true},
    {"more than that", 4, 10, false},
    {"less than the share", 30, 100, true},
    {"more than that, too", 31, 100, false},
  };
  for (const auto& [name, late, exports, leaves] : table) {
    SCOPED_TRACE(name);
    guard subject{{30, 3, 60s}};
    subject.ask(wishes(0, 40), exports, tick{});
    const auto sample = tell_all_but_sample(subject).read_absent;
    EXPECT_EQ(subject.ask(wishes(100, late), exports, tick{}), guard::orders{});
    const auto told = read(subject, sample);
    EXPECT_TRUE(subject.leave(uid(39)));
    EXPECT_EQ(subject.leave(uid(100)), leaves);
    EXPECT_EQ(told.notify.size(), 40 + (leaves ? late : 0));
    EXPECT_EQ(told.check, !leaves) << "a check of their own";
    EXPECT_EQ(told.read_namespaces, leaves ? names{} : names{"shop"});
    EXPECT_EQ(subject.held(), leaves ? 0 : late);
    if (leaves) {
      EXPECT_TRUE(subject.ask(wishes(200, 31), exports, tick{}).check);
      EXPECT_FALSE(subject.leave(uid(100))) << "the leave they have counts and can be revoked";
      EXPECT_TRUE(subject.leave(uid(39))) << "unlike that of those confirmed";
      continue;
    }
    const auto next = tell_all_but_sample(subject).read_absent;
    EXPECT_EQ(next.size(), std::min<std::size_t>(late, 8));
    EXPECT_EQ(read(subject, next).notify, uids(100, late));
  }
}

TEST(GuardSample, JudgesLateOnesByTheExportsOfTheWindowThatEndsWithIt) {
  for (const auto& [answered, leaves] : {std::pair{59s, true}, {61s, false}}) {
    auto subject = sampling(40); // of 100
    subject.ask(wishes(100, 4), 10, tick{} + 30s);
    for (const auto& [number, how] : all(existence::missing))
      subject.absence_read(uid(number), how, tick{} + answered);
    EXPECT_EQ(subject.leave(uid(100)), leaves);
  }
}

TEST(GuardSample, OfOneThatCameBackAndWentAgainSpeaksForOthersOnly) {
  auto subject = sampling(40);
  const auto again = uids(0, 4);
  subject.forget(again, tick{});
  subject.ask(wishes(0, 4), 10, tick{});
  read(subject, {uid(0), uid(5), uid(10), uid(15), uid(20), uid(25), uid(30), uid(35)});
  EXPECT_EQ(subject.state(), guard_state::open) << "4 of 100 are within the limits";
  EXPECT_TRUE(subject.ask(wishes(50, 27), 100, tick{}).check) << "they count";
  EXPECT_EQ(subject.held(), 31u);
}

TEST(GuardSample, LeavesTheOperatorTheLastWord) {
  auto subject = sampling(40);
  subject.ask(wishes(100, 40), 100, tick{});
  EXPECT_EQ(subject.allow(tick{}).notify.size(), 80u) << "late ones, too";
  EXPECT_EQ(subject.held(), 0u);
  EXPECT_EQ(subject.absence_read(uid(0), existence::exists, tick{}), guard::orders{}) << "nobody asks any more";
  EXPECT_EQ(subject.state(), guard_state::open);
}

} // namespace
} // namespace sliceferry::core
