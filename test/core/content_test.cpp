#include "actors/core/desired_export.hpp"
#include "actors/core/equivalent.hpp"
#include "actors/core/project.hpp"
#include "test/core/picture.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace sliceferry::core {
namespace {

TEST(Project, TakesWhatTheRulesName) {
  // C42, C43 (the decoder has dropped what isn't ready), C44, D23
  auto slice = picture{}.slice;
  slice.ready = {endpoint{{"10.0.0.2", "10.0.0.1"}}, endpoint{{"10.0.0.2"}}};
  const auto spec = project(m1, slice, morning);
  EXPECT_EQ(spec.address_type, "IPv4");
  EXPECT_EQ(spec.endpoints, slice.ready) << "order kept, duplicates kept";
  EXPECT_EQ(spec.ports, slice.ports);
  EXPECT_EQ(spec.reference,
            (slice_reference{
              "m1", "discovery.k8s.io/v1", "EndpointSlice", {"shop", "web-a"}, "shop/web-a", "u1", "100", 3, morning}));
  EXPECT_EQ(spec.owner, (service_reference{{"shop", "web"}, "shop/web"}));
}

TEST(Project, KeepsPortsVerbatimAndExportsEmptyLists) {
  const port_list ports[] = {
    std::nullopt,                                                 // A12 null
    std::vector<port>{},                                          // A12 empty
    std::vector<port>{{}},                                        // A12 no number, no name
    std::vector<port>{{"a", "UDP", 53, "dns"}, {"b", {}, 1, {}}}, // A12 several, appProtocol
  };
  for (const auto& each : ports) {
    auto slice = picture{}.slice;
    slice.ports = each;
    EXPECT_EQ(project(m1, slice, morning).ports, each);
  }
  auto slice = picture{}.slice;
  slice.ready.clear(); // C45
  EXPECT_TRUE(project(m1, slice, morning).endpoints.empty());
}

TEST(Project, FallsBackToWhatStillServesOnlyIfAskedTo) {
  const std::vector<endpoint> one{{{"10.0.0.1"}}}, other{{{"10.0.0.2"}}}, none;
  struct row {
    const char* name;
    bool setting;
    std::vector<endpoint> ready, fallback, exported;
  };
  const row table[] = {
    {"D25 off", false, none, other, none},      {"D25 on", true, none, other, other},
    {"on, one is ready", true, one, none, one}, {"on, what is ready goes before", true, one, other, one},
    {"on, neither", true, none, none, none},
  };
  for (const auto& [name, setting, ready, fallback, exported] : table) {
    SCOPED_TRACE(name);
    auto identity = m1;
    identity.serving_fallback = setting;
    auto slice = picture{}.slice;
    slice.ready = ready;
    slice.fallback = fallback;
    EXPECT_EQ(project(identity, slice, morning).endpoints, exported);
  }
}

TEST(DesiredExport, FollowsTheFallback) {
  auto identity = m1;
  identity.serving_fallback = true;
  auto slice = picture{}.slice;
  slice.ready.clear();
  const auto empty = desire(identity, exported_as("n"), slice).digest;
  slice.fallback = {endpoint{{"10.0.0.1"}}};
  EXPECT_NE(desire(identity, exported_as("n"), slice).digest, empty);
  EXPECT_EQ(desire(m1, exported_as("n"), slice).digest, empty) << "off: as if it weren't there";
}

slice_export_spec sample() {
  return project(m1, picture{}.slice, morning);
}

struct comparison {
  const char* name;
  std::function<void(slice_export_spec&)> left;
  std::function<void(slice_export_spec&)> right;
  bool same;
};

void check(const std::vector<comparison>& table) {
  for (const auto& [name, left, right, same] : table) {
    SCOPED_TRACE(name);
    auto a = sample();
    auto b = sample();
    left(a);
    right(b);
    EXPECT_EQ(equivalent(a, b), same);
    EXPECT_EQ(equivalent(b, a), same);
    EXPECT_EQ(digest(a) == digest(b), same);
  }
}

TEST(Equivalent, ComparesTheNormalForm) {
  check({
    {"itself", [](auto&) {}, [](auto&) {}, true},
    {"D12 resourceVersion", [](auto&) {}, [](auto& s) { s.reference.resource_version = "9"; }, true},
    {"D23 empty kind", [](auto&) {}, [](auto& s) { s.reference.kind.clear(); }, true},
    {"D23 empty apiVersion", [](auto&) {}, [](auto& s) { s.reference.api_version.clear(); }, true},
    {"another kind", [](auto&) {}, [](auto& s) { s.reference.kind = "Pod"; }, false},
    {"another apiVersion", [](auto&) {}, [](auto& s) { s.reference.api_version = "v2"; }, false},
    {"A12 ports null and []", [](auto& s) { s.ports.reset(); }, [](auto& s) { s.ports.emplace(); }, true},
    {"ports null and one", [](auto& s) { s.ports.reset(); }, [](auto&) {}, false},
    {"absent protocol is TCP", [](auto&) {}, [](auto& s) { s.ports->at(0).protocol.reset(); }, true},
    {"UDP", [](auto&) {}, [](auto& s) { s.ports->at(0).protocol = "UDP"; }, false},
    {"absent port name is empty", [](auto& s) { s.ports->at(0).name = ""; },
     [](auto& s) { s.ports->at(0).name.reset(); }, true},
    {"port name", [](auto&) {}, [](auto& s) { s.ports->at(0).name = "x"; }, false},
    {"absent number is not 0", [](auto& s) { s.ports->at(0).number = 0; },
     [](auto& s) { s.ports->at(0).number.reset(); }, false},
    {"number", [](auto&) {}, [](auto& s) { s.ports->at(0).number = 81; }, false},
    {"appProtocol", [](auto&) {}, [](auto& s) { s.ports->at(0).app_protocol = "h2c"; }, false},
    {"empty appProtocol", [](auto&) {}, [](auto& s) { s.ports->at(0).app_protocol = ""; }, false},
    {"a second port", [](auto&) {}, [](auto& s) { s.ports->push_back({}); }, false},
  });
}

TEST(Equivalent, CountsEverythingElse) {
  check({
    {"generation", [](auto&) {}, [](auto& s) { s.reference.generation = 4; }, false},
    {"since", [](auto&) {}, [](auto& s) { s.reference.exported_since = noon; }, false},
    {"no since", [](auto&) {}, [](auto& s) { s.reference.exported_since.reset(); }, false},
    {"no since is not 1970", [](auto& s) { s.reference.exported_since = seconds_utc{}; },
     [](auto& s) { s.reference.exported_since.reset(); }, false},
    {"cluster", [](auto&) {}, [](auto& s) { s.reference.cluster = "m2"; }, false},
    {"uid", [](auto&) {}, [](auto& s) { s.reference.uid = "u2"; }, false},
    {"slice", [](auto&) {}, [](auto& s) { s.reference.slice.name = "x"; }, false},
    {"slice's namespace", [](auto&) {}, [](auto& s) { s.reference.slice.nspace = "x"; }, false},
    {"namespacedName", [](auto&) {}, [](auto& s) { s.reference.namespaced_name = "x"; }, false},
    {"owner", [](auto&) {}, [](auto& s) { s.owner.service.name = "x"; }, false},
    {"owner's namespace", [](auto&) {}, [](auto& s) { s.owner.service.nspace = "x"; }, false},
    {"owner's namespacedName", [](auto&) {}, [](auto& s) { s.owner.namespaced_name = "x"; }, false},
    {"address type", [](auto&) {}, [](auto& s) { s.address_type = "IPv6"; }, false},
    {"an address", [](auto&) {}, [](auto& s) { s.endpoints[0].addresses[0] = "10.0.0.9"; }, false},
    {"order of endpoints",
     [](auto& s) {
       s.endpoints = {{{"a"}}, {{"b"}}};
     },
     [](auto& s) {
       s.endpoints = {{{"b"}}, {{"a"}}};
     },
     false},
    {"grouping of addresses",
     [](auto& s) {
       s.endpoints = {{{"a", "b"}}};
     },
     [](auto& s) {
       s.endpoints = {{{"a"}}, {{"b"}}};
     },
     false},
  });
}

TEST(Equivalent, CountsTheResourceVersionOnRequest) {
  auto moved = sample();
  moved.reference.resource_version = "9";
  EXPECT_NE(digest(sample(), true), digest(moved, true));
  EXPECT_EQ(digest(sample()), digest(moved));
}

TEST(DesiredExport, AcceptsWhatTheServerMadeOfIt) {
  const picture shown;
  auto held = exported_as("n");
  const auto wanted = desire(m1, held, shown.slice).digest;
  auto object = shown.mirror("n", "h1");
  EXPECT_TRUE(holds(held, object, wanted));
  object.digest = 77;
  EXPECT_FALSE(holds(held, object, wanted));
  held = replay({export_applied{"n", "h1", wanted, 77}}, held); // a webhook pruned a field
  EXPECT_TRUE(holds(held, object, wanted));
  EXPECT_FALSE(holds(held, object, wanted + 1)) << "a new content is sent whatever became of the old one";
  object.digest = 78;
  EXPECT_FALSE(holds(held, object, wanted)) << "a third form is drift";
}

} // namespace
} // namespace sliceferry::core
