#include "actors/core/explain_lists.hpp"
#include "test/core/member_makers.hpp"
#include "test/core/picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sliceferry::core {
namespace {

using uids = std::vector<std::string>;

template <class T>
watch_batch<T> listed(std::vector<T> items) {
  watch_batch<T> out;
  out.events.push_back({watch_change::init, {}});
  for (auto& each : items)
    out.events.push_back({watch_change::applied, std::move(each)});
  T end;
  end.resource_version = "100";
  out.events.push_back({watch_change::init_done, end});
  return out;
}

TEST(SliceSearch, FindsAllThatIsKnownUnderAName) {
  member_table table{make_identity()};
  table.slices(listed<endpoint_slice>({make_slice("web-1", "u1", 5), make_slice("web-2", "u2", 6)}));
  table.exports(listed<slice_export>({make_export("e1", "h1", 7, "u1"), make_export("e9", "h9", 8, "u9")}));
  const auto all = table.search({"shop", "web-1"});
  EXPECT_EQ(all.uids, uids{"u1"});
  EXPECT_EQ(all.slices, 2U);
  EXPECT_TRUE(all.near.empty()) << "it was found";
  EXPECT_EQ(table.search({"shop", "of-u9"}).uids, uids{"u9"}) << "only an export tells of it";
  watch_batch<endpoint_slice> anew;
  anew.events = {{watch_change::applied, make_slice("web-1", "u7", 101)}};
  table.slices(anew);
  EXPECT_EQ(table.search({"shop", "web-1"}).uids, (uids{"u7", "u1"})) << "the one that is there comes first";
  EXPECT_EQ(table.uid_at({"shop", "web-1"}), "u7");
  EXPECT_EQ(table.uid_at({"shop", "of-u9"}), std::nullopt);
  EXPECT_TRUE(table.is_claimed("e9"));
  EXPECT_FALSE(table.is_claimed("e2"));
}

TEST(SliceSearch, OfASuspectShowsItsExportsAndProvesNothing) {
  member_table table{make_identity()};
  table.slices(listed<endpoint_slice>({}));
  table.consents(listed<service_export>({}));
  table.exports(listed<slice_export>({make_export("e9", "h9", 8, "u9")}));
  const auto seen = table.inputs_at("u9", {"shop", "of-u9"});
  ASSERT_EQ(seen.hub.size(), 1U);
  EXPECT_TRUE(seen.hub[0].mine);
  EXPECT_EQ(seen.key, (object_key{"shop", "of-u9"}));
  EXPECT_EQ(choose_target(*make_identity(), {}, seen).what, goal::wait);
}

TEST(SliceSearch, NamesThoseThatMayHaveBeenMeant) {
  const object_key wanted{"shop", "web-x2x7k"};
  near_keys near{wanted};
  for (const char* name : {"web-y", "api-1", "web-x2x8k", "we", "web-x2", "web-x2x9k", "webhook", "web-a", "web-b"})
    near.offer({"shop", name});
  near.offer({"test", "web-x2x7k"});
  near.offer({"test", "web-x2x7"});
  const std::vector<object_key> expected{
    {"test", "web-x2x7k"}, {"shop", "web-x2x8k"}, {"shop", "web-x2x9k"}, {"shop", "web-x2"}, {"shop", "web-a"}};
  EXPECT_EQ(near.take(), expected);
  EXPECT_TRUE(near_keys{wanted}.take().empty());
}

slice_export exported(const std::string& name, const std::string& uid, const std::string& hub_uid) {
  picture shown;
  slice_export out;
  out.key = {m1.hub_nspace, name};
  out.uid = hub_uid;
  out.resource_version = "9";
  shown.slice.uid = uid;
  out.spec = project(m1, shown.slice, morning);
  return out;
}

TEST(ExplainReadings, SaysWhatAProgramThatStartsNowWouldSay) {
  slice_readings read;
  read.where = {"shop", "web-a"};
  EXPECT_TRUE(explain_readings(m1, read, noon).empty());

  read.slice = picture{}.named("n").slice;
  read.consent = make_consent("web", 3);
  read.exports = {exported("n", "u1", "h1"), exported("z", "u2", "h2")};
  read.exports[1].spec.reference.slice = {"shop", "other"};
  auto told = explain_readings(m1, read, noon);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].stands, standing::exported);
  EXPECT_EQ(told[0].uid, "u1");
  EXPECT_FALSE(told[0].owed);
  EXPECT_FALSE(told[0].runs);
  EXPECT_EQ(told[0].exports.size(), 1U) << "those of others are no matter of it";
  const auto says = [&](explained_rule which) { return std::ranges::find(told[0].rules, which, &finding::rule)->is; };
  EXPECT_EQ(says(explained_rule::leaving), ruling::unknown) << "an operator's order is known to a program alone";
  EXPECT_EQ(says(explained_rule::synced), ruling::unknown) << "no list of slices was read";
  for (const auto each : {explained_rule::presence, explained_rule::service, explained_rule::consent})
    EXPECT_EQ(says(each), ruling::passes) << to_string(each);

  read.slice->ours.name = "z";
  told = explain_readings(m1, read, noon);
  ASSERT_EQ(told.size(), 1U);
  ASSERT_EQ(told[0].exports.size(), 2U);
  EXPECT_EQ(told[0].exports[1].whose, owner_seen::another_slice);
  EXPECT_EQ(told[0].name->by, name_rule::fresh);
  read.slice->ours.name = "n";

  read.consent.reset();
  told = explain_readings(m1, read, noon);
  EXPECT_EQ(told.at(0).stands, standing::withdrawing);
  EXPECT_EQ(told[0].why, proof::gone) << "that there is none was read";
  EXPECT_EQ(says(explained_rule::consent), ruling::fails);
  EXPECT_EQ(says(explained_rule::leave), ruling::unknown) << "a guard may hold it";
  EXPECT_TRUE(told[0].conclusion.starts_with("to be withdrawn: ")) << told[0].conclusion;

  read.leaving = true;
  told = explain_readings(m1, read, noon);
  EXPECT_EQ(told.at(0).by, explained_rule::leaving);
  EXPECT_EQ(says(explained_rule::leaving), ruling::fails) << "the settings say so";
  read.leaving = false;

  read.slice.reset();
  told = explain_readings(m1, read, noon);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].uid, "u1");
  EXPECT_EQ(told[0].stands, standing::withdrawing);
  EXPECT_EQ(told[0].why, proof::leftover);
  EXPECT_EQ(told[0].by, explained_rule::presence);
}

} // namespace
} // namespace sliceferry::core
