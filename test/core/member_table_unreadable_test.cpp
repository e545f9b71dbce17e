#include "actors/core/member_table.hpp"

#include "test/core/member_makers.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

using uids = std::vector<std::string>;

member_table synced() {
  member_table table{make_identity()};
  table.slices(listed<endpoint_slice>({make_slice("s1", "uid-1", 10), make_slice("s2", "uid-2", 11),
                                       make_slice("s3", "uid-3", 12), make_slice("s4", "uid-4", 13)}));
  table.consents(listed<service_export>({make_consent("web", 20)}));
  table.exports(listed<slice_export>({make_export("e1", "hub-1", 30, "uid-1")}));
  return table;
}

TEST(MemberTableUnreadable, KeepsTheSlice) {
  member_table table = synced();
  auto broken = listed<endpoint_slice>({make_slice("s2", "uid-2", 11)});
  broken.unreadable = {{"shop", "s1"}, {"shop", "s3"}, {"shop", "s4"}};
  EXPECT_TRUE(table.slices(broken).uids.empty()); // LW40
  EXPECT_FALSE(table.inputs_of("uid-1").gone);
  EXPECT_EQ(table.slices(listed<endpoint_slice>({make_slice("s2", "uid-2", 11)})).uids.size(), 3U);
}

TEST(MemberTableUnreadable, ProvesNoAbsenceOfConsent) {
  const object_key web{"shop", "web"};
  const auto list = [&](bool unreadable) {
    auto out = listed<service_export>({});
    if (unreadable)
      out.unreadable = {web};
    return out;
  };
  using step = std::function<touched(member_table&)>;
  struct row {
    const char* name;
    step news;
    consent says;
    bool touches;
  };
  const row table[] = {
    {"LW40 in the first list", [](auto&) { return touched{}; }, consent::pending, false},
    {"in the next one, too", [&](auto& t) { return t.consents(list(true)); }, consent::pending, false},
    {"while the next one has only begun",
     [](auto& t) {
       return t.consents(changes<service_export>({{watch_change::init, {}}}));
     },
     consent::pending, false},
    {"no more in the next one", [&](auto& t) { return t.consents(list(false)); }, consent::absent, true},
    {"no more in the next one, after one that broke off",
     [&](auto& t) {
       t.consents(changes<service_export>({{watch_change::init, {}}}));
       return t.consents(list(false));
     },
     consent::absent, true},
    {"read at last", [](auto& t) { return t.consents(applied(make_consent("web", 21))); }, consent::granted, true},
    {"deleted", [](auto& t) { return t.consents(deleted(make_consent("web", 21))); }, consent::absent, true},
  };
  for (const auto& [name, news, says, touches] : table) {
    SCOPED_TRACE(name);
    member_table held{make_identity()};
    held.exports(listed<slice_export>({}));
    held.slices(listed<endpoint_slice>({make_slice("s1", "uid-1", 10)}));
    held.consents(list(true));
    EXPECT_EQ(news(held).uids, touches ? uids{"uid-1"} : uids{});
    EXPECT_EQ(held.inputs_of("uid-1").says, says);
    EXPECT_EQ(held.inputs_of("uid-1").consent_proven, says == consent::absent);
  }
  member_table judged = synced();
  EXPECT_TRUE(judged.consents(list(true)).uids.empty());
  EXPECT_EQ(judged.inputs_of("uid-1").says, consent::granted) << "what was once read stands";
}

TEST(MemberTableUnreadable, ProvesNoLeftover) {
  struct row {
    const char* name;
    std::vector<endpoint_slice> slices;
    std::vector<object_key> unreadable;
    bool withdrawn;
    std::size_t suspects_later; ///< by the next list
  };
  const row table[] = {
    {"not there", {}, {}, true, 0},
    {"another's key", {}, {{"shop", "s2"}}, true, 0},
    {"LW40 there, whoever it is", {}, {{"shop", "of-uid-1"}}, false, 1},
    {"replaced by one that was read", {make_slice("of-uid-1", "uid-9", 9)}, {}, true, 0},
    {"there", {make_slice("of-uid-1", "uid-1", 9)}, {}, false, 0},
  };
  for (const auto& [name, slices, unreadable, withdrawn, suspects_later] : table) {
    SCOPED_TRACE(name);
    member_table held{make_identity()};
    held.slices(listed<endpoint_slice>({}));
    held.consents(listed<service_export>({}));
    held.exports(listed<slice_export>({make_export("e1", "hub-1", 30, "uid-1")}));
    const auto suspects = held.take_leftovers({});
    ASSERT_EQ(suspects.size(), 1U);
    auto list = listed(slices);
    list.unreadable = unreadable;
    held.slices(list);
    EXPECT_EQ(held.confirm(suspects[0], held.uid_listed(suspects[0])).uids, withdrawn ? uids{"uid-1"} : uids{});
    EXPECT_TRUE(held.take_leftovers({}).empty());
    held.slices(listed<endpoint_slice>({}));
    EXPECT_EQ(held.take_leftovers({}).size(), suspects_later);
  }
}

} // namespace
} // namespace sliceferry::core
