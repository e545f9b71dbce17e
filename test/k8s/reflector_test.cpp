#include "test/k8s/reflector_session.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sliceferry::k8s {
namespace {

using namespace std::chrono_literals;

TEST(Reflector, ListsConsistentlyByPagesThenWatches) {
  session s;
  s.open();
  EXPECT_EQ(s.target, path + "?limit=500"); // resourceVersion unset: consistent
  s.feed(samples::list("10", samples::small_slice("a", "5"), "a+/="));
  EXPECT_EQ(s.end().why, restart_reason::none);
  EXPECT_EQ(s.seen.lists, 0U);
  s.open();
  EXPECT_EQ(s.target, path + "?limit=500&continue=a%2B%2F%3D"); // LW25
  s.feed(samples::list("11", samples::small_slice("b", "6")));
  EXPECT_FALSE(s.end().failed);
  EXPECT_EQ(s.seen.lists, 1U);
  EXPECT_EQ(s.events, 4U); // init, a, b, init_done
  EXPECT_EQ(s.list_version, "10") << "as the first page said, which all of it shows";
  s.open();
  EXPECT_TRUE(s.target.starts_with(path + "?watch=1&allowWatchBookmarks=true&resourceVersion=10&timeoutSeconds="))
    << s.target;
}

TEST(Reflector, WatchTimeoutsAreSpread) {
  std::set<std::string> targets;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    session s;
    s.mirror = reflector<endpoint_slice>{endpoint_slices, "shop", {.seed = seed}};
    s.sync();
    targets.insert(s.target);
    const int seconds = std::stoi(s.target.substr(s.target.rfind('=') + 1));
    EXPECT_GE(seconds, 300);
    EXPECT_LE(seconds, 600);
    EXPECT_EQ(s.idle, std::chrono::seconds{seconds + 30}) << "LW12";
  }
  EXPECT_GT(targets.size(), 30U); // LW11
}

TEST(Reflector, AnySplitOfAWatchYieldsTheSame) {
  const std::string stream =
    samples::event("ADDED", samples::slice) + "\r\n\n" + samples::event("MODIFIED", samples::small_slice("é€😀", "12")) +
    samples::bookmark("13") + samples::event("ADDED", samples::small_slice("x", "14", R"(,"ports":7)")) +
    samples::event("DELETED", samples::small_slice("a", "15")) + "nonsense\n" + samples::bookmark("16");
  session whole;
  whole.sync();
  EXPECT_TRUE(whole.feed(stream));
  EXPECT_EQ(whole.malformed_count, 2U);
  EXPECT_EQ(whole.broken[0].key, (object_key{"shop", "x"})); // LW40
  EXPECT_EQ(whole.seen.objects, (std::map<std::string, std::string>{{"web-abc12", "41"}, {"é€😀", "12"}}));
  for (const std::size_t step : {1U, 2U, 5U, 31U}) {
    session parts;
    parts.sync();
    EXPECT_TRUE(parts.feed(stream, step));
    EXPECT_EQ(parts.seen.objects, whole.seen.objects);
    EXPECT_EQ(parts.events, whole.events);
    EXPECT_EQ(parts.broken, whole.broken);
    parts.now += 2s;
    EXPECT_EQ(parts.end().why, restart_reason::clean_end);
    parts.open();
    EXPECT_NE(parts.target.find("resourceVersion=16&"), std::string::npos) << "LW17";
  }
}

TEST(Reflector, AnObjectThatCannotBeReadStillExists) {
  session s;
  s.sync();
  s.mirror.relist();
  s.open();
  s.feed(samples::list("20", samples::small_slice("a", "19", R"(,"ports":7)")));
  s.end();
  EXPECT_EQ(s.seen.lists, 2U);
  EXPECT_EQ(s.seen.objects.count("a"), 1U);
}

TEST(Reflector, AContinueTokenThatExpiredBeginsAnew) {
  session s;
  s.open();
  s.feed(samples::list("10", samples::small_slice("a", "5"), "t"));
  s.end();
  s.open(410);
  s.feed(R"({"kind":"Status","reason":"Expired","code":410,"metadata":{"continue":"inconsistent"}})");
  EXPECT_EQ(s.end().why, restart_reason::expired);
  s.open();
  EXPECT_EQ(s.target, path) << "LW24 in one piece: a server so slow would let every token expire";
  s.feed(R"({"metadata":{"resourceVersion":"20"},"items":[)");
  EXPECT_TRUE(s.end(cut).failed);
  s.open();
  EXPECT_EQ(s.target, path) << "still";
  s.feed(samples::list("20", samples::small_slice("b", "6")));
  s.end();
  EXPECT_EQ(s.seen.objects, (std::map<std::string, std::string>{{"b", "6"}}));
  s.mirror.relist();
  s.open();
  EXPECT_EQ(s.target, path + "?limit=500") << "the next list is paged again";
}

