#include "k8s/collection_watch.hpp"

#include "test/k8s/watch_rig.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace sliceferry::k8s {
namespace {

TEST(CollectionWatch, MirrorsListAndWatch) {
  rig r{[](const std::string& target) -> answer {
    if (is_probe(target)) // after the watch that ended early: the server is no older than what it told
      return {200, list("13", "")};
    if (!is_watch(target))
      return {200, list("10", exported("a", "5") + R"(,{"metadata":{"name":"bad","namespace":"shop"}})")};
    if (target.find("resourceVersion=10&") != std::string::npos)
      return {200, R"({"type":"ADDED","object":)" + exported("b", "11") + "}\n" + R"({"type":"DELETED","object":)" +
                     exported("a", "12") + "}\n"};
    return {200, R"({"type":"ADDED","object":)" + exported("c", "13") + "}\n", true};
  }};
  r.start(options_for({service_exports}));
  ASSERT_TRUE(r.until([&] { return r.seen.objects.count("c") == 1; }));
  EXPECT_EQ(r.seen.objects, (std::map<std::string, std::string>{{"b", "11"}, {"c", "13"}}));
  EXPECT_EQ(r.seen.lists, 1U);
  ASSERT_EQ(r.broken.size(), 1U);
  EXPECT_EQ(r.broken[0].key.name, "bad");
  ASSERT_EQ(r.reports.size(), 1U);
  EXPECT_EQ(r.reports[0].why, restart_reason::clean_end);
  EXPECT_TRUE(r.reports[0].serving);
  EXPECT_TRUE(r.rows.empty());
}

TEST(CollectionWatch, TakesTheNameThatIsServed) {
  rig r{[](const std::string& target) -> answer {
    if (target.find("v1beta1") != std::string::npos)
      return {404, "404 page not found\n"};
    return is_watch(target) ? answer{200, "", true} : answer{200, list("10", exported("a", "5"))};
  }};
  r.start(options_for({service_exports, service_exports_alpha}));
  ASSERT_TRUE(r.until([&] { return r.seen.lists == 1; }));
  EXPECT_TRUE(r.reports.empty());
  EXPECT_TRUE(r.rows.empty());
}

TEST(CollectionWatch, ReturnsToThePreferredName) {
  enum class how { asked, expired, fallback_gone };
  for (const auto ends : {how::asked, how::expired, how::fallback_gone}) {
    SCOPED_TRACE(static_cast<int>(ends));
    std::atomic<bool> upgraded = false;
    rig r{[&](const std::string& target) -> answer {
      const bool preferred = target.find("v1beta1") != std::string::npos;
      if (preferred != upgraded && (preferred || ends == how::fallback_gone))
        return {404, "404 page not found\n"};
      if (!is_watch(target))
        return {200, list("10", exported(preferred ? "beta" : "alpha", "5"))};
      if (!preferred && ends != how::asked) {
        upgraded = true;
        return {200, ends == how::expired ? samples::error(410, "Expired") : ""};
      }
      return {200, "", true};
    }};
    r.start(options_for({service_exports, service_exports_alpha}));
    ASSERT_TRUE(r.until([&] { return r.seen.objects.count("alpha") == 1 && r.requests.size() >= 3; }));
    if (ends == how::asked) {
      upgraded = true;
      r.watch->relist();
    }
    ASSERT_TRUE(r.until([&] { return r.seen.objects.count("beta") == 1; }));
  }
}

TEST(CollectionWatch, ANameInVainDoesNotEndARowOfFailures) {
  rig* self = nullptr;
  rig r{[&self](const std::string& target) -> answer {
    if (target.find("v1beta1") != std::string::npos)
      return {404, "404 page not found\n"};
    if (!is_watch(target))
      return {200, list("10", "")};
    const bool expires = self->rows.size() < 3;
    return {200, expires ? samples::error(410, "Expired") : "", !expires};
  }};
  self = &r;
  r.start(options_for({service_exports, service_exports_alpha}));
  ASSERT_TRUE(r.until([&] { return r.rows.size() >= 3; }));
  EXPECT_EQ(r.rows, (std::vector<unsigned>{2, 3, 4})) << "LW34 the first at once, then slower and slower";
}

TEST(CollectionWatch, AKindThatIsMissingIsWaitedFor) {
  rig* self = nullptr;
  rig r{[&self](const std::string& target) -> answer {
    if (self->requests.size() <= 6)
      return {404, "404 page not found\n"};
    return is_watch(target) ? answer{200, "", true} : answer{200, list("10", "")};
  }};
  self = &r;
  r.start(options_for({service_exports, service_exports_alpha}));
  ASSERT_TRUE(r.until([&] { return r.seen.lists == 1; }));
  EXPECT_EQ(r.rows, (std::vector<unsigned>{1, 2, 3})) << "once for each round over the names";
  ASSERT_EQ(r.reports.size(), 4U);
  EXPECT_FALSE(r.reports[0].serving);
  EXPECT_EQ(r.reports[0].failed->code, errc::kind_missing);
  EXPECT_TRUE(r.reports[3].serving) << "the recovery";
  EXPECT_EQ(r.reports[3].why, restart_reason::none);
}

TEST(CollectionWatch, WithoutCreditsNothingIsAskedFor) {
  for (const unsigned credits : {1U, 2U}) { // for the list's beginning, and for its first page
    SCOPED_TRACE(credits);
    rig r{[](const std::string& target) -> answer {
      if (is_watch(target))
        return {200, R"({"type":"ADDED","object":)" + exported("w", "11") + "}\n", true};
      const bool second = target.find("continue=") != std::string::npos;
      return {200, list("10", exported(second ? "b" : "a", "5"), second ? "" : "next")};
    }};
    r.grants = false;
    auto options = options_for({service_exports});
    options.credits = credits;
    r.start(std::move(options));
    ASSERT_TRUE(r.until([&] { return r.batches >= credits && r.requests.size() == 1; }));
    r.turn();
    r.turn(); // the loop has come to the page's end
    {
      const std::lock_guard lock{r.mutex};
      EXPECT_EQ(r.requests.size(), 1U) << "the second page was asked for without a credit";
      EXPECT_EQ(r.batches, credits);
      r.watch->grant(10);
    }
    ASSERT_TRUE(r.until([&] { return r.seen.objects.count("w") == 1; }));
    EXPECT_EQ(r.seen.objects.size(), 3U);
    EXPECT_EQ(r.seen.lists, 1U);
  }
}

TEST(CollectionWatch, ListsWhenAsked) {
  rig r{[](const std::string& target) -> answer {
    return is_watch(target) ? answer{200, "", true} : answer{200, list("10", exported("a", "5"))};
  }};
  r.start(options_for({service_exports}));
  ASSERT_TRUE(r.until([&] { return r.requests.size() == 2; }));
  r.watch->relist();
  ASSERT_TRUE(r.until([&] { return r.seen.lists == 2; }));
  EXPECT_EQ(r.reports.at(0).why, restart_reason::asked);
}

TEST(CollectionWatch, FindsARestoredBackup) {
  rig* self = nullptr;
  rig r{[&self](const std::string& target) -> answer {
    if (is_watch(target))
      return {200, "", true};
    const bool restored = self->requests.size() > 1; // LW07
    return {200, list(restored ? "7" : "10", exported(restored ? "old" : "new", "5"))};
  }};
  self = &r;
  auto options = options_for({service_exports});
  options.reflecting.probe_every = 1s;
  r.start(std::move(options));
  ASSERT_TRUE(r.until([&] { return r.seen.objects.count("old") == 1 && r.seen.lists == 2; }));
  EXPECT_EQ(r.seen.objects.count("new"), 0U);
  EXPECT_EQ(r.reports.at(0).why, restart_reason::restored_backup);
}

} // namespace
} // namespace sliceferry::k8s
