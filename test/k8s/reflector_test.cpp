#include "k8s/reflector.hpp"

#include "messages/endpoint_slice.hpp"
#include "messages/failure.hpp"
#include "mirrored.hpp"
#include "wire_samples.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sliceferry::k8s {
namespace {

using namespace std::chrono_literals;

const std::string path = "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices";

/// A reflector, a clock, and what it has yielded.
struct session {
  reflector<endpoint_slice> mirror{endpoint_slices, "shop", {}};
  tick now{1h};
  mirrored seen;
  std::size_t events = 0, malformed_count = 0;
  std::vector<malformed> broken;
  std::string target;
  std::chrono::milliseconds idle{};

  void open(unsigned status = 200) {
    const auto get = mirror.next(now);
    target = get.target;
    idle = get.idle;
    if (status != 0)
      mirror.head(status, std::nullopt);
  }
  bool feed(std::string_view bytes, std::size_t step = 1U << 20U) {
    bool good = true;
    for (; good && !bytes.empty(); bytes.remove_prefix(std::min(step, bytes.size()))) {
      reflected<endpoint_slice> out;
      good = mirror.feed(bytes.substr(0, step), now, out);
      note(out);
    }
    return good;
  }
  get_end end(std::optional<failure> broken_by = {}) {
    reflected<endpoint_slice> out;
    auto got = mirror.ended(std::move(broken_by), now, out);
    note(out);
    return got;
  }
  void note(const reflected<endpoint_slice>& out) {
    seen.take(out.batch);
    events += out.batch.events.size();
    malformed_count += out.batch.malformed;
    EXPECT_EQ(out.batch.malformed, out.broken.size());
    EXPECT_EQ(out.batch.malformed, out.batch.unreadable.size());
    broken.insert(broken.end(), out.broken.begin(), out.broken.end());
  }
  /// Lists `a` at version 10 and opens the watch.
  void sync() {
    open();
    feed(samples::list("10", samples::small_slice("a", "5")));
    end();
    open();
  }
  bool watches() const { return target.find("watch=1") != std::string::npos; }
};

const failure cut{errc::unavailable, "reset", std::nullopt, 0};

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
  s.open();
  EXPECT_TRUE(s.target.starts_with(path + "?watch=1&allowWatchBookmarks=true&resourceVersion=10&timeoutSeconds=")) << s.target;
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
  const std::string stream = samples::event("ADDED", samples::slice) + "\r\n\n" + samples::event("MODIFIED", samples::small_slice("é€😀", "12")) +
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

/// How a watch or list may end, and what follows.
TEST(Reflector, EachEndHasItsReaction) {
  struct row {
    const char* name;
    bool watch;
    unsigned status;
    std::string body;
    std::optional<failure> broken;
    restart_reason why;
    std::optional<errc> waits_for;
    bool watches_next;
  };
  const auto status = [](int code, const std::string& reason) {
    return R"({"kind":"Status","message":"m","reason":")" + reason + R"(","code":)" + std::to_string(code) + "}";
  };
  const std::string half = R"({"metadata":{"resourceVersion":"9"},"items":[)";
  using enum restart_reason;
  const row table[] = {
    {"LW10 a clean end is resumed at once", true, 200, "", {}, clean_end, {}, true},
    {"LW34 a cut watch is resumed after a wait", true, 200, "", cut, error, errc::unavailable, true},
    {"LW35 connection refused", true, 0, "", cut, error, errc::unavailable, true},
    {"an end without an answer", true, 0, "", {}, error, errc::unavailable, true},
    {"LW01 410 in the stream", true, 200, samples::error(410, "Expired"), {}, expired, {}, false},
    {"LW01 Gone in the stream", true, 200, samples::error(410, "Gone"), {}, expired, {}, false},
    {"LW02 410 as the answer", true, 410, status(410, "Expired"), {}, expired, {}, false},
    {"LW03 500 in the stream", true, 200, samples::error(500, "InternalError"), {}, error, errc::unavailable, true},
    {"LW03 429 in the stream", true, 200, samples::error(429, "TooManyRequests"), {}, error, errc::throttled, true},
    {"LW04 an unreadable error", true, 200, samples::event("ERROR", "7"), {}, error, errc::malformed, true},
    {"LW04 an error without a newline at a clean end", true, 200, R"({"type":"ERROR","object":7})", {}, error, errc::malformed, true},
    {"429 as the answer", true, 429, "", {}, error, errc::throttled, true},
    {"503 as the answer", true, 503, "<html>", {}, error, errc::unavailable, true},
    {"LW44 401", true, 401, "", {}, error, errc::unauthorized, true},
    {"LW44 403", true, 403, "", {}, error, errc::forbidden, true},
    {"LW43 the kind went away", true, 404, "404 page not found", {}, error, errc::kind_missing, false},
    {"LW42 a list of no such kind", false, 404, "404 page not found", {}, error, errc::kind_missing, false},
    {"LW44 a list that is forbidden", false, 403, "", {}, error, errc::forbidden, false},
    {"a list of a broken server", false, 500, "", {}, error, errc::unavailable, false},
    {"LW05 too large resource version", false, 504, status(504, "Timeout").insert(1, R"("details":{"causes":[{"reason":"ResourceVersionTooLarge"}]},)"), {},
     expired, {}, false},
    {"a list cut short", false, 200, half, cut, error, errc::unavailable, false},
    {"half a list with a clean end", false, 200, half, {}, error, errc::malformed, false},
    {"LW45 a list without a version", false, 200, R"({"metadata":{},"items":[]})", {}, error, errc::malformed, false},
    {"a page for a list", false, 200, "<html>login</html>", {}, error, errc::malformed, false},
  };
  for (const auto& [name, watch, code, body, broken, why, waits_for, watches_next] : table) {
    SCOPED_TRACE(name);
    session s;
    if (watch)
      s.sync();
    else
      s.open(0);
    if (code != 200 || !watch) // sync opened the watch with a 200
      s.mirror.next(s.now);
    if (code != 0 && (code != 200 || !watch))
      s.mirror.head(code, std::nullopt);
    s.now += 10s;
    s.feed(body);
    const auto got = s.end(broken);
    EXPECT_EQ(to_string(got.why), to_string(why));
    EXPECT_EQ(got.failed.has_value(), waits_for.has_value());
    if (got.failed && waits_for) {
      EXPECT_EQ(to_string(got.failed->code), to_string(*waits_for));
    }
    EXPECT_EQ(s.seen.lists, watch ? 1U : 0U) << "nothing was concluded";
    EXPECT_EQ(s.seen.objects.size(), watch ? 1U : 0U);
    s.open();
    EXPECT_EQ(s.watches(), watches_next) << s.target;
    if (watches_next) {
      EXPECT_NE(s.target.find("resourceVersion=10&"), std::string::npos);
    } else {
      EXPECT_EQ(s.target, path + "?limit=500");
    }
  }
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
  EXPECT_EQ(s.target, path + "?limit=500"); // LW24
  s.feed(samples::list("20", samples::small_slice("b", "6")));
  s.end();
  EXPECT_EQ(s.seen.objects, (std::map<std::string, std::string>{{"b", "6"}}));
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

} // namespace
} // namespace sliceferry::k8s
