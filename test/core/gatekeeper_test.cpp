#include "test/core/gatekeeper_house.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

using names = std::vector<std::string>;

TEST(Gatekeeper, AsksLeaveWhereOnlyAnAbsenceSpeaks) {
  using act = std::function<void(member_table&)>;
  struct row {
    const char* name;
    act what;
    bool asks;
  };
  const act no_consent = [](member_table& of) { of.consents(deleted(make_consent("web", 2))); };
  const act no_slice = [](member_table& of) { of.slices(deleted(slice(1, 2))); };
  const act no_export = [](member_table& of) { of.exports(deleted(export_of(1, 2))); };
  const act ends = [](member_table& of) { of.exports(applied(terminating(export_of(1), 2))); };
  const act leaves = [](member_table& of) { of.leave(true); };
  const auto consent = [](service_export to) -> act { return [to](member_table& of) { of.consents(applied(to)); }; };
  const auto becomes = [](endpoint_slice next) -> act {
    return [next](member_table& of) { of.slices(applied(next)); };
  };
  const auto both = [](const act& a, const act& b) -> act { return [a, b](member_table& of) { a(of), b(of); }; };
  auto conflicted = make_consent("web", 2);
  conflicted.conflict->is = condition::status::yes;
  auto ending = make_consent("web", 2);
  ending.deleting = true;
  auto deleting = slice(1, 2);
  deleting.deleting = true;
  const act named_only = both(no_export, becomes(named(slice(1, 2), "e1")));
  const row table[] = {
    {"nothing is wrong", [](member_table&) {}, false},
    {"a slice is gone", no_slice, true},
    {"and so is its export", both(no_slice, no_export), false},
    {"or ends", both(no_slice, ends), false},
    {"no ServiceExport", no_consent, true},
    {"none, and the slice carries no more than a name", both(named_only, no_consent), true},
    {"none, and it was never exported", both(no_export, no_consent), false},
    {"an invalid ServiceExport", consent(make_consent("web", 2, false)), false},
    {"one in conflict", consent(conflicted), false},
    {"a ServiceExport that is being deleted", consent(ending), true},
    {"of a service without a name", becomes(make_slice("s1", "u1", 2, "")), false},
    {"a slice that is being deleted", both(becomes(deleting), no_consent), false},
    {"one of no service", becomes(make_slice("s1", "u1", 2, std::nullopt)), false},
    {"gone while the member leaves", both(leaves, no_slice), false},
    {"no ServiceExport while it leaves", both(leaves, no_consent), false},
  };
  for (const auto& [name, what, asks] : table) {
    SCOPED_TRACE(name);
    house subject;
    what(subject.table);
    EXPECT_EQ(subject.consider({false, {"u1"}}), guard::orders{}) << "it is about to be told anyway";
    EXPECT_EQ(subject.gate.absence_guard().leave("u1"), asks);
    EXPECT_EQ(subject.consider({false, {"u1"}}), guard::orders{}) << "once";
  }
}

TEST(Gatekeeper, HoldsBackWhatEndsAtOnce) { // as where their CRD is deleted
  for (const bool returns : {false, true}) {
    house subject{10, strict};
    auto ending = make_consent("web", 2);
    ending.deleting = true;
    EXPECT_TRUE(subject.consider(subject.table.consents(applied(ending))).check);
    EXPECT_EQ(subject.gate.absence_guard().held(), 10u);
    EXPECT_FALSE(subject.leave("u1"));
    subject.consider(subject.table.consents(returns ? applied(make_consent("web", 3)) : deleted(ending)));
    EXPECT_EQ(subject.gate.absence_guard().held(), returns ? 0u : 10u) << "ended, it is still absent";
  }
}

TEST(Gatekeeper, AsksNothingOfHalfAPicture) {
  for (int missing = 0; missing < 4; ++missing) {
    SCOPED_TRACE(missing);
    member_table table{make_identity()};
    gatekeeper gate{make_identity(), lax};
    if (missing != 0)
      table.exports(listed<slice_export>({export_of(1)}));
    else
      table.exports(applied(export_of(1)));
    if (missing != 1)
      table.consents(listed<service_export>({}));
    if (missing != 2)
      table.slices(listed<endpoint_slice>({slice(1)}));
    else
      table.slices(applied(slice(1)));
    gate.consider(table, table.uids(), tick{});
    EXPECT_EQ(gate.absence_guard().leave("u1"), missing == 3);
  }
}

TEST(Gatekeeper, AsksForALeftoverOnceItIsProven) {
  house subject;
  EXPECT_EQ(subject.consider({false, {"u9"}}), guard::orders{}) << "nobody knows it";
  subject.table.exports(applied(export_of(9)));
  EXPECT_EQ(subject.consider({true, {}}), guard::orders{}) << "a suspicion";
  EXPECT_FALSE(subject.gate.absence_guard().knows("u9"));
  EXPECT_EQ(subject.find_leftover(export_of(9, 2)), guard::orders{});
  EXPECT_TRUE(subject.gate.absence_guard().leave("u9"));
  EXPECT_TRUE(subject.leave("u9"));
}

