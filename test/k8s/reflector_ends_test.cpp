#include "test/k8s/reflector_session.hpp"

#include <gtest/gtest.h>

namespace sliceferry::k8s {
namespace {

using namespace std::chrono_literals;

/// How a watch or list may end, and what follows.
struct ending {
  const char* name;
  bool watch;
  unsigned status;
  std::string body;
  std::optional<failure> broken;
  restart_reason why;
  std::optional<errc> waits_for;
  bool watches_next;
};

std::string status(int code, const std::string& reason) {
  return R"({"kind":"Status","message":"m","reason":")" + reason + R"(","code":)" + std::to_string(code) + "}";
}

const std::string half = R"({"metadata":{"resourceVersion":"9"},"items":[)";
const ending endings[] = {
  {"LW10 a clean end is resumed at once", true, 200, "", {}, restart_reason::clean_end, {}, true},
  {"LW34 a cut watch is resumed after a wait", true, 200, "", cut, restart_reason::error, errc::unavailable, true},
  {"LW35 connection refused", true, 0, "", cut, restart_reason::error, errc::unavailable, true},
  {"an end without an answer", true, 0, "", {}, restart_reason::error, errc::unavailable, true},
  {"LW01 410 in the stream", true, 200, samples::error(410, "Expired"), {}, restart_reason::expired, {}, false},
  {"LW01 Gone in the stream", true, 200, samples::error(410, "Gone"), {}, restart_reason::expired, {}, false},
  {"LW02 410 as the answer", true, 410, status(410, "Expired"), {}, restart_reason::expired, {}, false},
  {"LW03 500 in the stream",
   true,
   200,
   samples::error(500, "InternalError"),
   {},
   restart_reason::error,
   errc::unavailable,
   true},
  {"LW03 429 in the stream",
   true,
   200,
   samples::error(429, "TooManyRequests"),
   {},
   restart_reason::error,
   errc::throttled,
   true},
  {"LW04 an unreadable error",
   true,
   200,
   samples::event("ERROR", "7"),
   {},
   restart_reason::error,
   errc::malformed,
   true},
  {"LW04 an error without a newline at a clean end",
   true,
   200,
   R"({"type":"ERROR","object":7})",
   {},
   restart_reason::error,
   errc::malformed,
   true},
  {"429 as the answer", true, 429, "", {}, restart_reason::error, errc::throttled, true},
  {"503 as the answer", true, 503, "<html>", {}, restart_reason::error, errc::unavailable, true},
  {"LW44 401", true, 401, "", {}, restart_reason::error, errc::unauthorized, true},
  {"LW44 403", true, 403, "", {}, restart_reason::error, errc::forbidden, true},
  {"LW43 the kind went away", true, 404, "404 page not found", {}, restart_reason::error, errc::kind_missing, false},
  {"LW42 a list of no such kind",
   false,
   404,
   "404 page not found",
   {},
   restart_reason::error,
   errc::kind_missing,
   false},
  {"LW44 a list that is forbidden", false, 403, "", {}, restart_reason::error, errc::forbidden, false},
  {"a list of a broken server", false, 500, "", {}, restart_reason::error, errc::unavailable, false},
  {"LW05 too large resource version",
   false,
   504,
   status(504, "Timeout").insert(1, R"("details":{"causes":[{"reason":"ResourceVersionTooLarge"}]},)"),
   {},
   restart_reason::expired,
   {},
   false},
  {"a list cut short", false, 200, half, cut, restart_reason::error, errc::unavailable, false},
  {"half a list with a clean end", false, 200, half, {}, restart_reason::error, errc::malformed, false},
  {"LW45 a list without a version",
   false,
   200,
   R"({"metadata":{},"items":[]})",
   {},
   restart_reason::error,
   errc::malformed,
   false},
  {"a page for a list", false, 200, "<html>login</html>", {}, restart_reason::error, errc::malformed, false},
};

TEST(Reflector, EachEndHasItsReaction) {
  for (const auto& [name, watch, code, body, broken, why, waits_for, watches_next] : endings) {
    SCOPED_TRACE(name);
    session s;
    if (watch)
      s.sync();
    if (code != 200 || !watch) // sync opened the watch with a 200
      s.open(code);
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

} // namespace
} // namespace sliceferry::k8s
