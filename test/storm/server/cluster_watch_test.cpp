#include "test/storm/server/cluster_test_rig.hpp"

namespace sliceferry::storm {
namespace {

using events = std::vector<std::string>;
using std::chrono::milliseconds;

class ClusterWatch : public testing::Test {
protected:
  void SetUp() override {
    rig.make_space();
    rig.make_space("other");
    add("a");
  }
  std::string add(const std::string& name, const std::string& meta = {}) {
    return rig.call("POST", rig.slices, rig.slice(name, meta)).version();
  }
  std::string annotate(const std::string& name, const std::string& value) {
    return rig.patch(rig.path(rig.slices, name), R"({"metadata":{"annotations":{"x":")" + value + "\"}}}").version();
  }
  std::string label(const std::string& name, const std::string& value) {
    return rig.patch(rig.path(rig.slices, name), R"({"metadata":{"labels":{"k":")" + value + "\"}}}").version();
  }
  std::string version() { return std::to_string(rig.server.resource_version()); }

  cluster_test_rig rig;
  const std::string here = std::string{cluster_test_rig::slices} + "?watch=1";
};

TEST_F(ClusterWatch, StartsFromNowWithTheStateBefore) {
  for (const char* query : {"", "&resourceVersion=0", "&resourceVersion=0&allowWatchBookmarks=1"}) {
    SCOPED_TRACE(query);
    cluster_test_rig::watched seen;
    rig.watch(here + query, seen);
    const auto first = rig.get(rig.path(rig.slices, "a")).version();
    const auto second = annotate("a", query);
    EXPECT_EQ(seen.events(), (events{"ADDED a " + first, "MODIFIED a " + second}));
    rig.server.unwatch(seen.id);
  }
}

TEST_F(ClusterWatch, MarksTheEndOfTheState) {
  struct row {
    const char* query;
    bool state;
    bool marked;
  };
  const row table[] = {
    {"&allowWatchBookmarks=true", true, true},
    {"&sendInitialEvents=true&resourceVersionMatch=NotOlderThan", true, false},
    {"&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true", true, true},
    {"&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=2", true,
     true},
    {"&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true", false, false},
  };
  for (const auto& [query, state, marked] : table) {
    SCOPED_TRACE(query);
    cluster_test_rig::watched seen;
    rig.watch(here + query, seen);
    EXPECT_EQ(seen.lines.size(), (state ? 1U : 0U) + (marked ? 1U : 0U));
    if (marked && seen.lines.size() == 2) {
      // A built-in kind shows its other members too, with nothing in them.
      EXPECT_EQ(
        seen.lines[1],
        R"({"type":"BOOKMARK","object":{"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1","metadata":)"
        R"({"resourceVersion":")" +
          version() +
          R"(","annotations":{"k8s.io/initial-events-end":"true"}},"addressType":"","endpoints":null,"ports":null}})"
          "\n");
    }
  }
}

TEST_F(ClusterWatch, ResumesAfterAVersion) {
  const auto from = version();
  const auto b = add("b");
  rig.call("POST", "/apis/discovery.k8s.io/v1/namespaces/other/endpointslices", rig.slice("c"));
  const auto c = version();
  const auto a = annotate("a", "1");
  rig.call("DELETE", rig.path(rig.slices, "b"));
  const auto end = version();
  cluster_test_rig::watched near;
  rig.watch(here + "&resourceVersion=" + from, near);
  EXPECT_EQ(near.events(), (events{"ADDED b " + b, "MODIFIED a " + a, "DELETED b " + end}));
  cluster_test_rig::watched all;
  rig.watch(std::string{rig.all_slices} + "?watch=true&resourceVersion=" + b, all);
  EXPECT_EQ(all.events(), (events{"ADDED c " + c, "MODIFIED a " + a, "DELETED b " + end}));
}

TEST_F(ClusterWatch, MissesNothingBetweenItsOpeningAndItsBeginning) {
  cluster_test_rig::watched seen;
  const auto made = rig.try_watch(here + "&resourceVersion=" + version(), seen);
  const auto b = add("b");
  EXPECT_TRUE(seen.lines.empty());
  rig.server.begin(std::get<std::uint64_t>(made));
  const auto a = annotate("a", "1");
  EXPECT_EQ(seen.events(), (events{"ADDED b " + b, "MODIFIED a " + a}));
}

TEST_F(ClusterWatch, AFutureVersionIsWaitedFor) {
  cluster_test_rig::watched seen;
  rig.watch(here + "&resourceVersion=" + std::to_string(rig.server.resource_version() + 2), seen);
  add("b");
  add("c"); // at the version asked for: after it, it isn't
  EXPECT_TRUE(seen.lines.empty());
  const auto d = add("d");
  EXPECT_EQ(seen.events(), events{"ADDED d " + d});
}

