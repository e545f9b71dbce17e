#include "test/storm/server/cluster_test_rig.hpp"

namespace sliceferry::storm {
namespace {

/// The rows that were observed on a real server of v1.36.3, in its order.
class ObservedFacts : public testing::Test {
protected:
  void SetUp() override {
    rig.make_space();
    ASSERT_EQ(rig.call("POST", rig.slices, rig.slice("a")).status, 201U);
    ASSERT_EQ(rig.call("POST", rig.exports, rig.slice_export("e")).status, 201U);
  }
  std::string stale(const std::string& meta = {}) { return R"({"metadata":{"resourceVersion":"1")" + meta + "}}"; }

  cluster_test_rig rig;
  const std::string slice = rig.path(cluster_test_rig::slices, "a");
  const std::string exported = rig.path(cluster_test_rig::exports, "e");
};

TEST_F(ObservedFacts, WrongIdentityInPatches) {
  for (const auto& target : {slice, exported}) {
    SCOPED_TRACE(target);
    const auto uid = rig.patch(target, R"({"metadata":{"uid":"wrong"}})");
    EXPECT_EQ(uid.status, 422U);
    EXPECT_EQ(uid.reason(), "Invalid");
    EXPECT_NE(uid.text.find("\"field\":\"metadata.uid\""), std::string::npos) << uid.text;
    EXPECT_NE(uid.text.find("field is immutable"), std::string::npos) << uid.text;
    const auto version = rig.patch(target, stale());
    EXPECT_EQ(version.status, 409U);
    EXPECT_EQ(version.reason(), "Conflict");
    EXPECT_EQ(rig.patch(target, stale(R"(,"uid":"wrong")")).status, 409U);
    EXPECT_EQ(rig.patch(target + "-missing", "{}").status, 404U);
    EXPECT_EQ(rig.patch(target, R"({"metadata":{"annotations":{"n":1}}})").status, 422U);
  }
  EXPECT_EQ(rig.call("PATCH", exported, "{}", "application/strategic-merge-patch+json").status, 415U);
}

TEST_F(ObservedFacts, NoChangeWritesNothing) {
  const auto before = rig.get(slice);
  const auto writes = rig.server.writes();
  EXPECT_EQ(rig.patch(slice, "{}").version(), before.version());
  EXPECT_EQ(rig.patch(slice, R"({"ports":[{"port":80,"name":""}]})").version(), before.version());
  EXPECT_EQ(rig.call("PUT", slice, before.text).version(), before.version());
  EXPECT_EQ(rig.call("PUT", slice, rig.slice("a")).version(), before.version());
  EXPECT_EQ(rig.server.writes(), writes);
  EXPECT_NE(rig.get("/metrics").text.find(R"({code="200",resource="endpointslices",verb="PUT"} 2)"), std::string::npos);
}

TEST_F(ObservedFacts, PutsOfCustomResources) {
  struct row {
    const char* name;
    std::string target;
    std::string meta;
    unsigned status;
  };
  const row table[] = {
    {"without resourceVersion", "e", "", 422},
    {"stale", "e", R"(,"resourceVersion":"1")", 409},
    {"wrong uid", "e", R"(,"uid":"wrong","resourceVersion":")" + rig.get(exported).version() + "\"", 409},
    {"missing", "missing", R"(,"resourceVersion":"1")", 404},
  };
  for (const auto& [name, target, meta, status] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(rig.call("PUT", rig.path(rig.exports, target), rig.slice_export(target, meta)).status, status);
  }
  const auto uid = rig.call("PUT", exported, rig.slice_export("e", R"(,"uid":"wrong","resourceVersion":"1")"));
  EXPECT_NE(uid.text.find("Precondition failed: UID"), std::string::npos) << uid.text;
}

TEST_F(ObservedFacts, Deletions) {
  EXPECT_EQ(rig.call("DELETE", slice, R"({"preconditions":{"uid":"wrong"}})").status, 409U);
  EXPECT_EQ(rig.call("DELETE", slice, R"({"preconditions":{"resourceVersion":"1"}})").status, 409U);
  EXPECT_EQ(rig.call("DELETE", slice + "-missing").status, 404U);
  const auto gone = rig.call("DELETE", slice);
  EXPECT_EQ(gone.at("kind"), "Status");
  EXPECT_EQ(gone.at("status"), "Success");
  rig.patch(exported, R"({"metadata":{"finalizers":["example.com/f"]}})");
  const auto held = rig.call("DELETE", exported);
  EXPECT_EQ(held.at("kind"), "EndpointSliceExport");
  EXPECT_EQ(rig.call("DELETE", exported).status, 200U);
  const auto again = rig.call("POST", rig.exports, rig.slice_export("e"));
  EXPECT_EQ(again.status, 409U);
  EXPECT_EQ(again.reason(), "AlreadyExists");
  EXPECT_TRUE(again.at("message").starts_with("object is being deleted:")) << again.text;
  EXPECT_EQ(rig.patch(exported, R"({"metadata":{"annotations":{"x":"1"}}})").status, 200U);
  EXPECT_EQ(rig.call("PUT", exported, rig.get(exported).text).status, 200U);
}

TEST_F(ObservedFacts, Namespaces) {
  const std::string nowhere = "/apis/discovery.k8s.io/v1/namespaces/nowhere/endpointslices";
  const auto missing = rig.call("POST", nowhere, rig.slice("x"));
  EXPECT_EQ(missing.status, 404U);
  EXPECT_EQ(missing.at("details.kind"), "namespaces");
  EXPECT_EQ(rig.get(nowhere).at("items"), "[]");
  cluster_test_rig::watched idle;
  rig.watch(nowhere + "?watch=1", idle);
  EXPECT_TRUE(idle.lines.empty());
  rig.call("DELETE", rig.path(rig.spaces, "shop"));
  const auto late = rig.call("POST", rig.slices, rig.slice("late"));
  EXPECT_EQ(late.status, 403U);
  EXPECT_NE(late.text.find("NamespaceTerminating"), std::string::npos);
}

TEST_F(ObservedFacts, Slices) {
  EXPECT_EQ(rig.call("POST", rig.exports, R"({"metadata":{"name":"x"}})").status, 400U) << "no kind";
  EXPECT_EQ(rig
              .call("POST", rig.slices,
                    R"({"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1",)"
                    R"("metadata":{"name":"x"},"addressType":"IP"})")
              .status,
            422U);
  EXPECT_EQ(rig.patch(slice, R"({"metadata":{"labels":{"a":"b"}}})").generation(), "2");
  const auto emptied = rig.patch(slice, R"({"endpoints":null,"ports":[]})");
  EXPECT_EQ(emptied.generation(), "3");
  EXPECT_NE(emptied.text.find(R"("endpoints":null)"), std::string::npos);
  EXPECT_NE(emptied.text.find(R"("ports":null)"), std::string::npos);
  EXPECT_EQ(rig.patch(slice, R"({"ports":null})").version(), emptied.version());
  // The notes say that null to [] counts; the server that this one is compared with takes both for the same.
  EXPECT_EQ(rig.patch(slice, R"({"endpoints":[]})").version(), emptied.version());
  EXPECT_NE(rig.patch(slice, R"({"ports":[{"port":9}]})").text.find(R"([{"name":"","protocol":"TCP","port":9}])"),
            std::string::npos);
}

TEST_F(ObservedFacts, Exports) {
  const auto with = [&](const std::string& name, const std::string& spec) {
    return rig.call("POST", rig.exports, rig.slice_export(name, "", spec));
  };
  EXPECT_EQ(with("n", R"("endpoints":null,)").status, 422U);
  EXPECT_EQ(with("o", R"("endpoints":[],"ports":null,)").at("spec.ports"), "null");
  EXPECT_EQ(with("p", R"("endpoints":[],"ports":[],)").at("spec.ports"), "[]");
  EXPECT_EQ(with("q", R"("endpoints":[],)").at("spec.addressType"), "IPv4");
  const auto since =
    rig.patch(exported, R"({"spec":{"endpointSliceReference":{"exportedSince":"2024-01-01T00:00:00.5Z"}}})");
  EXPECT_EQ(since.at("spec.endpointSliceReference.exportedSince"), "2024-01-01T00:00:00.5Z");
}

TEST_F(ObservedFacts, Reads) {
  rig.server.compact(rig.now);
  cluster_test_rig::watched old;
  rig.watch(std::string{rig.exports} + "?watch=1&resourceVersion=1", old);
  EXPECT_EQ(old.events(), std::vector<std::string>{"ERROR 410"});
  EXPECT_NE(old.lines.at(0).find(R"("reason":"Expired")"), std::string::npos);
  EXPECT_TRUE(old.ended);
  cluster_test_rig::watched future;
  rig.watch(std::string{rig.exports} + "?watch=1&resourceVersion=99999", future);
  EXPECT_TRUE(future.lines.empty());
  cluster_test_rig::watched initial;
  rig.watch(std::string{rig.exports} +
              "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true",
            initial);
  ASSERT_EQ(initial.lines.size(), 2U);
  EXPECT_NE(initial.lines[1].find(R"("k8s.io/initial-events-end":"true")"), std::string::npos);
  EXPECT_NE(rig.get(std::string{rig.slices}).text.find(R"("items":[{"metadata":)"), std::string::npos);
  EXPECT_NE(rig.get(std::string{rig.exports}).text.find(R"("kind":"EndpointSliceExport","metadata":)"),
            std::string::npos);
  rig.call("POST", rig.slices, rig.slice("b"));
  EXPECT_EQ(rig.get(std::string{rig.slices} + "?limit=1&resourceVersion=0").at("metadata.continue"), "null");
}

} // namespace
} // namespace sliceferry::storm