TEST(Reflector, AListInOnePieceThatIsRefusedIsPagedAgain) {
  session s;
  s.open();
  s.feed(samples::list("10", samples::small_slice("a", "5"), "t"));
  s.end();
  s.open(410);
  s.end();
  s.open(413);
  EXPECT_EQ(s.target, path);
  s.end();
  s.open();
  EXPECT_EQ(s.target, path + "?limit=500");
}

TEST(Reflector, APageThatFailedInPassingIsFetchedAgain) {
  session s;
  s.open();
  s.feed(samples::list("10", samples::small_slice("a", "5"), "t"));
  s.end();
  s.open(503);
  EXPECT_TRUE(s.end().failed);
  s.open();
  EXPECT_EQ(s.target, path + "?limit=500&continue=t");
  s.feed(samples::list("10", samples::small_slice("b", "6"), "t"));
  const auto got = s.end();
  ASSERT_TRUE(got.failed) << "a page that continues with itself would go on for ever";
  EXPECT_EQ(got.failed->code, errc::malformed);
}

TEST(Reflector, RepeatedExpiryWaits) {
  session s;
  s.sync();
  s.feed(samples::error(410, "Expired"));
  EXPECT_FALSE(s.end().failed);
  s.sync();
  s.feed(samples::error(410, "Expired"));
  const auto second = s.end();
  EXPECT_TRUE(second.failed); // LW34
  EXPECT_EQ(second.in_a_row, 2U);
  s.sync();
  s.feed(samples::bookmark("11"));
  s.feed(samples::error(410, "Expired"));
  EXPECT_TRUE(s.end().failed) << "a sign of life in passing doesn't make it a loop without waits";
  s.sync();
  s.feed(samples::bookmark("12"));
  s.now += 2s;
  s.feed(samples::error(410, "Expired"));
  EXPECT_FALSE(s.end().failed) << "a sign of life ends the row";
}

TEST(Reflector, UnreadableErrorsEndInAList) {
  session s;
  s.sync();
  for (int i = 1; i <= 3; ++i) {
    EXPECT_FALSE(s.feed(samples::event("ERROR", "7")));
    s.end();
    s.open();
    EXPECT_EQ(s.watches(), i < 3) << i; // LW04
  }
}

TEST(Reflector, ShortWatchesEndInAList) {
  session s;
  s.sync();
  for (int i = 1; i <= 3; ++i) {
    s.now += 200ms;
    const auto got = s.end();
    EXPECT_EQ(got.failed.has_value(), i == 3); // LW14
    EXPECT_EQ(got.why, i == 3 ? restart_reason::short_watches : restart_reason::clean_end);
    s.open();
  }
  EXPECT_FALSE(s.watches());
}

TEST(Reflector, ShortWatchesWithNewsAreSlowedToo) {
  session s;
  s.sync();
  for (int i = 1; i <= 5; ++i) {
    s.feed(samples::bookmark(std::to_string(10 + i)));
    s.now += 200ms;
    const auto got = s.end();
    EXPECT_EQ(got.failed.has_value(), i >= 3) << i; // LW14
    s.open();
    EXPECT_TRUE(s.watches()) << "it resumes where the news left it";
  }
  s.now += 2s;
  EXPECT_FALSE(s.end().failed) << "a longer watch ends the row";
  s.open();
  s.now += 200ms;
  EXPECT_FALSE(s.end().failed);
}

TEST(Reflector, AListBeginsWhenItIsAskedFor) {
  session s;
  s.open(0);
  EXPECT_EQ(s.events, 1U) << "before the request is sent, so before any answer that the list may not show";
  EXPECT_TRUE(s.seen.in_list);
  s.end(cut);
  s.open();
  EXPECT_EQ(s.events, 2U) << "each attempt at the first page is another list";
  s.feed(samples::list("10", samples::small_slice("a", "5"), "t"));
  s.end();
  s.open();
  s.feed(samples::list("10", samples::small_slice("b", "6")));
  s.end();
  s.open();
  EXPECT_TRUE(s.watches());
  EXPECT_EQ(s.events, 5U) << "no other page begins one, nor does a watch";
}

