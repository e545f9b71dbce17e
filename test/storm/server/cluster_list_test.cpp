#include "test/storm/server/cluster_test_rig.hpp"

#include <map>
#include <random>

namespace sliceferry::storm {
namespace {

using names = std::vector<std::string>;

names names_in(const cluster_test_rig::reply& list) {
  names out;
  for (const auto& item : list.json.at("items").as_array())
    out.emplace_back(text_of(find(&item, "metadata"), "name"));
  return out;
}

TEST(ClusterList, Selects) {
  cluster_test_rig rig;
  rig.make_space();
  rig.make_space("other");
  rig.call("POST", rig.slices, rig.slice("a", R"(,"labels":{"app":"web","tier":"x"})"));
  rig.call("POST", rig.slices, rig.slice("b", R"(,"labels":{"app":"db"})"));
  rig.call("POST", rig.slices, rig.slice("c"));
  rig.call("POST", "/apis/discovery.k8s.io/v1/namespaces/other/endpointslices", rig.slice("d"));
  struct row {
    std::string query;
    names shown;
  };
  const std::string here{rig.slices};
  const std::string all{rig.all_slices};
  const row table[] = {
    {here, {"a", "b", "c"}},
    {all, {"d", "a", "b", "c"}}, // by namespace first
    {here + "?labelSelector=app%3Dweb", {"a"}},
    {here + "?labelSelector=app==web,tier=x", {"a"}},
    {here + "?labelSelector=app!=web", {"b", "c"}},
    {here + "?labelSelector=app", {"a", "b"}},
    {here + "?labelSelector=!app", {"c"}},
    {here + "?labelSelector=app+in+(web,db)", {"a", "b"}},
    {here + "?labelSelector=app+notin+(web)", {"b", "c"}},
    {here + "?labelSelector=pp%3Dweb", {}},
    {here + "?fieldSelector=metadata.name%3Db", {"b"}},
    {here + "?fieldSelector=metadata.name!%3Db", {"a", "c"}},
    {all + "?fieldSelector=metadata.namespace%3Dother", {"d"}},
  };
  for (const auto& [query, shown] : table) {
    SCOPED_TRACE(query);
    EXPECT_EQ(names_in(rig.get(query)), shown);
  }
}

TEST(ClusterList, RefusesWhatMakesNoSense) {
  cluster_test_rig rig;
  rig.make_space();
  struct row {
    const char* query;
    unsigned status;
    const char* message;
  };
  const row table[] = {
    {"limit=x", 400, "strconv.ParseInt: parsing \"x\""},
    {"continue=garbage", 400, "invalid continue token"},
    {"resourceVersion=x", 400, "strconv.ParseUint"},
    {"resourceVersion=99999", 504, "Too large resource version"},
    {"resourceVersionMatch=Exact", 422, "unless resourceVersion is provided"},
    {"resourceVersion=1&resourceVersionMatch=Bad", 422, "Unsupported value: \"Bad\""},
    {"resourceVersion=0&resourceVersionMatch=Exact", 422, "forbidden for resourceVersion"},
    {"sendInitialEvents=true&resourceVersionMatch=NotOlderThan", 422, "sendInitialEvents is forbidden for list"},
    {"labelSelector=a+b+c", 400, "unable to parse requirement"},
    {"fieldSelector=metadata.bad%3Da", 400, "is not a known field selector"},
  };
  for (const auto& [query, status, message] : table) {
    SCOPED_TRACE(query);
    const auto got = rig.get(std::string{rig.slices} + "?" + query);
    EXPECT_EQ(got.status, status) << got.text;
    EXPECT_NE(got.at("message").find(message), std::string::npos) << got.text;
  }
  EXPECT_EQ(rig.get(std::string{rig.exports} + "?fieldSelector=spec.x%3Da").at("message"),
            "field label not supported: spec.x");
}

TEST(ClusterList, PagesCountWhatIsLeft) {
  cluster_test_rig rig;
  rig.make_space();
  for (char c = 'a'; c <= 'g'; ++c)
    rig.call("POST", rig.slices, rig.slice(std::string(1, c)));
  rig.history.clear();
  std::string next;
  names seen;
  for (const char* left : {"4", "1", "null"}) {
    const auto page = rig.get(std::string{rig.slices} + "?limit=3&continue=" + next);
    ASSERT_EQ(page.status, 200U) << page.text;
    EXPECT_EQ(page.at("metadata.remainingItemCount"), left);
    for (const auto& name : names_in(page))
      seen.push_back(name);
    next = page.at("metadata.continue");
  }
  EXPECT_EQ(next, "null");
  EXPECT_EQ(seen, (names{"a", "b", "c", "d", "e", "f", "g"}));
  EXPECT_EQ(rig.history.size(), 1U) << "pages after the first are no requests of their own";
}

TEST(ClusterList, AnOldPageIsExpired) {
  cluster_test_rig rig{{"member", false, 1, 5}};
  rig.make_space();
  for (const char* name : {"a", "b", "c"})
    rig.call("POST", rig.slices, rig.slice(name));
  const auto page = rig.get(std::string{rig.slices} + "?limit=1");
  for (int i = 0; i < 6; ++i)
    rig.patch(rig.path(rig.slices, "a"), R"({"metadata":{"annotations":{"a":")" + std::to_string(i) + "\"}}}");
  const auto next = rig.get(std::string{rig.slices} + "?limit=1&continue=" + page.at("metadata.continue"));
  EXPECT_EQ(next.status, 410U);
  EXPECT_EQ(next.reason(), "Expired");
  EXPECT_EQ(rig.get(std::string{rig.slices} + "?resourceVersionMatch=Exact&resourceVersion=" + page.version()).status,
            410U);
}

/// Random changes of few names, so that each is made, changed and deleted often.
void change_something(cluster_test_rig& rig, std::mt19937_64& chance) {
  const std::string name(1, static_cast<char>('a' + chance() % 8));
  const std::string space = chance() % 2 == 0 ? "shop" : "other";
  const std::string slices = "/apis/discovery.k8s.io/v1/namespaces/" + space + "/endpointslices";
  switch (chance() % 4) {
    case 0:
      rig.call("DELETE", slices + "/" + name);
      break;
    case 1:
      rig.patch(slices + "/" + name, R"({"metadata":{"labels":{"n":")" + std::to_string(chance() % 3) + "\"}}}");
      break;
    default:
      rig.call("POST", slices, rig.slice(name));
  }
}

