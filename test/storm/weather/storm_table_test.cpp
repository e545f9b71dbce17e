#include "test/storm/weather/storm_table.hpp"

#include "test/storm/weather/small_server.hpp"
#include "test/storm/weather/storm_plan.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

namespace sliceferry::storm {
namespace {

/// A request and the object that it concerns, before and after; null where it isn't there.
struct change {
  user_request asked;
  std::string path;
  json::value sent;
  json::value before;
  json::value after;
};

json::value value_of(const small_server& server, const std::string& path) {
  const auto* found = server.find(path);
  return found == nullptr ? json::value{} : json::value(*found);
}

std::vector<change> run(const std::vector<std::string>& storms, int requests) {
  storm_plan plan{{.seed = 11, .members = {"alpha", "beta"}, .slices = 150, .storms = storms}};
  small_server server;
  plan.setup([&](const user_request& asked) { server.apply(asked); });
  std::vector<change> out;
  for (int i = 0; i < requests; ++i) {
    change made;
    made.asked = plan.next();
    made.path = small_server::object_path(made.asked);
    made.sent = made.asked.body.empty() ? json::value{} : json::parse(made.asked.body);
    made.before = value_of(server, made.path);
    EXPECT_EQ(server.apply(made.asked), "");
    made.after = value_of(server, made.path);
    out.push_back(std::move(made));
  }
  return out;
}

using check = std::function<bool(const change&)>;

check meddles(export_deed what) {
  return [what](const change& x) { return x.asked.upon && x.asked.upon->what == what; };
}

bool is_on_hub(const change& x) {
  return x.asked.cluster == "hub";
}

const json::value* at(const json::value& object, const std::vector<std::string>& path) {
  const json::value* here = &object;
  for (const auto& key : path) {
    if (!here->is_object() || !here->as_object().contains(key))
      return nullptr;
    here = &here->as_object().at(key);
  }
  return here;
}

std::size_t endpoints_of(const json::value& object) {
  const auto* found = at(object, {"endpoints"});
  return found == nullptr ? 0 : found->as_array().size();
}

std::size_t ready_of(const json::value& object) {
  const auto* found = at(object, {"endpoints"});
  std::size_t out = 0;
  if (found != nullptr)
    for (const auto& each : found->as_array())
      out += each.at("conditions").at("ready").as_bool() ? 1U : 0U;
  return out;
}

bool is_slice(const change& x) {
  return small_server::is_slice(x.path);
}

bool is_consent(const change& x) {
  return small_server::is_consent(x.path);
}

check method(std::string name, bool (*of)(const change&)) {
  return [name = std::move(name), of](const change& x) { return x.asked.method == name && of(x); };
}

const std::string fleet_key = "networking.fleet.azure.com/";

check wrote_annotation(std::string key, std::function<bool(const json::value&)> matches) {
  return [key = std::move(key), matches = std::move(matches)](const change& x) {
    const auto* value = at(x.sent, {"metadata", "annotations", fleet_key + key});
    return x.asked.method == "PATCH" && value != nullptr && matches(*value);
  };
}

bool is_text(const json::value& value) {
  return value.is_string() && !value.as_string().empty();
}

check text(std::string wanted) {
  return wrote_annotation("fleet-unique-name", [wanted = std::move(wanted)](const json::value& x) {
    return x.is_string() && std::string{x.as_string()}.starts_with(wanted);
  });
}

bool wipes(const change& x) {
  for (const auto* key : {"fleet-unique-name", "last-seen-generation", "last-seen-timestamp"}) {
    const auto* value = at(x.sent, {"metadata", "annotations", fleet_key + key});
    if (value == nullptr || !value->is_null())
      return false;
  }
  return endpoints_of(x.after) == 0 && endpoints_of(x.before) > 0;
}

check verdict_is(std::string valid, std::string conflict) {
  return [=](const change& x) {
    const auto* conditions = at(x.sent, {"status", "conditions"});
    return conditions != nullptr && conditions->as_array().at(0).at("status") == json::string_view{valid} &&
           conditions->as_array().at(1).at("status") == json::string_view{conflict};
  };
}

check label_becomes(std::string key, std::function<bool(const json::value&)> matches) {
  return [key = std::move(key), matches = std::move(matches)](const change& x) {
    const auto* value = at(x.sent, {"metadata", "labels", key});
    return x.asked.method == "PATCH" && value != nullptr && matches(*value);
  };
}

bool is_ipv6(const change& x) {
  const auto* type = at(x.after.is_null() ? x.before : x.after, {"addressType"});
  return type != nullptr && *type == "IPv6";
}

bool is_portless(const change& x) {
  return x.asked.method == "POST" && is_slice(x) && at(x.after, {"ports"}) == nullptr;
}

check flips_readiness(bool up) {
  return [up](const change& x) {
    return x.asked.method == "PATCH" && is_slice(x) &&
           (up ? ready_of(x.after) > ready_of(x.before) : ready_of(x.after) < ready_of(x.before));
  };
}

const std::string service_label = "kubernetes.io/service-name";
const std::string manager_label = "endpointslice.kubernetes.io/managed-by";

struct promise {
  std::string storm;
  std::string what;
  check holds;
  std::size_t at_least = 3; ///< of 1,500 requests
};

bool is_null(const json::value& value) {
  return value.is_null();
}

bool is_importer(const json::value& value) {
  return value == "endpointsliceimport-controller.networking.fleet.azure.com";
}

const std::vector<promise> promises{
  {"rolling", "pods become unready", flips_readiness(false), 250},
  {"rolling", "pods become ready", flips_readiness(true), 250},
  {"rolling", "slices are repacked",
   [](const change& x) { return endpoints_of(x.after) + 1 < endpoints_of(x.before); }},
  {"rolling", "ports change", [](const change& x) { return at(x.sent, {"ports"}) != nullptr; }},
  {"scaling", "slices are emptied and annotations wiped", wipes, 500},
  {"scaling", "slices are filled",
   [](const change& x) { return endpoints_of(x.before) == 0 && endpoints_of(x.after) > 0; }, 500},
  {"node_loss", "endpoints become unready", flips_readiness(false), 500},
  {"node_loss", "endpoints become ready", flips_readiness(true), 500},
  {"recreation", "slices are deleted", method("DELETE", is_slice), 500},
  {"recreation", "slices are created", method("POST", is_slice), 500},
  {"namespaces", "namespaces are deleted",
   [](const change& x) { return x.asked.method == "DELETE" && small_server::is_nspace(x.path); }, 3},
  {"namespaces", "namespaces are finalized", [](const change& x) { return x.asked.method == "PUT"; }, 3},
  {"namespaces", "namespaces are created",
   [](const change& x) { return x.asked.method == "POST" && small_server::is_nspace(x.path); }, 3},
  {"namespaces", "slices are deleted", method("DELETE", is_slice), 50},
  {"namespaces", "consents are created", method("POST", is_consent), 25},
  {"flapping", "valid", verdict_is("True", "False"), 250},
  {"flapping", "invalid", verdict_is("False", "Unknown"), 25},
  {"flapping", "conflicted", verdict_is("True", "True"), 25},
  {"flapping", "not known", verdict_is("Unknown", "False"), 10},
  {"flapping", "judged on another generation", verdict_is("False", "False"), 10},
  {"flapping", "deleted", method("DELETE", is_consent), 50},
  {"flapping", "created", method("POST", is_consent), 50},
  {"flapping", "held by a finalizer",
   [](const change& x) { return x.asked.method == "PATCH" && is_consent(x) && x.after.is_null(); }, 10},
  {"labels", "another service", label_becomes(service_label, is_text), 500},
  {"labels", "a service that nobody exports",
   label_becomes(service_label, [](const json::value& x) { return x == "stranger"; }), 50},
  {"labels", "none", label_becomes(service_label, is_null), 50},
  {"families", "IPv6 created", [](const change& x) { return x.asked.method == "POST" && is_ipv6(x); }, 50},
  {"families", "IPv6 deleted", [](const change& x) { return x.asked.method == "DELETE" && is_ipv6(x); }, 50},
  {"families", "headless created", is_portless, 50},
  {"tampering", "invalid name", text("Not A Name!"), 25},
  {"tampering", "valid name", text("tampered-"), 25},
  {"tampering", "foreign name", text("stranger-"), 25},
  {"tampering", "empty name", wrote_annotation("fleet-unique-name", [](const auto& x) { return x == ""; }), 25},
  {"tampering", "no name", wrote_annotation("fleet-unique-name", is_null), 25},
  {"tampering", "generation", wrote_annotation("last-seen-generation", is_text), 25},
  {"tampering", "no generation", wrote_annotation("last-seen-generation", is_null), 25},
  {"tampering", "timestamp", wrote_annotation("last-seen-timestamp", is_text), 25},
  {"tampering", "timestamp of the future",
   wrote_annotation("last-seen-timestamp",
                    [](const auto& x) { return x.is_string() && std::string{x.as_string()}.starts_with("2199"); })},
  {"tampering", "no timestamp", wrote_annotation("last-seen-timestamp", is_null), 25},
  {"imports", "in the importer's namespace",
   [](const change& x) { return is_slice(x) && x.path.find("/fleet-system/") != x.path.npos; }, 250},
  {"imports", "managed by the importer",
   [](const change& x) {
     return x.asked.method == "POST" && x.asked.body.find("endpointsliceimport-controller") != x.asked.body.npos;
   },
   50},
  {"imports", "a slice that looks imported", label_becomes(manager_label, is_importer), 25},
  {"imports", "and no longer",
   label_becomes(manager_label, [](const json::value& x) { return x == "endpointslice-controller.k8s.io"; }), 25},
  {"metadata", "nothing but the trigger time",
   [](const change& x) {
     return x.sent.as_object().size() == 1 && x.asked.body.find("trigger-time") != x.asked.body.npos;
   },
   1500},
  {"hub_tampering", "exports edited", meddles(export_deed::edit_endpoints)},
  {"hub_tampering", "exports taken for another cluster's", meddles(export_deed::edit_cluster)},
  {"hub_tampering", "exports deleted", meddles(export_deed::remove)},
  {"hub_tampering", "exports replaced", meddles(export_deed::replace)},
  {"hub_tampering", "exports held", meddles(export_deed::hold)},
  {"hub_tampering", "exports doubled", meddles(export_deed::duplicate)},
  {"hub_tampering", "exports of no slice", meddles(export_deed::orphan)},
  {"hub_tampering", "exports of others", meddles(export_deed::plant)},
  {"rival", "exports edited", [](const change& x) { return x.asked.upon && x.asked.upon->what == export_deed::revert; },
   1'000},
  {"rival", "exports deleted", meddles(export_deed::snatch), 300},
  {"hub_namespaces", "namespaces of the hub are finalized after a while",
   [](const change& x) { return x.asked.method == "PUT" && x.asked.pause.count() > 0; }, 1},
  {"hub_namespaces", "and made again", [](const change& x) { return x.asked.method == "POST" && is_on_hub(x); }, 1},
  {"restless", "one slice", [](const change& x) { return x.path.find("/restless/") != x.path.npos; }, 1500},
};

TEST(StormTable, EachStormDoesWhatItPromises) {
  std::map<std::string, std::vector<change>> runs;
  for (const auto& each : promises) {
    auto& made = runs[each.storm];
    if (made.empty())
      made = run({each.storm}, 1'500);
    const auto kept = std::count_if(made.begin(), made.end(), each.holds);
    EXPECT_GE(static_cast<std::size_t>(kept), each.at_least) << each.storm << ": " << each.what;
  }
  EXPECT_EQ(runs.size(), storms().size()) << "a storm has no promise here";
}

TEST(StormTable, OnlyTamperingAndScalingTouchOurAnnotationsOfSlicesThatAreThere) {
  for (const auto& each : storms()) {
    if (each.name == "tampering" || each.name == "scaling")
      continue;
    for (const auto& made : run({std::string{each.name}}, 200))
      ASSERT_TRUE(made.asked.method != "PATCH" || made.asked.body.find(fleet_key + "fleet-") == std::string::npos)
        << made.asked.body;
  }
}

TEST(StormTable, ARecreatedSliceSometimesBearsTheNameThatAUserGaveIt) {
  std::size_t named = 0;
  for (const auto& made : run({"tampering", "recreation"}, 1'500))
    named += made.asked.method == "POST" && made.asked.body.find("fleet-unique-name") != std::string::npos ? 1U : 0U;
  EXPECT_GT(named, 3U);
}

TEST(StormTable, ANameUnderWhichASliceComesBackMayHaveAnotherFamily) {
  std::map<std::string, std::set<std::string>> types;
  for (const auto& made : run({"families"}, 1'000))
    if (made.asked.method == "POST")
      types[made.path].insert(std::string{made.sent.at("addressType").as_string()});
  EXPECT_TRUE(std::any_of(types.begin(), types.end(), [](const auto& x) { return x.second.size() > 1; }));
}

/// Each storm of this run leaves a trace that no other of them leaves.
TEST(StormTable, WeightsDecideTheMix) {
  std::map<std::string, double> seen;
  constexpr int requests = 4'000;
  for (const auto& made : run({"metadata", "tampering", "restless", "labels"}, requests)) {
    const bool is_label = at(made.sent, {"metadata", "labels"}) != nullptr;
    const bool is_tampered = made.asked.body.find(fleet_key) != std::string::npos;
    const bool is_restless = made.path.find("/restless/") != std::string::npos;
    ++seen[is_label ? "labels" : is_tampered ? "tampering" : is_restless ? "restless" : "metadata"];
  }
  double weights = 0;
  for (const auto& [name, count] : seen)
    weights += find_storm(name)->weight;
  for (const auto& [name, count] : seen)
    EXPECT_NEAR(count / requests, find_storm(name)->weight / weights, 0.03) << name;
}

TEST(StormTable, TheFleetDoesNotErode) {
  const auto count = [](const small_server& server) {
    std::size_t out = 0;
    for (const auto& [path, object] : server.objects())
      out += small_server::is_slice(path) && endpoints_of(object) > 0 ? 1U : 0U;
    return out;
  };
  storm_plan plan{{.seed = 5, .members = {"alpha", "beta"}, .slices = 100, .storms = {"everything"}}};
  small_server server;
  plan.setup([&](const user_request& asked) { server.apply(asked); });
  const auto before = count(server);
  for (int i = 0; i < 8'000; ++i)
    server.apply(plan.next());
  EXPECT_GT(count(server), before * 7 / 10);
}

TEST(StormTable, NamesAndSentencesAreThere) {
  std::set<std::string> seen;
  for (const auto& each : storm_names()) {
    EXPECT_TRUE(seen.insert(each).second) << each;
    EXPECT_TRUE(describe_storm(each).ends_with('.')) << each;
  }
  EXPECT_EQ(storm_names().back(), "everything");
  EXPECT_EQ(seen.size(), storms().size() + 1);
  EXPECT_EQ(describe_storm("no such storm"), "");
}

} // namespace
} // namespace sliceferry::storm
