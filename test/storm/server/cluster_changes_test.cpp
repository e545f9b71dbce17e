#include "test/storm/server/cluster_test_rig.hpp"

namespace sliceferry::storm {
namespace {

using change = history_entry::change;

TEST(ClusterChanges, CountGenerations) {
  cluster_test_rig rig;
  rig.make_space();
  const std::string slice = rig.path(rig.slices, "a");
  const std::string exported = rig.path(rig.exports, "e");
  const std::string consent = rig.path(rig.consents, "web");
  rig.call("POST", rig.slices, rig.slice("a"));
  rig.call("POST", rig.exports, rig.slice_export("e"));
  rig.call("POST", rig.consents, rig.consent("web"));
  struct row {
    const char* what;
    std::string target;
    const char* patch;
    bool writes;
    int counts;
  };
  const row table[] = {
    {"annotation", slice, R"({"metadata":{"annotations":{"a":"b"}}})", true, 0},
    {"the same again", slice, R"({"metadata":{"annotations":{"a":"b"}}})", false, 0},
    {"label", slice, R"({"metadata":{"labels":{"a":"b"}}})", true, 1},
    {"endpoints", slice, R"({"endpoints":[{"addresses":["10.0.0.2"],"conditions":{"ready":false}}]})", true, 1},
    {"endpoints, members in another order", slice,
     R"({"endpoints":[{"conditions":{"ready":false},"addresses":["10.0.0.2"]}]})", false, 0},
    {"what nobody knows", slice, R"({"colour":"red"})", false, 0},
    {"generation along with another change", slice, R"({"metadata":{"generation":99,"annotations":{"a":"c"}}})", true,
     0},
    {"generation itself", slice, R"({"metadata":{"generation":99}})", false, 0},
    {"owner", slice, R"({"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"S","name":"n","uid":"u"}]}})", true,
     0},
    {"spec", exported, R"({"spec":{"endpoints":[{"addresses":["10.0.0.2"]}]}})", true, 1},
    {"ports to []", exported, R"({"spec":{"ports":[]}})", true, 1},
    {"default by null", exported, R"({"spec":{"addressType":null}})", false, 0},
    {"what the schema prunes", exported, R"({"spec":{"colour":"red"},"status":{"a":1}})", false, 0},
    {"label of an export", exported, R"({"metadata":{"labels":{"a":"b"}}})", true, 0},
    {"finalizer", exported, R"({"metadata":{"finalizers":["example.com/f"]}})", true, 0},
    {"a status that isn't the object's", consent, R"({"status":{"conditions":[]}})", false, 0},
    {"status", consent + "/status", R"({"status":{"conditions":[]}})", true, 0},
    {"no metadata through status", consent + "/status", R"({"metadata":{"labels":{"a":"b"}}})", false, 0},
  };
  for (const auto& [what, target, patch, writes, counts] : table) {
    SCOPED_TRACE(what);
    const auto before = rig.get(target);
    const auto after = rig.patch(target, patch);
    ASSERT_EQ(after.status, 200U) << after.text;
    EXPECT_EQ(after.version() != before.version(), writes) << after.text;
    EXPECT_EQ(std::stoi(after.generation()), std::stoi(before.generation()) + counts);
    EXPECT_EQ(rig.get(target).text, after.text);
    EXPECT_EQ(rig.history[rig.history.size() - 2].what, writes ? change::modified : change::none);
  }
}

TEST(ClusterChanges, ServerChoosesWhatIsItsOwn) {
  cluster_test_rig rig;
  rig.make_space();
  const auto made =
    rig.call("POST", rig.slices,
             rig.slice("a", R"(,"uid":"mine","generation":7,"creationTimestamp":"2000-01-01T00:00:00Z",)"
                            R"("deletionTimestamp":"2000-01-01T00:00:00Z","selfLink":"x")"));
  EXPECT_EQ(made.status, 201U);
  EXPECT_EQ(made.uid().size(), 36U);
  EXPECT_EQ(made.generation(), "1");
  EXPECT_EQ(made.at("metadata.creationTimestamp"), "2027-01-15T08:00:00Z");
  EXPECT_EQ(made.at("metadata.deletionTimestamp"), "null");
  EXPECT_EQ(made.at("metadata.selfLink"), "null");
  EXPECT_EQ(made.version(), std::to_string(rig.server.resource_version()));
  EXPECT_NE(made.text.find(R"("managedFields":[{"manager":"tester","operation":"Update")"), std::string::npos);
  const auto generated = rig.call("POST", rig.slices, R"({"metadata":{"generateName":"web-"},"addressType":"IPv4"})");
  ASSERT_EQ(generated.status, 201U) << generated.text;
  EXPECT_EQ(generated.at("metadata.name").size(), 9U);
  EXPECT_EQ(rig.history.back().name, generated.at("metadata.name"));
  EXPECT_NE(generated.uid(), made.uid());
  EXPECT_NE(
    rig.call("POST", rig.slices, R"({"metadata":{"generateName":"web-"},"addressType":"IPv4"})").at("metadata.name"),
    generated.at("metadata.name"));
}

