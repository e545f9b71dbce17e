#include "test/storm/weather/export_deeds.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

namespace sliceferry::storm {
namespace {

namespace json = boost::json;

const std::string exported =
  R"({"metadata":{"name":"n1","uid":"u1"},"spec":{"endpoints":[],"endpointSliceReference":{"clusterId":"m","uid":"s1",)"
  R"("kind":"EndpointSlice","name":"a"},"ownerServiceReference":{"name":"web"}}})";

std::vector<user_request> deed(export_deed what, std::uint32_t number = 7) {
  return requests_upon({what, "m", "shop", "a", number}, exported);
}

TEST(ExportDeeds, AreRequestsToTheExportThatMayFail) {
  for (std::uint32_t i = 0; i <= static_cast<std::uint32_t>(export_deed::snatch); ++i) {
    SCOPED_TRACE(i);
    const auto all = deed(static_cast<export_deed>(i));
    ASSERT_FALSE(all.empty());
    for (const auto& each : all) {
      EXPECT_EQ(each.cluster, "hub");
      EXPECT_TRUE(each.may_fail);
      EXPECT_TRUE(each.target.starts_with(
        "/apis/networking.fleet.azure.com/v1alpha1/namespaces/fleet-member-m/endpointsliceexports"))
        << each.target;
      EXPECT_EQ(each.method == "POST", each.target.ends_with("/endpointsliceexports"));
      boost::system::error_code bad;
      EXPECT_TRUE(each.body.empty() || json::parse(each.body, bad).is_object()) << each.body;
    }
  }
}

TEST(ExportDeeds, EditOneThing) {
  struct row {
    export_deed what;
    const char* body;
  };
  using enum export_deed;
  const row table[] = {
    {edit_endpoints, R"({"spec":{"endpoints":[{"addresses":["10.99.0.8"]}]}})"},
    {edit_generation, R"({"spec":{"endpointSliceReference":{"generation":1000007}}})"},
    {edit_uid, R"({"spec":{"endpointSliceReference":{"uid":"5117a9e2-0000-4000-9000-100000000007"}}})"},
    {edit_cluster, R"({"spec":{"endpointSliceReference":{"clusterId":"stranger"}}})"},
    {label, R"({"metadata":{"labels":{"storm.example.com/seen":"7"}}})"},
  };
  for (const auto& [what, body] : table)
    EXPECT_EQ(deed(what).at(0).body, body);
}

TEST(ExportDeeds, EachRevertIsAChangeOfTheRivals) {
  EXPECT_NE(deed(export_deed::revert, 1).at(0).body, deed(export_deed::revert, 2).at(0).body);
  EXPECT_TRUE(deed(export_deed::revert).at(0).target.ends_with("/n1?fieldManager=rival"));
}

TEST(ExportDeeds, PlantWhatLooksLikeOursOrAnothers) {
  const auto planted = [](export_deed what, std::size_t nth) { return json::parse(deed(what).at(nth).body); };
  const auto reference = [](const json::value& made) { return made.at("spec").at("endpointSliceReference"); };
  const auto twin = planted(export_deed::duplicate, 0);
  EXPECT_EQ(twin.at("metadata").at("name"), "planted-7");
  EXPECT_EQ(twin.at("spec"), json::parse(exported).at("spec"));
  EXPECT_NE(reference(planted(export_deed::orphan, 0)).at("uid"), "s1");
  EXPECT_EQ(reference(planted(export_deed::orphan, 0)).at("clusterId"), "m");
  EXPECT_EQ(reference(planted(export_deed::plant, 0)).at("clusterId"), "stranger");
  EXPECT_EQ(deed(export_deed::replace).at(0).method, "DELETE");
  EXPECT_EQ(planted(export_deed::replace, 1).at("metadata").at("name"), "n1");
  EXPECT_EQ(reference(planted(export_deed::replace, 1)).at("clusterId"), "stranger");
}

TEST(ExportDeeds, AHeldExportIsReleasedLater) {
  const auto all = deed(export_deed::hold);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[1].method, "DELETE");
  EXPECT_EQ(all[2].body, R"({"metadata":{"uid":"u1","finalizers":null}})");
  EXPECT_GT(all[2].pause.count(), all[0].pause.count());
}

} // namespace
} // namespace sliceferry::storm
