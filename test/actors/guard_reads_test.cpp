#include "k8s/decode.hpp"
#include "test/actors/exported.hpp"

#include <functional>
#include <optional>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;

/// GETs of paths with this in them fail so.
std::function<std::optional<fault>(std::size_t)> no_get(const mirror_world& world, std::string part,
                                                        k8s::result<k8s::http_response> reply) {
  return [&world, part, reply](std::size_t) {
    const auto& asked = world.requests.back();
    const bool fails = asked.method == k8s::http_method::get && asked.target.find(part) != std::string::npos;
    return fails ? std::optional(fault{false, reply}) : std::nullopt;
  };
}

k8s::http_response unserved() {
  return {404, std::nullopt, status_body(404, "NotFound", "the server could not find the requested resource")};
}

TEST(MassWithdrawal, WhatCannotBeReadIsReadAgain) { // D34
  struct row {
    const char* name;
    std::string part;
    k8s::result<k8s::http_response> reply;
  };
  const row table[] = {
    {"the sample", "/endpointslices/", k8s::http_response{503, std::nullopt, ""}},
    {"no answer", "/endpointslices/", failure{errc::ambiguous, "no answer", {}, 0}},
    {"no object", "/endpointslices/", k8s::http_response{200, std::nullopt, "<html>"}},
    {"the kind", "/customresourcedefinitions/", k8s::http_response{503, std::nullopt, ""}},
    {"the namespace", "/api/v1/namespaces/shop", k8s::http_response{401, std::nullopt, ""}},
  };
  for (const auto& [name, part, reply] : table) {
    SCOPED_TRACE(name);
    exported here;
    here.world.sabotage = no_get(here.world, part, reply);
    here.delete_slices();
    here.world.settle();
    here.relist();
    here.world.pass(5min);
    EXPECT_EQ(here.deletes(), 0U);
    EXPECT_FALSE(here.world.board.ready());
    here.world.sabotage = {};
    EXPECT_TRUE(here.world.finish());
    EXPECT_EQ(here.deletes(), many);
  }
}

TEST(MassWithdrawal, ARightThatIsMissingHoldsNothingUp) {
  exported here;
  here.world.sabotage =
    no_get(here.world, "/", k8s::http_response{403, std::nullopt, status_body(403, "Forbidden", "no right")});
  here.delete_slices();
  here.world.settle();
  here.relist();
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.deletes(), many);
}

TEST(MassWithdrawal, ServiceExportsAreLookedForInBothVersions) {
  for (const bool has_alpha : {true, false}) {
    SCOPED_TRACE(has_alpha);
    exported here;
    here.world.sabotage =
      no_get(here.world, has_alpha ? "/v1beta1/namespaces/shop/serviceexports/" : "/serviceexports/", unserved());
    here.clusters.revoke("m1");
    here.world.settle();
    here.relist();
    here.world.pass(1min);
    EXPECT_EQ(here.deletes(), has_alpha ? many : 0U) << "what no version serves tells of no absence";
    EXPECT_EQ(here.world.board.ready(), has_alpha);
  }
}

TEST(MassWithdrawal, ServiceExportsThatEndWithTheirKindTakeNothing) {
  for (const bool kind_goes : {true, false}) {
    SCOPED_TRACE(kind_goes);
    exported here;
    constexpr auto ends = R"({"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"}})";
    if (kind_goes)
      here.clusters.members.at("m1").write(exported::definition(), ends);
    here.clusters.members.at("m1").write(k8s::object_path(k8s::service_exports, {"shop", "web"}), ends);
    here.world.settle();
    EXPECT_EQ(here.deletes(), 0U) << "too many at once";
    here.relist();
    here.world.pass(1min);
    EXPECT_EQ(here.deletes(), kind_goes ? 0U : many) << "one that a read shows as it ends confirms it";
  }
}

TEST(MassWithdrawal, AServiceExportThatDoesNotEndWhenItIsReadTakesNothing) {
  exported here;
  auto ends = k8s::decode_object<service_export>(
                *here.clusters.members.at("m1").find(k8s::object_path(k8s::service_exports, {"shop", "web"})))
                .value();
  ends.deleting = true;
  auto list = std::make_shared<watch_batch<service_export>>();
  list->events = {{watch_change::init, {}}, {watch_change::applied, ends}, {watch_change::init_done, {}}};
  for (int i = 0; i < 2; ++i) {
    tell_from_thread(here.world.dispatchers.at("m1"), consents_read{list});
    here.world.settle();
    here.world.list_exports("m1");
    here.world.list_slices("m1");
    here.world.pass(1s);
  }
  EXPECT_EQ(here.deletes(), 0U);
  EXPECT_NE(here.world.board.tell().lines.find("one by one"), std::string::npos) << here.world.board.tell().lines;
}