TEST(ClusterChanges, RunsRepeat) {
  const auto run = [](std::uint64_t seed) {
    cluster_test_rig rig{{"hub", true, seed, 1000}};
    rig.make_space();
    rig.call("POST", rig.exports, rig.slice_export("e"));
    for (int i = 0; i < 10; ++i)
      rig.pass(std::chrono::milliseconds{7});
    std::string out;
    for (const auto& entry : rig.history)
      out += std::to_string(entry.at.count()) + entry.object + "\n";
    return out;
  };
  EXPECT_EQ(run(5), run(5));
  EXPECT_NE(run(5), run(6));
}

TEST(ClusterChanges, TheLastFinalizerEndsATerminatingObject) {
  cluster_test_rig rig;
  rig.make_space();
  const std::string exported = rig.path(rig.exports, "e");
  rig.call("POST", rig.exports, rig.slice_export("e", R"(,"finalizers":["example.com/f","example.com/g"])"));
  cluster_test_rig::watched seen;
  rig.watch(std::string{rig.exports} + "?watch=1&resourceVersion=" + std::to_string(rig.server.resource_version()),
            seen);
  const auto doomed = rig.call("DELETE", exported);
  EXPECT_EQ(doomed.generation(), "2");
  EXPECT_NE(doomed.at("metadata.deletionTimestamp"), "null");
  EXPECT_EQ(rig.history.back().what, change::modified);
  EXPECT_EQ(rig.call("DELETE", exported).version(), doomed.version());
  EXPECT_EQ(rig.history.back().what, change::none);
  EXPECT_EQ(rig.patch(exported, R"({"metadata":{"finalizers":["example.com/h"]}})").status, 422U);
  const auto less = rig.patch(exported, R"({"metadata":{"finalizers":["example.com/g"]}})");
  EXPECT_EQ(less.status, 200U);
  const auto last = rig.patch(exported, R"({"metadata":{"finalizers":null}})");
  EXPECT_EQ(last.status, 200U);
  EXPECT_EQ(last.version(), less.version()) << "as it was, at the version that it had";
  EXPECT_EQ(rig.history.back().what, change::deleted);
  EXPECT_EQ(rig.get(exported).status, 404U);
  const auto end = std::to_string(rig.server.resource_version());
  EXPECT_EQ(seen.events(), (std::vector<std::string>{"MODIFIED e " + doomed.version(), "MODIFIED e " + less.version(),
                                                     "DELETED e " + end}));
  EXPECT_NE(seen.lines.back().find("example.com/g"), std::string::npos) << "as it was last stored";
  EXPECT_NE(rig.history[rig.history.size() - 2].object.find(R"("resourceVersion":")" + end), std::string::npos);
}

TEST(ClusterChanges, NamespacesLiveAndEnd) {
  cluster_test_rig rig;
  rig.make_space();
  const std::string space = rig.path(rig.spaces, "shop");
  rig.call("POST", rig.slices, rig.slice("a"));
  EXPECT_EQ(rig.get(space).at("status.phase"), "Active");
  EXPECT_EQ(rig.get(space).at("spec.finalizers"), R"(["kubernetes"])");
  EXPECT_EQ(rig.patch(space, R"({"spec":{"finalizers":null},"metadata":{"labels":null}})").status, 200U);
  EXPECT_EQ(rig.get(space).at("spec.finalizers"), R"(["kubernetes"])") << "only through finalize";
  EXPECT_NE(rig.get(space).text.find(R"("kubernetes.io/metadata.name":"shop")"), std::string::npos);
  const auto doomed = rig.call("DELETE", space);
  EXPECT_EQ(doomed.at("status.phase"), "Terminating");
  EXPECT_EQ(rig.call("DELETE", space).version(), doomed.version());
  EXPECT_EQ(rig.call("POST", rig.spaces, R"({"metadata":{"name":"shop"}})").status, 409U);
  EXPECT_EQ(rig.call("POST", rig.exports, rig.slice_export("e")).status, 403U);
  EXPECT_EQ(rig.patch(rig.path(rig.slices, "a"), R"({"metadata":{"annotations":{"a":"b"}}})").status, 200U);
  const std::string without = R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop"},"spec":{}})";
  EXPECT_EQ(rig.call("PUT", space + "/finalize", without).status, 200U);
  EXPECT_EQ(rig.history.back().subresource, "finalize");
  EXPECT_EQ(rig.history.back().what, change::deleted);
  EXPECT_EQ(rig.get(space).status, 404U);
  EXPECT_EQ(rig.call("PUT", space + "/finalize", without).status, 404U);
  EXPECT_EQ(rig.get(rig.path(rig.slices, "a")).status, 200U) << "nobody emptied it";
  EXPECT_EQ(rig.patch(rig.path(rig.slices, "a"), R"({"metadata":{"annotations":{"a":"c"}}})").at("details.kind"),
            "namespaces");
  EXPECT_EQ(rig.call("DELETE", rig.path(rig.slices, "a")).status, 200U);
}

TEST(ClusterChanges, LeasesAreCreatedByPut) {
  cluster_test_rig rig;
  rig.make_space();
  const std::string lease = rig.path(rig.leases, "l");
  const auto body = [](const std::string& meta) {
    return R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l")" + meta +
           R"(},"spec":{"holderIdentity":"x","renewTime":"2024-01-01T00:00:00.000000Z"}})";
  };
  const auto made = rig.call("PUT", lease, body(""));
  EXPECT_EQ(made.status, 201U);
  EXPECT_EQ(made.generation(), "null");
  EXPECT_EQ(rig.call("PUT", lease, body("")).status, 422U);
  EXPECT_EQ(rig.call("PUT", lease, body(R"(,"resourceVersion":")" + made.version() + "\"")).status, 200U);
  EXPECT_EQ(rig.patch(lease, R"({"spec":{"leaseDurationSeconds":0}})").status, 422U);
  EXPECT_EQ(rig.patch(lease, R"({"spec":{"renewTime":"x"}})").status, 422U);
  EXPECT_EQ(rig.patch(lease, R"({"spec":{"holderIdentity":null}})").at("spec.holderIdentity"), "null");
}

