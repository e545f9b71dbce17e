#include "test/storm/simulation/oracle.hpp"

#include "messages/rfc3339.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace sliceferry::storm {
namespace {

const object_key slice_key{"shop", "s0"};
const object_key export_key{our_nspace, "n"};

/// Both clusters right, with one slice exported; the rows break them.
struct world {
  clusters all;
  endpoint_slice slice;
  service_export consent;
  slice_export exported;

  world() {
    slice.key = slice_key;
    slice.uid = "u1";
    slice.generation = 2;
    slice.address_type = "IPv4";
    slice.service = "web";
    slice.ready = {{{"10.0.0.1"}}};
    slice.ours = {"n", "2", "2026-11-30T12:00:00Z"};
    consent.key = {"shop", "web"};
    consent.generation = 1;
    consent.valid = condition{condition::status::yes, 1};
    consent.conflict = condition{condition::status::no, 1};
    exported.key = export_key;
    exported.uid = "h1";
    auto& spec = exported.spec;
    spec.endpoints = slice.ready;
    spec.reference = {our_cluster,
                      "discovery.k8s.io/v1",
                      "EndpointSlice",
                      slice_key,
                      "shop/s0",
                      "u1",
                      "7",
                      2,
                      parse_rfc3339("2026-11-30T12:00:00Z")};
    spec.owner = {{"shop", "web"}, "shop/web"};
  }

  std::string judge() {
    all.put(slice);
    all.put(consent);
    all.put(exported);
    return difference(all);
  }
};

TEST(SimulationOracle, SeesWhatIsWrong) {
  const struct {
    const char* name;
    std::function<void(world&)> change;
    const char* says; ///< part of the answer; empty: nothing is wrong
  } table[] = {
    {"all right", [](world&) {}, ""},
    {"ports null and empty are alike", [](world& w) { w.exported.spec.ports.emplace(); }, ""},
    {"reference.resourceVersion is free", [](world& w) { w.exported.spec.reference.resource_version = "1"; }, ""},
    {"an empty kind is the usual one", [](world& w) { w.exported.spec.reference.kind.clear(); }, ""},
    {"old endpoints", [](world& w) { w.exported.spec.endpoints.clear(); }, "the export holds"},
    {"another time", [](world& w) { w.exported.spec.reference.exported_since.reset(); }, "the export holds"},
    {"another owner", [](world& w) { w.exported.spec.owner.service.name = "api"; }, "the export holds"},
    {"another name", [](world& w) { w.slice.ours.name = "m"; }, "carries the name m"},
    {"no name", [](world& w) { w.slice.ours.name.reset(); }, "carries the name (none)"},
    {"an old generation", [](world& w) { w.slice.ours.generation = "1"; }, "generation"},
    {"terminating", [](world& w) { w.exported.terminating = true; }, "terminating"},
    {"a leftover", [](world& w) { w.exported.spec.reference.uid = "u0"; }, "holds 0"},
    {"another cluster's", [](world& w) { w.exported.spec.reference.cluster = "m2"; }, "holds 0"},
    {"forbidden", [](world& w) { w.consent.valid->is = condition::status::no; }, "not to be exported"},
    {"conflicted", [](world& w) { w.consent.conflict->is = condition::status::yes; }, "not to be exported"},
    {"no verdict", [](world& w) { w.consent.conflict.reset(); }, "not to be exported"},
    {"deleting", [](world& w) { w.slice.deleting = true; }, "not to be exported"},
    {"not IPv4", [](world& w) { w.slice.address_type = "IPv6"; }, "not to be exported"},
    {"imported", [](world& w) { w.slice.managed_by = "endpointsliceimport-controller.networking.fleet.azure.com"; },
     "not to be exported"},
    {"no service", [](world& w) { w.slice.service.reset(); }, "not to be exported"},
  };
  for (const auto& [name, change, says] : table) {
    SCOPED_TRACE(name);
    world one;
    change(one);
    const auto told = one.judge();
    EXPECT_EQ(told.empty(), std::string{says}.empty()) << told;
    EXPECT_NE(told.find(says), std::string::npos) << told;
  }
}

TEST(SimulationOracle, WaitsForANewVerdict) {
  world one;
  one.consent.generation = 2;
  EXPECT_EQ(calls_for_export(one.slice, &one.consent), calling::unsure);
  one.consent.valid = condition{condition::status::no, 2};
  EXPECT_EQ(calls_for_export(one.slice, &one.consent), calling::no) << "one verdict that forbids is enough";
  EXPECT_EQ(calls_for_export(one.slice, nullptr), calling::no);
}

TEST(SimulationOracle, SeesTwoExportsOfOneSliceAndLeftovers) {
  world one;
  one.judge();
  auto second = one.exported;
  second.key.name = "m";
  one.all.put(second);
  EXPECT_NE(difference(one.all).find("holds 2"), std::string::npos);
  one.all.remove_slice(slice_key);
  EXPECT_NE(difference(one.all).find("a leftover of slice u1"), std::string::npos);
}

} // namespace
} // namespace sliceferry::storm
