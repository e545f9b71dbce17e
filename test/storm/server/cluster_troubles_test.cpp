#include "test/storm/server/cluster_test_rig.hpp"
#include "test/storm/server/hub_controller.hpp"

namespace sliceferry::storm {
namespace {

using change = history_entry::change;
using std::chrono::milliseconds;

std::vector<std::string> marks(const cluster_test_rig& rig) {
  std::vector<std::string> out;
  for (const auto& entry : rig.history)
    if (entry.verb == "mark")
      out.push_back(entry.mark);
  return out;
}

TEST(ClusterTroubles, ARestoredBackupGoesBack) {
  cluster_test_rig rig;
  rig.make_space();
  rig.call("POST", rig.slices, rig.slice("kept"));
  rig.call("POST", rig.slices, rig.slice("changed"));
  rig.call("POST", rig.slices, rig.slice("gone"));
  const auto then = rig.get(std::string{rig.slices}).text;
  const auto version = rig.server.resource_version();
  rig.server.back_up(rig.now);
  rig.patch(rig.path(rig.slices, "changed"), R"({"metadata":{"annotations":{"a":"b"}}})");
  rig.call("DELETE", rig.path(rig.slices, "gone"));
  const auto born = rig.call("POST", rig.slices, rig.slice("new")).uid();
  cluster_test_rig::watched seen;
  rig.watch(std::string{rig.slices} + "?watch=1", seen);
  rig.history.clear();
  rig.server.restore(rig.now);
  EXPECT_TRUE(seen.ended);
  EXPECT_EQ(rig.server.resource_version(), version);
  std::map<std::string, change> changes;
  for (const auto& entry : rig.history)
    if (entry.verb != "mark") {
      EXPECT_EQ(entry.user, "system:restore");
      changes[entry.name] = entry.what;
    }
  EXPECT_EQ(changes, (std::map<std::string, change>{
                       {"changed", change::modified}, {"gone", change::added}, {"new", change::deleted}}));
  EXPECT_EQ(marks(rig), std::vector<std::string>{"restored"});
  EXPECT_EQ(rig.get(std::string{rig.slices}).text, then);
  EXPECT_NE(rig.call("POST", rig.slices, rig.slice("new")).uid(), born) << "UIDs aren't used again";
  cluster_test_rig::watched old;
  rig.watch(std::string{rig.slices} + "?watch=1&resourceVersion=" + std::to_string(version - 1), old);
  EXPECT_EQ(old.events(), std::vector<std::string>{"ERROR 410"});
}

TEST(ClusterTroubles, AKindIsRemovedAndComesBack) {
  cluster_test_rig rig;
  rig.make_space();
  rig.call("POST", rig.exports, rig.slice_export("e", R"(,"finalizers":["example.com/f"])"));
  cluster_test_rig::watched seen;
  rig.watch(std::string{rig.exports} + "?watch=1", seen);
  rig.server.remove_kind("endpointsliceexports", rig.now);
  ASSERT_EQ(seen.lines.size(), 2U);
  EXPECT_TRUE(seen.events()[1].starts_with("DELETED e"));
  EXPECT_TRUE(seen.ended);
  for (const std::string& target : {std::string{rig.exports}, rig.path(rig.exports, "e")}) {
    EXPECT_EQ(rig.get(target).status, 404U);
    EXPECT_EQ(rig.get(target).text, "404 page not found\n");
  }
  EXPECT_EQ(rig.get("/apis/networking.fleet.azure.com/v1alpha1").text.find("endpointsliceexports"), std::string::npos);
  EXPECT_EQ(rig.get(rig.path(rig.definitions, "endpointsliceexports.networking.fleet.azure.com")).status, 404U);
  rig.server.install_kind("endpointsliceexports", rig.now);
  EXPECT_EQ(rig.get(std::string{rig.exports}).at("items"), "[]");
  EXPECT_EQ(rig.call("POST", rig.exports, rig.slice_export("e")).status, 201U);
  EXPECT_EQ(marks(rig), (std::vector<std::string>{"kind_removed", "kind_installed"}));
}

TEST(ClusterTroubles, AKindIsBroughtBackWithItsObjects) {
  cluster_test_rig rig;
  rig.make_space();
  rig.make_space("lost");
  const auto born = rig.call("POST", rig.consents, rig.consent("web")).uid();
  rig.call("POST", "/apis/networking.fleet.azure.com/v1beta1/namespaces/lost/serviceexports", rig.consent("web"));
  rig.server.remove_kind("serviceexports", rig.now);
  rig.call("DELETE", rig.path(rig.spaces, "lost"));
  rig.server.bring_back_kind("serviceexports", rig.now);
  const auto back = rig.get(rig.path(rig.consents, "web"));
  EXPECT_EQ(back.uid(), born);
  EXPECT_EQ(back.version(), std::to_string(rig.server.resource_version()));
  EXPECT_EQ(rig.get("/apis/networking.fleet.azure.com/v1beta1/namespaces/lost/serviceexports/web").status, 404U)
    << "its namespace is terminating";
}

TEST(ClusterTroubles, AWebhookChangesThePortsOfExports) {
  cluster_test_rig rig;
  rig.make_space();
  rig.server.mutate_exports(true);
  const std::string ports = R"("addressType":"IPv4","endpoints":[],"ports":[{"port":80}],)";
  rig.call("POST", rig.exports, rig.slice_export("e", "", ports));
  const auto stored = rig.get(rig.path(rig.exports, "e"));
  EXPECT_EQ(stored.at("spec.ports"), R"([{"appProtocol":"storm.example.com/mutated","port":80}])") << stored.text;
  rig.patch(rig.path(rig.exports, "e"), R"({"spec":{"ports":[{"port":80}]}})");
  EXPECT_EQ(rig.get(rig.path(rig.exports, "e")).version(), stored.version()) << "nothing was changed";
  rig.server.mutate_exports(false);
  rig.patch(rig.path(rig.exports, "e"), R"({"spec":{"ports":[{"port":80}]}})");
  EXPECT_EQ(rig.get(rig.path(rig.exports, "e")).at("spec.ports"), R"([{"port":80}])");
}

TEST(ClusterTroubles, ADeletedDefinitionWaitsForItsObjects) {
  cluster_test_rig rig;
  rig.make_space();
  const std::string definition = rig.path(rig.definitions, "endpointsliceexports.networking.fleet.azure.com");
  const auto before = rig.get(definition);
  ASSERT_EQ(before.status, 200U);
  rig.call("POST", rig.exports, rig.slice_export("free"));
  rig.call("POST", rig.exports, rig.slice_export("held", R"(,"finalizers":["example.com/f"])"));
  EXPECT_NE(rig.call("DELETE", definition).at("metadata.deletionTimestamp"), "null");
  const auto late = rig.call("POST", rig.exports, rig.slice_export("late"));
  EXPECT_EQ(late.status, 403U);
  EXPECT_NE(late.text.find("create not allowed while custom resource definition is terminating"), std::string::npos);
  rig.pass(milliseconds{50});
  EXPECT_EQ(rig.get(rig.path(rig.exports, "free")).status, 404U);
  EXPECT_NE(rig.get(rig.path(rig.exports, "held")).at("metadata.deletionTimestamp"), "null");
  EXPECT_EQ(rig.get(definition).status, 200U);
  EXPECT_EQ(rig.patch(rig.path(rig.exports, "held"), R"({"metadata":{"finalizers":null}})").status, 200U);
  rig.pass(milliseconds{50});
  EXPECT_EQ(rig.get(definition).status, 404U);
  EXPECT_EQ(rig.get(std::string{rig.exports}).text, "404 page not found\n");
  // Whoever brings the definition again gets the kind again.
  boost::json::value again = before.json;
  again.at("metadata") = {{"name", "endpointsliceexports.networking.fleet.azure.com"}};
  boost::json::value bare = again;
  bare.at("spec").as_object().erase("versions");
  EXPECT_EQ(rig.call("POST", rig.definitions, to_text(bare)).status, 422U);
  EXPECT_EQ(rig.call("POST", rig.definitions, to_text(again)).status, 201U);
  EXPECT_EQ(rig.call("POST", rig.exports, rig.slice_export("e")).status, 201U);
  EXPECT_EQ(rig.call("POST", rig.exports, rig.slice_export("x", "", "")).status, 422U) << "with its schema";
}

TEST(ClusterTroubles, EndsAllWatches) {
  cluster_test_rig rig;
  cluster_test_rig::watched one;
  cluster_test_rig::watched other;
  rig.watch(std::string{rig.all_slices} + "?watch=1", one);
  rig.watch(std::string{rig.spaces} + "?watch=1", other);
  rig.server.end_watches(rig.now);
  EXPECT_TRUE(one.ended);
  EXPECT_TRUE(other.ended);
}

TEST(ClusterTroubles, TheHubControllerHoldsAndReleases) {
  constexpr std::string_view finalizer = hub_controller::finalizer;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    cluster_test_rig rig{{"hub", true, seed, 1000}};
    rig.make_space();
    const std::string exported = rig.path(rig.exports, "e");
    const auto made = rig.call("POST", rig.exports, rig.slice_export("e"));
    const auto holds = [&] { return rig.get(exported).text.find(finalizer) != std::string::npos; };
    rig.pass(milliseconds{3});
    EXPECT_FALSE(holds());
    rig.pass(milliseconds{60});
    EXPECT_TRUE(holds());
    EXPECT_EQ(rig.get(exported).generation(), "1");
    const auto adopted = std::find_if(rig.history.begin(), rig.history.end(),
                                      [](const auto& each) { return each.user == hub_controller::user; });
    ASSERT_NE(adopted, rig.history.end());
    EXPECT_EQ(adopted->what, change::modified);
    EXPECT_EQ(adopted->verb, "patch");
    rig.call("DELETE", exported);
    rig.pass(milliseconds{15});
    EXPECT_TRUE(holds());
    rig.pass(milliseconds{220});
    EXPECT_EQ(rig.get(exported).status, 404U);
    EXPECT_EQ(rig.history[rig.history.size() - 2].what, change::deleted);
    // One that is deleted before it was adopted just goes.
    rig.call("POST", rig.exports, rig.slice_export("e"));
    EXPECT_EQ(rig.call("DELETE", exported).at("status"), "Success");
    rig.pass(milliseconds{300});
    EXPECT_EQ(rig.get(exported).status, 404U);
    // One that somebody else holds by then isn't adopted any more.
    rig.call("POST", rig.exports, rig.slice_export("e", R"(,"finalizers":["example.com/f"])"));
    rig.call("DELETE", exported);
    rig.pass(milliseconds{300});
    EXPECT_EQ(rig.get(exported).at("metadata.finalizers"), R"(["example.com/f"])");
  }
}

TEST(ClusterTroubles, TheHistoryTellsWhoDidWhat) {
  cluster_test_rig rig;
  rig.make_space();
  rig.history.clear();
  const auto made = rig.call("POST", rig.slices, rig.slice("a"));
  const std::string slice = rig.path(rig.slices, "a");
  const auto patched = rig.patch(slice, R"({"metadata":{"annotations":{"a":"b"}}})");
  rig.call("PATCH", slice, "{}", rig.merge, "other");
  rig.get(slice);
  rig.get(std::string{rig.slices});
  rig.call("GET", slice, {}, {}, {});
  rig.call("DELETE", slice);
  rig.get("/readyz");
  rig.server.note_fault({"PATCH", slice, rig.merge, "{}", "tester"}, 503, "http_503", rig.now);
  struct row {
    const char* user;
    const char* verb;
    const char* name;
    int code;
    change what;
  };
  const row table[] = {
    {"tester", "create", "", 201, change::added},    {"tester", "patch", "a", 200, change::modified},
    {"other", "patch", "a", 200, change::none},      {"tester", "get", "a", 200, change::none},
    {"tester", "list", "", 200, change::none},       {"", "get", "a", 401, change::none},
    {"tester", "delete", "a", 200, change::deleted}, {"tester", "patch", "a", 503, change::none},
  };
  ASSERT_EQ(rig.history.size(), std::size(table));
  for (std::size_t i = 0; i < std::size(table); ++i) {
    SCOPED_TRACE(i);
    const auto& entry = rig.history[i];
    EXPECT_EQ(entry.seq, 0U);
    EXPECT_EQ(entry.cluster, "member");
    EXPECT_EQ(entry.user, table[i].user);
    EXPECT_EQ(entry.verb, table[i].verb);
    EXPECT_EQ(entry.resource, "endpointslices");
    EXPECT_EQ(entry.nspace, "shop");
    EXPECT_EQ(entry.name, i == 0 ? "a" : table[i].name);
    EXPECT_EQ(entry.code, table[i].code);
    EXPECT_EQ(entry.what, table[i].what);
    EXPECT_EQ(entry.object.empty(), entry.what == change::none);
  }
  EXPECT_EQ(rig.history[0].object, made.text);
  EXPECT_EQ(rig.history[1].object, patched.text);
  EXPECT_EQ(rig.history.back().fault, "http_503");
}

} // namespace
} // namespace sliceferry::storm