TEST(Gatekeeper, AsksForABatchAtOnce) {
  house subject{10, strict};
  for (int i = 1; i <= 4; ++i)
    subject.table.slices(deleted(slice(i, 2)));
  EXPECT_TRUE(subject.consider({false, {"u1", "u2", "u3", "u4", "u5"}}).check);
  EXPECT_EQ(subject.gate.absence_guard().held(), 4u);
  EXPECT_FALSE(subject.leave("u1")) << "or three would have left before";
  EXPECT_TRUE(subject.gate.is_busy());

  house other{10, strict};
  const auto told = other.consider(other.table.consents(deleted(make_consent("web", 2))));
  EXPECT_TRUE(told.check);
  EXPECT_EQ(told.read_namespaces, names{"shop"});
  EXPECT_EQ(other.gate.absence_guard().held(), 10u);
}

TEST(Gatekeeper, HandsOnAllThatAnAskOrders) {
  house subject{10, strict};
  for (int i = 1; i <= 2; ++i)
    subject.table.slices(deleted(slice(i, 2)));
  subject.consider({true, {}});
  for (int i = 3; i <= 4; ++i)
    subject.table.slices(deleted(slice(i, 2)));
  auto told = subject.consider({false, {"u3", "u4"}});
  std::sort(told.notify.begin(), told.notify.end());
  EXPECT_EQ(told.notify, (names{"u1", "u2"})) << "their leave is revoked";
  EXPECT_TRUE(told.check);
}

TEST(Gatekeeper, ForgetsWhatIsNoLongerTrue) {
  struct row {
    const char* name;
    std::function<touched(member_table&)> goes;
    std::function<touched(member_table&)> ends;
  };
  const auto no_consent = [](member_table& of) { return of.consents(deleted(make_consent("web", 2))); };
  const auto no_slice = [](member_table& of) { return of.slices(deleted(slice(1, 2))); };
  const row table[] = {
    {"the ServiceExport is back", no_consent,
     [](member_table& of) { return of.consents(applied(make_consent("web", 3))); }},
    {"it is back, and invalid", no_consent,
     [](member_table& of) { return of.consents(applied(make_consent("web", 3, false))); }},
    {"the export is gone", no_consent, [](member_table& of) { return of.exports(deleted(export_of(1, 2))); }},
    {"the slice's export is gone", no_slice, [](member_table& of) { return of.exports(deleted(export_of(1, 2))); }},
    {"the slice's export ends", no_slice,
     [](member_table& of) { return of.exports(applied(terminating(export_of(1), 2))); }},
    {"the member leaves", no_slice, [](member_table& of) { return of.leave(true); }},
  };
  for (const auto& [name, goes, ends] : table) {
    SCOPED_TRACE(name);
    house subject;
    subject.consider(goes(subject.table));
    ASSERT_TRUE(subject.gate.absence_guard().leave("u1"));
    subject.consider(ends(subject.table));
    EXPECT_FALSE(subject.gate.absence_guard().leave("u1"));
  }
}

TEST(Gatekeeper, LetsTheRestGoWhenSomeAreBack) {
  house subject{10, strict};
  auto last = slice(10, 2);
  last.service = "db";
  subject.table.slices(applied(last));
  subject.table.consents(applied(make_consent("db", 2)));
  subject.consider(subject.table.consents(deleted(make_consent("web", 3))));
  ASSERT_EQ(subject.gate.absence_guard().held(), 9u);
  subject.table.slices(deleted(slice(10, 3)));
  subject.table.consents(applied(make_consent("web", 4)));
  EXPECT_EQ(subject.consider({true, {}}), guard::orders{});
  EXPECT_TRUE(subject.gate.absence_guard().leave("u10")) << "nine are back, one goes";
  EXPECT_FALSE(subject.gate.absence_guard().knows("u1"));
  EXPECT_FALSE(subject.gate.is_busy());
}

TEST(Gatekeeper, CompletesTheLeave) {
  house subject{10, strict};
  EXPECT_TRUE(subject.leave("u1")) << "nothing is absent";
  subject.table.slices(deleted(slice(1, 2)));
  EXPECT_FALSE(subject.leave("u1")) << "not before it was asked for";
  subject.consider({false, {"u1"}});
  EXPECT_TRUE(subject.leave("u1"));
  subject.consider(subject.table.consents(deleted(make_consent("web", 2))));
  EXPECT_FALSE(subject.leave("u1")) << "too many go";
  EXPECT_FALSE(subject.leave("u2"));
  subject.gate.absence_guard().allow(tick{});
  EXPECT_TRUE(subject.leave("u2"));
}

} // namespace
} // namespace sliceferry::core