TEST(MassWithdrawal, AFewServiceExportsThatEndGoAtOnce) { // C16
  exported here;
  for (std::size_t i = 0; i < 20; ++i)
    here.clusters.put_slice("m1", "db-" + std::to_string(i), "10.0.0.4", "db");
  here.clusters.grant("m1", "db");
  EXPECT_TRUE(here.world.finish());
  here.world.take_calls();
  here.clusters.members.at("m1").write(k8s::object_path(k8s::service_exports, {"shop", "db"}),
                                       R"({"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"}})");
  here.world.settle();
  here.world.pass(1s);
  EXPECT_EQ(here.deletes(), 20U);
}

TEST(MassWithdrawal, AnswersOfAnEarlierCheckTellNothing) {
  exported here;
  const auto definitions = [&here] {
    return std::ranges::count_if(here.world.requests,
                                 [](const auto& asked) { return asked.target == exported::definition(); });
  };
  const auto before = definitions();
  here.world.shut("m1");
  here.list_nothing();
  here.world.list_slices("m1"); // all are there, after all
  here.world.settle();
  ASSERT_TRUE(here.world.board.ready());
  here.list_nothing(); // and gone again
  ASSERT_FALSE(here.world.board.ready());
  here.world.sabotage = [&](std::size_t) {
    return definitions() > before + 1 && here.world.requests.back().target == exported::definition()
             ? std::optional(fault{false, k8s::http_response{503, std::nullopt, ""}})
             : std::nullopt;
  };
  here.delete_slices();
  here.world.open("m1");
  here.world.settle();
  here.relist();
  here.world.pass(10s);
  EXPECT_EQ(here.deletes(), 0U) << "only the first check knows of the kind";
  here.world.sabotage = {};
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.deletes(), many);
}

TEST(MassWithdrawal, HealsSoonAfterServiceExportsAreListedAgain) {
  for (const bool returns : {true, false}) {
    SCOPED_TRACE(returns);
    exported here;
    auto& member = here.clusters.members.at("m1");
    member.remove(exported::definition());
    here.clusters.revoke("m1");
    here.world.settle();
    here.world.pass(1s); // and no list comes: the kind isn't served
    const auto before = here.world.relists;
    EXPECT_NE(here.world.board.tell().lines.find("the CRD of ServiceExports is missing"), std::string::npos)
      << here.world.board.tell().lines;
    here.world.pass(2min);
    member.write(exported::definition(), R"({"metadata":{"name":"serviceexports.networking.fleet.azure.com"}})");
    here.world.list_consents("m1"); // empty: they went with their kind
    here.world.pass(50s);
    EXPECT_EQ(here.deletes(), 0U) << "they may come back";
    EXPECT_EQ(here.world.relists, before);
    if (returns)
      here.clusters.grant("m1");
    here.world.pass(20s);
    EXPECT_EQ(here.world.board.ready(), returns);
    EXPECT_EQ(here.world.relists, before + (returns ? 0 : 1)) << "checked again, and not after 5 min";
    here.relist();
    here.world.pass(5s);
    EXPECT_EQ(here.deletes(), returns ? 0U : many);
    EXPECT_TRUE(here.world.board.ready());
  }
}

TEST(MassWithdrawal, EachReadIsCounted) {
  exported here;
  here.clusters.put_export("m1", "orphan", "orphan", "uid-orphan");
  here.delete_slices();
  here.world.settle();
  here.relist();
  EXPECT_TRUE(here.world.finish());
  std::size_t reads = 0;
  for (const auto& asked : here.world.requests) {
    reads += asked.method == k8s::http_method::get ? 1 : 0;
    EXPECT_TRUE(asked.method != k8s::http_method::get || asked.counted) << asked.target;
  }
  EXPECT_GE(reads, 11U) << "kind, namespace, leftover, sample";
}

} // namespace
} // namespace sliceferry
