#include "test/storm/oracle/toy_program.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sliceferry::storm {
namespace {

using namespace std::chrono_literals;

std::set<std::string> rules_of(const toy_world& world) {
  std::set<std::string> out;
  for (const auto& [rule, count] : world.judge.counts())
    out.insert(rule);
  return out;
}

struct write {
  const char* name;
  toy_world::place where;
  toy_world::edit how;
  std::set<std::string> rules;
  const char* verb = "patch";
};

toy_world::edit put(const std::string& where, const std::string& key, boost::json::value value) {
  return [=](toy_object& any) {
    auto& into = where.empty() ? any : any[where].is_object() ? any[where].get_object() : any[where].emplace_object();
    into[key] = value;
  };
}

void expect(const std::vector<write>& writes) {
  for (const auto& each : writes) {
    SCOPED_TRACE(each.name);
    for (const bool by_program : {true, false}) {
      toy_world world;
      export_one(world);
      world.change("x", export_place("n1"), put("metadata", "finalizers", boost::json::array{"x/y"}));
      world.create("admin", export_place("foreign"),
                   toy_object{{"spec", make_toy_spec(*world.find(slice_place("a")), "m9")}});
      world.create("admin", {"hub", "configmaps", "fleet-member-m1", "c"}, {});
      world.create("admin", {"m1", "configmaps", "shop", "c"}, {});
      world.create("admin", {"hub", "endpointsliceexports", "elsewhere", "e"}, {});
      world.pass(10s);
      world.change(by_program ? program : "admin", each.where, each.how, each.verb);
      EXPECT_EQ(rules_of(world), by_program ? each.rules : std::set<std::string>{});
    }
  }
}

TEST(Reach, OfTheProgramOnAMember) {
  const std::set<std::string> touched{"member touched"};
  const auto annotation = [](const std::string& key, const char* value) {
    return [=](toy_object& any) { annotations_of(any)[key] = value; };
  };
  const auto a = slice_place("a");
  expect({
    {"our annotation", a, annotation(toy_name, "n5"), {}},
    {"an annotation of ours goes", a, [](toy_object& any) { annotations_of(any).erase(toy_generation); }, {}},
    {"another annotation", a, annotation("x", "y"), touched},
    {"a label", a, [](toy_object& any) { metadata_of(any)["labels"].get_object()["x"] = "y"; }, touched},
    {"a finalizer", a, put("metadata", "finalizers", boost::json::array{"x/y"}), touched},
    {"an endpoint", a, [](toy_object& any) { any["endpoints"].get_array().pop_back(); }, touched},
    {"the order of endpoints", a,
     [](toy_object& any) { std::swap(any["endpoints"].get_array()[0], any["endpoints"].get_array()[1]); }, touched},
    {"ports", a, put("", "ports", nullptr), touched},
    {"by an update", a, annotation(toy_name, "n5"), touched, "update"},
    {"a ServiceExport", consent_place("web"), put("metadata", "annotations", toy_object{{"x", "y"}}), touched},
    {"another kind", {"m1", "configmaps", "shop", "c"}, put("", "data", 1), touched},
  });
}

TEST(Reach, OfTheProgramOnTheHub) {
  const std::set<std::string> touched{"export touched"};
  const auto n1 = export_place("n1");
  expect({
    {"the spec", n1, put("spec", "ports", boost::json::array{}), {}},
    {"by an update", n1, put("spec", "ports", boost::json::array{}), {}, "update"},
    {"labels", n1, put("metadata", "labels", toy_object{{"x", "y"}}), touched},
    {"annotations", n1, put("metadata", "annotations", toy_object{{"x", "y"}}), touched},
    {"owners", n1, put("metadata", "ownerReferences", boost::json::array{toy_object{{"x", "y"}}}), touched},
    {"another finalizer", n1, put("metadata", "finalizers", boost::json::array{"x/y", "z/z"}), touched},
    {"no finalizer", n1, [](toy_object& any) { metadata_of(any).erase("finalizers"); }, touched, "update"},
    {"the status", n1, put("", "status", toy_object{{"x", "y"}}), touched},
    {"a foreign export", export_place("foreign"), put("spec", "ports", nullptr), {"foreign"}},
    {"an export of no member",
     {"hub", "endpointsliceexports", "elsewhere", "e"},
     put("spec", "ports", nullptr),
     {"foreign"}},
    {"another kind", {"hub", "configmaps", "fleet-member-m1", "c"}, put("", "data", 1), {"foreign"}},
  });
}

TEST(Reach, OfWhatTheProgramCreatesAndDeletes) {
  const auto created = [](const toy_world::edit& how) {
    toy_world world;
    export_one(world);
    annotate(world, "a", "n2");
    toy_object body{{"metadata", toy_object{}}, {"spec", make_toy_spec(*world.find(slice_place("a")))}};
    how(body);
    world.create(program, export_place("n2"), body);
    return rules_of(world);
  };
  using rules = std::set<std::string>;
  EXPECT_EQ(created([](auto&) {}), rules{});
  EXPECT_EQ(created(put("metadata", "labels", toy_object{{"x", "y"}})), rules{"export touched"});
  EXPECT_EQ(created([](toy_object& any) {
              any["spec"].get_object()["endpointSliceReference"].get_object()["clusterId"] = "m2";
            }),
            rules{"foreign"});
  toy_world world;
  export_one(world);
  world.create("admin", export_place("foreign"),
               toy_object{{"spec", make_toy_spec(*world.find(slice_place("a")), "m9")}});
  world.remove(program, slice_place("a"));
  EXPECT_EQ(rules_of(world), rules{"member touched"});
  world.remove(program, export_place("foreign"));
  EXPECT_EQ(rules_of(world), (rules{"foreign", "member touched"}));
  world.create(program, slice_place("b"), make_toy_slice("web"));
  EXPECT_EQ(world.judge.counts().at("member touched"), 2U);
}

TEST(Reach, AnExportOfOursStaysOursWhateverIsWrittenIntoIt) {
  toy_world world;
  export_one(world);
  world.change("admin", export_place("n1"), [](toy_object& any) {
    any["spec"].get_object()["endpointSliceReference"].get_object()["clusterId"] = "m9";
  });
  patch_export(world, "a", "n1");
  EXPECT_EQ(rules_of(world), std::set<std::string>{});
}

TEST(Reach, TheNameGoesBeforeTheHub) {
  const auto lost = [](std::chrono::milliseconds ago) {
    toy_world world;
    export_one(world);
    world.change("kube", slice_place("a"), [](toy_object& any) { metadata_of(any).erase("annotations"); });
    move_endpoint(world, "a", "10.0.0.9");
    world.pass(ago);
    patch_export(world, "a", "n1");
    return rules_of(world);
  };
  EXPECT_EQ(lost(1999ms), std::set<std::string>{});
  EXPECT_EQ(lost(2000ms), std::set<std::string>{"hub before name"});
  toy_world world;
  set_consent(world, "web", true);
  world.create("kube", slice_place("a"), make_toy_slice("web"));
  create_export(world, "a", "n1");
  EXPECT_EQ(world.judge.counts().at("hub before name"), 1U);
  auto spec = make_toy_spec(*world.find(slice_place("a")));
  spec["endpointSliceReference"].get_object()["uid"] = "nobody's";
  world.create(program, export_place("n2"), toy_object{{"spec", spec}});
  EXPECT_EQ(world.judge.counts().at("hub before name"), 2U);
}

TEST(Reach, TheTimeOfAGenerationStays) {
  const auto later = "2027-01-15T08:00:09Z";
  const auto moved = [&](const std::function<void(toy_world&)>& before, oracle_options options = toy_world::options()) {
    toy_world world{std::move(options)};
    export_one(world);
    before(world);
    annotate(world, "a", "n1", later);
    return rules_of(world);
  };
  const auto set = [](const std::string& key, const char* value, std::chrono::milliseconds ago) {
    return [=](toy_world& world) {
      world.change("admin", slice_place("a"), [&](toy_object& any) { annotations_of(any)[key] = value; });
      world.pass(ago);
    };
  };
  using rules = std::set<std::string>;
  EXPECT_EQ(moved([](auto&) {}), rules{"since moved"});
  EXPECT_EQ(moved([](auto& world) { move_endpoint(world, "a", "10.0.0.9"), world.pass(1min); }), rules{});
  EXPECT_EQ(moved(set(toy_timestamp, "yesterday", 1min)), rules{});
  EXPECT_EQ(moved(set(toy_timestamp, "2033-01-01T00:00:00Z", 1min)), rules{});
  EXPECT_EQ(moved(set(toy_generation, "77", 1min)), rules{});
  EXPECT_EQ(moved(set("x", "y", 1999ms)), rules{});
  EXPECT_EQ(moved(set("x", "y", 2000ms)), rules{"since moved"});
  auto options = toy_world::options();
  options.clock_steps = true;
  EXPECT_EQ(moved([](auto&) {}, options), rules{});
}

} // namespace
} // namespace sliceferry::storm