TEST(ClusterChanges, BothVersionsShowOneServiceExport) {
  cluster_test_rig rig;
  rig.make_space();
  const std::string old = "/apis/networking.fleet.azure.com/v1alpha1/namespaces/shop/serviceexports";
  const auto made = rig.call("POST", rig.consents, rig.consent("web"));
  const auto shown = rig.get(old + "/web");
  EXPECT_EQ(shown.at("apiVersion"), "networking.fleet.azure.com/v1alpha1");
  EXPECT_EQ(shown.uid(), made.uid());
  EXPECT_NE(rig.get(old).text.find(R"("items":[{"apiVersion":"networking.fleet.azure.com/v1alpha1")"),
            std::string::npos);
  cluster_test_rig::watched seen;
  rig.watch(old + "?watch=1", seen);
  rig.patch(old + "/web", R"({"metadata":{"annotations":{"a":"b"}}})");
  ASSERT_EQ(seen.lines.size(), 2U);
  EXPECT_NE(seen.lines[1].find("v1alpha1\",\"kind\":\"ServiceExport\""), std::string::npos);
  EXPECT_EQ(rig.get(rig.path(rig.consents, "web")).at("metadata.annotations.a"), "b");
}

TEST(ClusterChanges, CollectionsAreDeletedWhole) {
  cluster_test_rig rig;
  rig.make_space();
  for (const char* name : {"a", "b", "c"})
    rig.call("POST", rig.slices, rig.slice(name, name[0] == 'b' ? R"(,"labels":{"keep":"yes"})" : ""));
  rig.history.clear();
  EXPECT_EQ(rig.call("DELETE", std::string{rig.slices} + "?labelSelector=!keep").status, 200U);
  EXPECT_EQ(rig.history.size(), 3U) << "one for each object, one for the request";
  EXPECT_EQ(rig.history[0].name + rig.history[1].name, "ac");
  EXPECT_EQ(rig.history[2].what, change::none);
  EXPECT_EQ(rig.get(rig.path(rig.slices, "b")).status, 200U);
  EXPECT_EQ(rig.get(rig.path(rig.slices, "a")).status, 404U);
}

} // namespace
} // namespace sliceferry::storm