TEST(Reflector, SilenceEndsInAList) {
  session s;
  s.sync();
  s.now += s.idle;
  const auto got = s.end(cut);
  EXPECT_EQ(got.why, restart_reason::idle); // LW12
  EXPECT_FALSE(got.failed) << "the first time at once";
  s.sync();
  EXPECT_FALSE(s.watches() && s.idle < 300s);
  EXPECT_TRUE(s.feed(samples::bookmark("11")));
  s.now += 2s;
  s.end();
  s.open();
  EXPECT_EQ(s.idle, 150s) << "this server sends bookmarks";
  for (int i = 0; i < 10; ++i) {
    s.now += 14s;
    EXPECT_TRUE(s.feed("\n"));
  }
  s.now += 10s;
  EXPECT_FALSE(s.feed("\n")) << "blank lines are no sign of life";
  EXPECT_EQ(s.end().why, restart_reason::idle);
  s.open();
  EXPECT_EQ(s.target, path + "?limit=500");
}

TEST(Reflector, ALineOverTheCapEndsInAList) {
  session s;
  s.sync();
  const std::string megabyte(1U << 20U, ' ');
  bool good = s.feed(R"({"type":"ADDED","object":{"x":")" + std::string(1U << 20U, 'x'));
  for (int i = 0; good && i < 20; ++i)
    good = s.feed(megabyte);
  EXPECT_FALSE(good); // HT03
  const auto got = s.end();
  ASSERT_TRUE(got.failed);
  EXPECT_EQ(got.failed->code, errc::malformed);
  s.open();
  EXPECT_FALSE(s.watches());
}

TEST(Reflector, ProbesForARestoredBackup) {
  struct row {
    const char* name;
    std::string answer;
    bool relists;
  };
  const row table[] = {
    {"LW07 lower", samples::list("9", ""), true},
    {"equal", samples::list("10", ""), false},
    {"higher", samples::list("11", samples::slice, "more"), false},
    {"not by text", samples::list("100", ""), false},
    {"LW19 no number", samples::list("abc", ""), false},
    {"no list", "<html>", false},
  };
  for (const auto& [name, answer, relists] : table) {
    SCOPED_TRACE(name);
    session s;
    EXPECT_FALSE(s.mirror.probe_at());
    s.sync();
    const auto due = s.mirror.probe_at();
    ASSERT_TRUE(due);
    EXPECT_GE(*due, s.now + 540s);
    EXPECT_LE(*due, s.now + 660s);
    s.now = *due;
    EXPECT_EQ(s.mirror.probe(s.now), path + "?limit=1");
    EXPECT_GT(*s.mirror.probe_at(), s.now + 500s);
    EXPECT_TRUE(s.feed(samples::bookmark("500"))) << "what comes after the probe was sent doesn't count";
    EXPECT_EQ(s.mirror.probed(answer), relists);
    s.open();
    EXPECT_EQ(s.watches(), !relists);
  }
}

TEST(Reflector, ListsWhenAsked) {
  session s;
  s.sync();
  s.mirror.relist();
  s.open();
  EXPECT_FALSE(s.watches());
  s.feed(samples::list("8", samples::small_slice("b", "7")));
  s.end();
  EXPECT_EQ(s.seen.objects, (std::map<std::string, std::string>{{"b", "7"}})) << "LW08";
  s.open();
  EXPECT_NE(s.target.find("resourceVersion=8&"), std::string::npos) << "a restored backup starts anew";
}

TEST(Reflector, ProbesAtOnceAfterAWatchThatEndedBeforeItsTime) { // LW07: a backup is restored while the server is down
  struct row {
    const char* name;
    std::function<void(session&)> ends;
    bool probes;
  };
  const row table[] = {
    {"cut", [](session& s) { s.end(cut); }, true},
    {"ended by a server that stops", [](session& s) { s.now += 20s, s.end(); }, true},
    {"ended when its time was over", [](session& s) { s.now += 600s, s.feed(samples::bookmark("11")), s.end(); },
     false},
    {"refused", [](session& s) { s.mirror.head(503, std::nullopt), s.end(); }, true},
  };
  for (const auto& [name, ends, probes] : table) {
    SCOPED_TRACE(name);
    session s;
    s.sync();
    ends(s);
    ASSERT_TRUE(s.mirror.probe_at());
    EXPECT_EQ(*s.mirror.probe_at() <= s.now, probes);
  }
}

} // namespace
} // namespace sliceferry::k8s