TEST_F(ClusterWatch, ATooOldVersionIsAnErrorEvent) {
  cluster_test_rig small{{"member", false, 1, 3}};
  small.make_space();
  const auto from = small.server.resource_version();
  for (const char* name : {"a", "b", "c"})
    small.call("POST", small.slices, small.slice(name));
  cluster_test_rig::watched just;
  small.watch(here + "&resourceVersion=" + std::to_string(from), just);
  EXPECT_EQ(just.lines.size(), 3U);
  small.call("POST", small.slices, small.slice("d"));
  cluster_test_rig::watched late;
  small.watch(here + "&resourceVersion=" + std::to_string(from), late);
  ASSERT_EQ(late.events(), events{"ERROR 410"});
  EXPECT_NE(
    late.lines[0].find("too old resource version: " + std::to_string(from) + " (" + std::to_string(from + 1) + ")"),
    std::string::npos);
  EXPECT_TRUE(late.ended);
  EXPECT_FALSE(just.ended);
}

TEST_F(ClusterWatch, BookmarksFollowOthersChanges) {
  cluster_test_rig::watched seen;
  rig.watch(here + "&allowWatchBookmarks=true&resourceVersion=" + version(), seen);
  cluster_test_rig::watched plain;
  rig.watch(here + "&resourceVersion=" + version(), plain);
  rig.pass(milliseconds{1500});
  EXPECT_TRUE(seen.lines.empty()) << "nothing moved";
  rig.make_space("third");
  rig.pass(milliseconds{50});
  EXPECT_EQ(seen.events(), events{"BOOKMARK " + version()});
  rig.make_space("fourth");
  rig.pass(milliseconds{900});
  EXPECT_EQ(seen.lines.size(), 1U) << "not more than about one in a second";
  rig.pass(milliseconds{200});
  EXPECT_EQ(seen.lines.size(), 2U);
  EXPECT_TRUE(plain.lines.empty());
}

TEST_F(ClusterWatch, SelectorsTurnChangesIntoComingAndGoing) {
  cluster_test_rig::watched seen;
  rig.watch(here + "&labelSelector=k%3Dv", seen);
  add("b");
  const auto comes = label("b", "v");
  const auto stays = annotate("b", "1");
  const auto goes = label("b", "w");
  EXPECT_EQ(seen.events(), (events{"ADDED b " + comes, "MODIFIED b " + stays, "DELETED b " + goes}));
  EXPECT_NE(seen.lines[2].find(R"("k":"v")"), std::string::npos) << "as it was";
  rig.call("DELETE", rig.path(rig.slices, "b"));
  EXPECT_EQ(seen.lines.size(), 3U);
}

TEST_F(ClusterWatch, EndsInTime) {
  cluster_test_rig::watched seen;
  rig.watch(here + "&timeoutSeconds=2", seen);
  rig.pass(milliseconds{1990});
  EXPECT_FALSE(seen.ended);
  rig.pass(milliseconds{20});
  EXPECT_TRUE(seen.ended);
  add("b");
  EXPECT_EQ(seen.lines.size(), 1U) << "only the state at its beginning";
}

TEST_F(ClusterWatch, MayBeClosedFromWithin) {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  int lines = 0;
  const std::string target = here + "&resourceVersion=" + version();
  const auto open = [&](std::uint64_t& id) {
    id = std::get<std::uint64_t>(rig.server.watch({"GET", target, {}, {}, "tester"}, rig.now,
                                                  {[&](const shared_text&) {
                                                     ++lines;
                                                     rig.server.unwatch(first);
                                                     rig.server.unwatch(second);
                                                   },
                                                   [] { FAIL() << "who closes isn't told"; }}));
    rig.server.begin(id);
  };
  open(first);
  open(second);
  add("b");
  EXPECT_EQ(lines, 1);
  add("c");
  EXPECT_EQ(lines, 1);
}

TEST_F(ClusterWatch, IsToldApart) {
  struct row {
    const char* method;
    const char* query;
    bool is;
  };
  const row table[] = {{"GET", "?watch=1", true}, {"GET", "?a=b&watch=true", true}, {"GET", "?watch=0", false},
                       {"GET", "", false},        {"GET", "?rewatch=1", false},     {"POST", "?watch=1", false}};
  for (const auto& [method, query, is] : table) {
    const std::string target = std::string{rig.slices} + query;
    EXPECT_EQ(cluster::is_watch({method, target, {}, {}, {}}), is) << query;
  }
}

TEST_F(ClusterWatch, RefusalsAreAnswers) {
  struct row {
    std::string target;
    unsigned status;
  };
  const row table[] = {
    {here + "&resourceVersion=x", 500},
    {here + "&timeoutSeconds=x", 400},
    {here + "&sendInitialEvents=true", 422},
    {"/apis/networking.fleet.azure.com/v1alpha1/nope?watch=1", 404},
    {rig.path(rig.slices, "a") + "?watch=1", 200}, // an object isn't watched but read
  };
  for (const auto& [target, status] : table) {
    SCOPED_TRACE(target);
    cluster_test_rig::watched none;
    const auto made = rig.try_watch(target, none);
    ASSERT_TRUE(std::holds_alternative<api_answer>(made));
    EXPECT_EQ(std::get<api_answer>(made).status, status);
  }
  EXPECT_EQ(rig.history.back().verb, "get");
  cluster_test_rig::watched seen;
  rig.watch(here, seen);
  EXPECT_EQ(rig.history.back().verb, "watch");
  EXPECT_EQ(rig.history.back().code, 200);
}

} // namespace
} // namespace sliceferry::storm
