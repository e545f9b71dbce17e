#include "actors/core/dns1123.hpp"
#include "actors/core/keeper.hpp"
#include "actors/core/name_choice.hpp"
#include "actors/core/unique_name.hpp"
#include "test/core/picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace sliceferry::core {
namespace {

TEST(Dns1123, AcceptsWhatApiServersAccept) {
  const struct {
    const char* name;
    std::string text;
    bool valid;
  } table[] = {
    {"U28 well-formed", "m1-shop-web-a-x7f3k2p", true},
    {"U29 star", "-*", false},
    {"I13 underscore", "x_y", false},
    {"A3 empty", "", false},
    {"one letter", "a", true},
    {"one digit", "0", true},
    {"dots between parts", "a.b-c.d1", true},
    {"leading hyphen", "-a", false},
    {"trailing hyphen", "a-", false},
    {"leading dot", ".a", false},
    {"trailing dot", "a.", false},
    {"two dots", "a..b", false},
    {"hyphen before a dot", "a-.b", false},
    {"hyphen after a dot", "a.-b", false},
    {"inner hyphens", "a--b", true},
    {"upper case", "aB", false},
    {"space", "a b", false},
    {"C31 a part longer than 63", std::string(64, 'a'), true},
    {"253 bytes", std::string(253, 'a'), true},
    {"254 bytes", std::string(254, 'a'), false},
    {"not ASCII", "\xc3\xa4", false},
    {"a zero byte", std::string("a\0b", 3), false},
  };
  for (const auto& [name, text, valid] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(is_dns1123_subdomain(text), valid);
  }
}

member_identity member(const std::string& cluster, std::uint64_t seed = 7) {
  return {.cluster = cluster, .hub_nspace = "fleet-member", .seed = seed};
}

TEST(UniqueName, HasTheGoFormat) {
  // N1, U7
  const auto name = unique_name(m1, {"shop", "web-a"}, "u1", 0);
  EXPECT_TRUE(name.starts_with("m1-shop-web-a-"));
  EXPECT_EQ(name.size(), std::string{"m1-shop-web-a-"}.size() + 7);
  EXPECT_TRUE(is_dns1123_subdomain(name));
}

TEST(UniqueName, CutsLongPartsTo81) {
  // N2, A13
  const std::string long_a(100, 'a');
  const std::string long_b(100, 'b');
  const std::string long_c(100, 'c');
  const auto name = unique_name(member(long_a), {long_b, long_c}, "u1", 0);
  EXPECT_EQ(name.size(), 253U);
  EXPECT_EQ(name.substr(0, 246), long_a.substr(0, 81) + '-' + long_b.substr(0, 81) + '-' + long_c.substr(0, 81) + '-');
  EXPECT_NE(name, unique_name(member(long_a), {long_b, long_c + 'x'}, "u1", 0)) << "D17: the cut tail still counts";
}

TEST(UniqueName, FallsBackToLetters) {
  const struct {
    const char* name;
    std::string cluster;
    object_key slice;
  } table[] = {
    {"A13 upper-case cluster", "M1", {"shop", "web"}},
    {"A13 a dot at the cut", "m1", {"shop", std::string(80, 'a') + ".b"}},
    {"N4", "", {"shop", "web"}},
  };
  for (const auto& [name, cluster, slice] : table) {
    SCOPED_TRACE(name);
    const auto made = unique_name(member(cluster), slice, "u1", 0);
    EXPECT_EQ(made.size(), 25U);
    EXPECT_TRUE(std::ranges::all_of(made, [](char c) { return c >= 'a' && c <= 'z'; })) << made;
  }
}

TEST(UniqueName, DiffersByEachInput) {
  std::set<std::string> suffixes;
  const auto add = [&](const std::string& name) { suffixes.insert(name.substr(name.size() - 7)); };
  add(unique_name(m1, {"shop", "web-a"}, "u1", 0));
  add(unique_name(m1, {"shop", "web-a"}, "u1", 1));
  add(unique_name(m1, {"shop", "web-a"}, "u2", 0));
  add(unique_name(m1, {"shop", "web-b"}, "u1", 0));
  add(unique_name(member("m1", 8), {"shop", "web-a"}, "u1", 0));
  add(unique_name(member("m2"), {"shop", "web-a"}, "u1", 0));
  add(unique_name(member("a-b"), {"c", "web"}, "u1", 0));
  add(unique_name(member("a"), {"b-c", "web"}, "u1", 0));
  EXPECT_EQ(suffixes.size(), 8U);
  EXPECT_EQ(unique_name(m1, {"shop", "web-a"}, "u1", 5), unique_name(m1, {"shop", "web-a"}, "u1", 5));
}

TEST(Keeper, IsTheNamedElseTheOldestLiveOne) {
  const auto three = picture{}.exported("a", "h1").exported("b", "h2").exported("c", "h3").with([](picture& p) {
    p.seen.hub[0].created = noon;
    p.seen.hub[1].created = morning;
    p.seen.hub[2].created = morning;
  });
  const auto name_of_keeper = [](const memory& held, const inputs& seen) {
    const auto* kept = keeper(held, seen);
    return kept ? kept->name : "none";
  };
  EXPECT_EQ(name_of_keeper({}, three), "b") << "the oldest, then by name";
  EXPECT_EQ(name_of_keeper({}, three.named("c")), "c");
  EXPECT_EQ(name_of_keeper({}, three.named("x")), "b");
  EXPECT_EQ(name_of_keeper({}, three.named("c").with([](picture& p) { p.seen.hub[2].terminating = true; })), "b");
  EXPECT_EQ(name_of_keeper({}, three.named("c").with([](picture& p) { p.seen.hub[2].mine = false; })), "b");
  EXPECT_EQ(name_of_keeper({}, picture{}.foreign("a").named("a")), "none") << "U31";
  const auto after_delete = replay({withdrawal_begun{"b", "h2", proof::seen}, export_withdrawn{"h2"}});
  EXPECT_EQ(name_of_keeper(after_delete, three), "c") << "a view that lags behind our delete";
  const auto edited = three.named("c").with([](picture& p) { p.seen.hub[2].mine = false; });
  EXPECT_EQ(name_of_keeper(replay({export_applied{"c", "h3", 1, 1}}), edited), "c")
    << "created by us, reference edited";
}

struct choice_row {
  const char* name;
  memory held;
  inputs seen;
  name_choice then;
};

TEST(NameChoice, FollowsTheFiveRules) {
  const auto pending = replay({generation_seen{3, noon}, name_chosen{"new"}});
  const auto deleted = replay({withdrawal_begun{"old", "h1", proof::seen}, export_withdrawn{"h1"}}, exported_as("old"));
  const auto terminating = [](picture& p) { p.seen.hub[0].terminating = true; };
  const choice_row table[] = {
    {"1 pending stands over none", pending, picture{}, {name_rule::pending, "new"}},
    {"1 pending stands over another's writing", pending, picture{}.named("other"), {name_rule::pending, "new"}},
    {"1 I14 pending proves foreign", pending, picture{}.named("new").foreign("new"), {name_rule::fresh, ""}},
    {"2 C27 deleted, still terminating",
     deleted,
     picture{}.named("old").exported("old", "h1").with(terminating),
     {name_rule::renewed, ""}},
    {"2 C27 deleted and gone", deleted, picture{}.named("old"), {name_rule::renewed, ""}},
    {"3 C30 nothing under it", {}, picture{}.named("n"), {name_rule::as_is, "n"}},
    {"3 G1 U30 ours under it", {}, picture{}.named("n").exported("n", "h1"), {name_rule::as_is, "n"}},
    {"3 C66 tampered to an unused name",
     exported_as("n"),
     picture{}.named("o").exported("n", "h1"),
     {name_rule::as_is, "o"}},
    {"3 D9 ours, terminating by another's delete",
     exported_as("n"),
     picture{}.named("n").exported("n", "h1").with(terminating),
     {name_rule::as_is, "n"}},
    {"4 C72 D6 G2 wiped, ours is live", exported_as("n"), picture{}.exported("n", "h1"), {name_rule::kept, "n"}},
    {"4 A15 wiped, and memory lost", {}, picture{}.exported("n", "h1"), {name_rule::kept, "n"}},
    {"5 first export", {}, picture{}, {name_rule::fresh, ""}},
    {"5 C67 removed, and ours is not live",
     exported_as("n"),
     picture{}.exported("n", "h1").with(terminating),
     {name_rule::fresh, ""}},
    {"5 C64 I13 invalid", exported_as("n"), picture{}.named("x_y").exported("n", "h1"), {name_rule::fresh, ""}},
    {"5 A3 empty", exported_as("n"), picture{}.named("").exported("n", "h1"), {name_rule::fresh, ""}},
    {"5 C65 C71 U31 foreign",
     exported_as("n"),
     picture{}.named("f").exported("n", "h1").foreign("f"),
     {name_rule::fresh, ""}},
  };
  for (const auto& [name, held, seen, then] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(choose_name(held, seen), then);
  }
}

/// A program that was killed while its journal couldn't be written remembers as pending what it had left behind.
TEST(NameChoice, StandsByWhatIsPendingUntilTheSliceShowsALaterName) {
  const auto pending = replay({generation_seen{3, noon}, name_chosen{"new"}});
  const auto deleted = replay({withdrawal_begun{"old", "h1", proof::seen}, export_withdrawn{"h1"}}, exported_as("old"));
  const choice_row table[] = {
    {"stands over another's name for ours",
     replay({generation_seen{3, noon}, name_chosen{"new"}}, exported_as("n")),
     picture{}.named("other").exported("n", "h1"),
     {name_rule::pending, "new"}},
    {"stands over a later date without a name",
     pending,
     picture{}.named("").with([](picture& p) { p.slice.ours.generation = "4"; }),
     {name_rule::pending, "new"}},
    {"stands over a later date under a foreign name",
     pending,
     picture{}.named("f", "4").foreign("f"),
     {name_rule::pending, "new"}},
    {"stands over a later date under what we withdrew",
     replay({generation_seen{3, noon}, name_chosen{"new"}}, deleted),
     picture{}.named("old", "4"),
     {name_rule::pending, "new"}},
    {"yields: a later generation has a name",
     pending,
     picture{}.named("later", "4", format_rfc3339(morning)),
     {name_rule::as_is, "later"}},
    {"yields: a later time has a name",
     pending,
     picture{}.named("later", "3", format_rfc3339(noon + std::chrono::seconds{1})),
     {name_rule::as_is, "later"}},
    {"yields: the other name has an export of ours",
     pending,
     picture{}.named("later").exported("later", "h2"),
     {name_rule::as_is, "later"}},
  };
  for (const auto& [name, held, seen, then] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(choose_name(held, seen), then);
  }
}

} // namespace
} // namespace sliceferry::core