TEST(ClusterList, PagesShowOneStateWhateverHappensMeanwhile) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 chance{seed};
    cluster_test_rig rig;
    rig.make_space();
    rig.make_space("other");
    for (int i = 0; i < 30; ++i)
      change_something(rig, chance);
    const std::string from = chance() % 2 == 0 ? std::string{rig.slices} : std::string{rig.all_slices};
    const std::string whole = to_text(rig.get(from).json.at("items"));
    boost::json::array paged;
    std::string next;
    std::string version;
    do {
      const auto page = rig.get(from + "?limit=" + std::to_string(1 + chance() % 4) + "&continue=" + next);
      ASSERT_EQ(page.status, 200U) << page.text;
      version = version.empty() ? page.version() : version;
      EXPECT_EQ(page.version(), version);
      for (const auto& item : page.json.at("items").as_array())
        paged.push_back(item);
      next = page.at("metadata.continue");
      if (const auto left = page.at("metadata.remainingItemCount"); left != "null") {
        EXPECT_EQ(paged.size() + std::stoul(left), boost::json::parse(whole).as_array().size());
      }
      for (int i = 0; i < 5; ++i)
        change_something(rig, chance);
    } while (next != "null");
    EXPECT_EQ(to_text(paged), whole);
    EXPECT_EQ(to_text(rig.get(from + "?resourceVersionMatch=Exact&resourceVersion=" + version).json.at("items")),
              whole);
  }
}

TEST(ClusterList, WatchersEndUpWithWhatAListShows) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 chance{seed};
    cluster_test_rig rig;
    rig.make_space();
    rig.make_space("other");
    const std::string query = std::vector<std::string>{"", "labelSelector=n%3D1", "labelSelector=n!%3D1",
                                                       "fieldSelector=metadata.namespace%3Dshop"}[chance() % 4];
    for (int i = 0; i < 10; ++i)
      change_something(rig, chance);
    cluster_test_rig::watched seen;
    rig.watch(std::string{rig.all_slices} + "?watch=1&" + query, seen);
    for (int i = 0; i < 60; ++i)
      change_something(rig, chance);
    std::map<std::string, boost::json::value> held;
    for (const auto& line : seen.lines) {
      auto event = boost::json::parse(line);
      auto& object = event.at("object");
      const std::string key = std::string{text_of(find(&object, "metadata"), "namespace")} + "/" +
                              std::string{text_of(find(&object, "metadata"), "name")};
      const auto type = text_of(&event, "type");
      EXPECT_EQ(held.contains(key), type != "ADDED") << line;
      if (type == "DELETED")
        held.erase(key);
      else
        held[key] = object;
    }
    boost::json::array items;
    for (auto& [key, object] : held) {
      object.as_object().erase("kind");
      object.as_object().erase("apiVersion");
      items.push_back(object);
    }
    EXPECT_EQ(to_text(items), to_text(rig.get(std::string{rig.all_slices} + "?" + query).json.at("items")));
  }
}

} // namespace
} // namespace sliceferry::storm
