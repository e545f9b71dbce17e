#include "test/storm/oracle/toy_program.hpp"

#include <gtest/gtest.h>

namespace sliceferry::storm {
namespace {

using namespace std::chrono_literals;

/// The verdicts by history and by lists, which must agree.
std::size_t differences(const toy_world& world) {
  const auto listed = differences_of_lists(toy_world::options(), world.lists(), world.now);
  const auto seen = world.judge.differences();
  EXPECT_EQ(seen.empty(), world.judge.settled());
  EXPECT_EQ(seen.empty(), listed.empty()) << (seen.empty() ? listed : seen).front().story;
  return seen.size();
}

struct field {
  const char* name;
  toy_world::edit how;
  bool right = false;
};

toy_object& reference_of(toy_object& any) {
  return any["spec"].get_object()["endpointSliceReference"].get_object();
}

toy_world::edit reference(const std::string& key, boost::json::value value) {
  return [=](toy_object& any) { reference_of(any)[key] = value; };
}

toy_world::edit owner(const std::string& key, const std::string& value) {
  return [=](toy_object& any) { any["spec"].get_object()["ownerServiceReference"].get_object()[key] = value; };
}

toy_world::edit spec(const std::string& key, const std::string& value) {
  return [=](toy_object& any) { any["spec"].get_object()[key] = boost::json::parse(value); };
}

void expect_each(const std::vector<field>& fields, const toy_world::place& where) {
  for (const auto& each : fields) {
    SCOPED_TRACE(each.name);
    toy_world world;
    export_one(world);
    ASSERT_EQ(differences(world), 0U);
    world.change("admin", where, each.how);
    EXPECT_EQ(differences(world), each.right ? 0U : 1U);
  }
}

TEST(State, FindsEachWrongFieldOfAnExport) {
  expect_each(
    {
      {"address type", spec("addressType", R"("IPv6")")},
      {"endpoints null", spec("endpoints", "null")},
      {"endpoints empty", spec("endpoints", "[]")},
      {"one endpoint missing", spec("endpoints", R"([{"addresses":["10.0.0.1"]}])")},
      {"one that isn't ready",
       spec("endpoints", R"([{"addresses":["10.0.0.1"]},{"addresses":["10.0.0.2"]},{"addresses":["10.0.0.3"]}])")},
      {"order", spec("endpoints", R"([{"addresses":["10.0.0.2"]},{"addresses":["10.0.0.1"]}])")},
      {"joined", spec("endpoints", R"([{"addresses":["10.0.0.1","10.0.0.2"]}])")},
      {"an empty endpoint",
       spec("endpoints", R"([{"addresses":["10.0.0.1"]},{"addresses":["10.0.0.2"]},{"addresses":[]}])")},
      {"a node's name",
       spec("endpoints", R"([{"addresses":["10.0.0.1"],"nodeName":"n1"},{"addresses":["10.0.0.2"]}])")},
      {"no ports", spec("ports", "[]")},
      {"port's number", spec("ports", R"([{"name":"http","port":81,"protocol":"TCP"}])")},
      {"port's name", spec("ports", R"([{"name":"https","port":80,"protocol":"TCP"}])")},
      {"port's protocol", spec("ports", R"([{"name":"http","port":80,"protocol":"UDP"}])")},
      {"port's protocol absent", spec("ports", R"([{"name":"http","port":80}])"), true},
      {"port's application", spec("ports", R"([{"name":"http","port":80,"appProtocol":"h2c"}])")},
      {"apiVersion", reference("apiVersion", "")},
      {"kind", reference("kind", "Endpoints")},
      {"namespace", reference("namespace", "other")},
      {"name", reference("name", "other")},
      {"namespacedName", reference("namespacedName", "shop/other")},
      {"generation", reference("generation", 2)},
      {"exportedSince", reference("exportedSince", "2027-01-15T07:59:01Z")},
      {"exportedSince absent", reference("exportedSince", nullptr)},
      {"exportedSince with a fraction", reference("exportedSince", "2027-01-15T07:59:00.9Z"), true},
      {"exportedSince of another zone", reference("exportedSince", "2027-01-15T08:59:00+01:00"), true},
      {"older resourceVersion", reference("resourceVersion", "1"), true},
      {"newer resourceVersion", reference("resourceVersion", "9000")},
      {"odd resourceVersion", reference("resourceVersion", "x")},
      {"no resourceVersion", reference("resourceVersion", "")},
      {"owner's namespace", owner("namespace", "other")},
      {"owner's name", owner("name", "other")},
      {"owner's namespacedName", owner("namespacedName", "shop/other")},
      {"labels are others'",
       [](toy_object& any) {
         metadata_of(any)["labels"] = toy_object{{"x", "y"}};
       },
       true},
    },
    export_place("n1"));
}

TEST(State, FindsTheReferencesThatSayWhose) {
  toy_world world;
  export_one(world);
  world.change("admin", export_place("n1"), reference("uid", "nobody's"));
  EXPECT_EQ(differences(world), 2U) << "one left over, one missing";
  world.change("admin", export_place("n1"), reference("clusterId", "m9"));
  EXPECT_EQ(differences(world), 1U) << "one missing; the other is foreign now";
}

TEST(State, FindsEachWrongThingOfASlice) {
  const auto annotation = [](const std::string& key, const char* value) {
    return [=](toy_object& any) { annotations_of(any)[key] = value; };
  };
  expect_each(
    {
      {"another name", annotation(toy_name, "n2")},
      {"an invalid name", annotation(toy_name, "N1")},
      {"no annotations", [](toy_object& any) { metadata_of(any).erase("annotations"); }},
      {"last-seen generation", annotation(toy_generation, "7")},
      {"last-seen timestamp", annotation(toy_timestamp, "soon")},
      {"other last-seen timestamp", annotation(toy_timestamp, "2027-01-15T07:58:00Z")},
      {"another annotation", annotation("x", "y"), true},
      {"endpoints", [](toy_object& any) { any["endpoints"].get_array().clear(); }},
      {"ports", [](toy_object& any) { any["ports"] = nullptr; }},
      {"a label", [](toy_object& any) { metadata_of(any)["labels"].get_object()["x"] = "y"; }},
      {"IPv6", [](toy_object& any) { any["addressType"] = "IPv6"; }},
      {"no service", [](toy_object& any) { metadata_of(any)["labels"].get_object().clear(); }},
      {"another service",
       [](toy_object& any) { metadata_of(any)["labels"].get_object()["kubernetes.io/service-name"] = "x"; }},
      {"deleting",
       [](toy_object& any) {
         metadata_of(any)["deletionTimestamp"] = "2027-01-15T08:00:00Z";
         metadata_of(any)["finalizers"] = boost::json::array{"x/y"};
       }},
      {"imported",
       [](toy_object& any) {
         metadata_of(any)["labels"].get_object()["endpointslice.kubernetes.io/managed-by"] =
           "endpointsliceimport-controller.networking.fleet.azure.com";
       }},
    },
    slice_place("a"));
}

TEST(State, OfAnUnjudgedServiceExportListsDontTellWhetherItGrantedBefore) {
  toy_world world;
  export_one(world);
  world.change("admin", consent_place("web"), [](toy_object& any) { any.erase("status"); });
  EXPECT_EQ(world.judge.differences().size(), 1U) << "it did";
  EXPECT_TRUE(differences_of_lists(toy_world::options(), world.lists(), world.now).empty());

  world.remove("admin", consent_place("web"));
  EXPECT_EQ(differences(world), 1U);
  world.create("admin", consent_place("web"), {});
  EXPECT_EQ(differences(world), 0U) << "made anew, it may be judged yet";
}

TEST(State, FollowsTheConsent) {
  const auto conditions = [](const std::string& text) {
    return [text](toy_object& any) { any["status"] = toy_object{{"conditions", boost::json::parse(text)}}; };
  };
  expect_each(
    {
      {"Valid alone", conditions(R"([{"type":"Valid","status":"True"}])")},
      {"Conflict alone", conditions(R"([{"type":"Conflict","status":"False"}])")},
      {"invalid", conditions(R"([{"type":"Valid","status":"False"},{"type":"Conflict","status":"False"}])")},
      {"conflict", conditions(R"([{"type":"Valid","status":"True"},{"type":"Conflict","status":"True"}])")},
      {"unknown", conditions(R"([{"type":"Valid","status":"Unknown"},{"type":"Conflict","status":"False"}])")},
      {"of this generation",
       conditions(R"([{"type":"Valid","status":"True","observedGeneration":1},{"type":"Conflict","status":"False"}])"),
       true},
      {"of an older one, which forbids",
       conditions(R"([{"type":"Valid","status":"False","observedGeneration":0},{"type":"Conflict","status":"False"}])"),
       true},
      {"one forbids now",
       conditions(R"([{"type":"Valid","status":"True","observedGeneration":0},{"type":"Conflict","status":"True"}])")},
      {"deleting",
       [](toy_object& any) {
         metadata_of(any)["deletionTimestamp"] = "2027-01-15T08:00:00Z";
         metadata_of(any)["finalizers"] = boost::json::array{"x/y"};
       }},
    },
    consent_place("web"));
}

/// The verdict of an older generation leaves the consent as it was, if the program can have seen that.
TEST(State, KnowsWhatAnOutdatedVerdictLeaves) {
  const auto age = [](toy_world& world) {
    world.change("owner", consent_place("web"), [](toy_object& any) {
      any["spec"] = 1;
      for (auto& each : any["status"].get_object()["conditions"].get_array())
        each.get_object()["observedGeneration"] = 0;
    });
  };
  const auto missing = [&](std::chrono::milliseconds granted, bool restarts) {
    toy_world world;
    export_one(world, granted);
    age(world);
    if (restarts)
      world.judge.program_started(world.now);
    world.remove("admin", export_place("n1"));
    return !world.judge.settled();
  };
  EXPECT_TRUE(missing(10s, false)) << "it was granted, so it is";
  EXPECT_FALSE(missing(10s, true)) << "a new process can't know";
  EXPECT_FALSE(missing(1s, false)) << "it may have missed that it was granted";
  toy_world world;
  set_consent(world, "web", false);
  world.pass(10s);
  age(world);
  world.create("kube", slice_place("a"), make_toy_slice("web"));
  EXPECT_TRUE(world.judge.settled());
  annotate(world, "a", "n1");
  EXPECT_FALSE(world.judge.settled()) << "it was denied, so it is";
}

TEST(State, FindsWhatShouldNotStand) {
  toy_world world;
  export_one(world);
  annotate(world, "a", "n2");
  create_export(world, "a", "n2");
  EXPECT_EQ(differences(world), 1U) << "doubled";
  world.remove(program, export_place("n1"));
  EXPECT_EQ(differences(world), 0U);
  set_consent(world, "web", false);
  EXPECT_EQ(differences(world), 1U) << "left over";
  world.remove(program, export_place("n2"));
  EXPECT_EQ(differences(world), 1U) << "annotations";
  clear(world, "a");
  EXPECT_EQ(differences(world), 0U);
  set_consent(world, "web", true);
  EXPECT_EQ(differences(world), 1U) << "to be exported anew";
  world.remove("kube", slice_place("a"));
  EXPECT_EQ(differences(world), 0U);
}

TEST(State, CountsATerminatingExportAsAbsent) {
  toy_world world;
  export_one(world);
  world.change("x", export_place("n1"),
               [](toy_object& any) { metadata_of(any)["finalizers"] = boost::json::array{"x/y"}; });
  EXPECT_EQ(differences(world), 0U);
  world.remove("admin", export_place("n1"));
  EXPECT_EQ(differences(world), 1U);
  set_consent(world, "web", false);
  clear(world, "a");
  EXPECT_EQ(differences(world), 0U);
}

TEST(State, FindsAnnotationsThatTheProgramLeft) {
  const auto left_by = [](const std::string& user) {
    toy_world world;
    export_one(world);
    set_consent(world, "web", false);
    world.remove(program, export_place("n1"));
    world.change(user, slice_place("a"), [](toy_object& any) { annotations_of(any).erase(toy_name); });
    return !world.judge.settled();
  };
  EXPECT_TRUE(left_by(program));
  EXPECT_FALSE(left_by("admin")) << "without a name it counts as never exported: nothing is owed";
}

TEST(State, KeepsTheMembersApart) {
  toy_world world;
  export_one(world);
  world.create("fleet", consent_place("web", "m2"), make_toy_consent());
  world.create("kube", slice_place("a", "m2"), make_toy_slice("web"));
  EXPECT_EQ(differences(world), 1U);
  EXPECT_EQ(world.judge.differences().front().member, "m2");
  world.change(program, slice_place("a", "m2"), [](toy_object& any) {
    annotations_of(any) = {{toy_name, "n1"}, {toy_generation, "1"}, {toy_timestamp, "2027-01-15T07:59:00Z"}};
  });
  world.create(program, export_place("n1", "m2"), {{"spec", make_toy_spec(*world.find(slice_place("a", "m2")), "m2")}});
  EXPECT_EQ(differences(world), 0U);
}

TEST(State, SaysNothingOfAMemberThatLacksAKind) {
  toy_world world;
  export_one(world);
  world.mark("m1", "kind removed", "serviceexports");
  world.remove("system:storm", consent_place("web"));
  EXPECT_TRUE(world.judge.settled());
  world.mark("m1", "kind installed", "serviceexports");
  EXPECT_FALSE(world.judge.settled());
}

TEST(State, GrantsTheHubsWebhookThePortsOfWhatIsWrittenUnderIt) {
  const auto fault = [](toy_world& world, const char* mark) {
    history_entry entry;
    entry.seq = world.log.size() + 1;
    entry.at = world.now;
    entry.cluster = "hub";
    entry.verb = "mark";
    entry.mark = mark;
    entry.fault = "mutated_exports";
    world.judge.observe(entry);
  };
  const auto mutate = spec("ports", R"([{"name":"http","port":80,"protocol":"TCP","appProtocol":"x"}])");
  toy_world world;
  export_one(world);
  world.change("webhook", export_place("n1"), mutate);
  EXPECT_FALSE(world.judge.settled()) << "there is no webhook";
  fault(world, "fault_begun");
  patch_export(world, "a", "n1");
  world.change("webhook", export_place("n1"), mutate);
  fault(world, "fault_ended");
  EXPECT_TRUE(world.judge.settled()) << "the accepted form stays";
  auto options = toy_world::options();
  EXPECT_FALSE(differences_of_lists(options, world.lists(), world.now).empty());
  options.mutates_exports = true;
  EXPECT_TRUE(differences_of_lists(options, world.lists(), world.now).empty());
  world.change("admin", export_place("n1"), mutate);
  world.change("admin", export_place("n1"), spec("endpoints", "[]"));
  EXPECT_FALSE(world.judge.settled()) << "nothing but ports is granted";
}

} // namespace
} // namespace sliceferry::storm
