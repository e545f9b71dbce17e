#include "test/storm/oracle/toy_script.hpp"

namespace sliceferry::storm {
namespace {

using namespace std::chrono_literals;

const std::set<std::string> lost{"availability", "unwarranted delete"};

TEST(History, FindsLostExports) {
  expect({
    {"the program deletes what is called for", [](auto& world) { export_one(world), withdraw(world); }, lost},
    {"somebody else does", [](auto& world) { export_one(world), withdraw(world, "admin"); }, {}},
    {"nobody calls for it",
     [](auto& world) { export_one(world), set_consent(world, "web", false), world.pass(9s), withdraw(world); },
     {}},
    {"the slice is gone",
     [](auto& world) { export_one(world), world.remove("kube", slice_place("a")), withdraw(world); },
     {}},
    {"another stands in",
     [](auto& world) {
       export_one(world), annotate(world, "a", "n2"), create_export(world, "a", "n2"), withdraw(world);
     },
     {}},
    {"its reference is pointed elsewhere",
     [](auto& world) {
       export_one(world);
       world.create("kube", slice_place("b"), make_toy_slice("web"));
       annotate(world, "b", "n1");
       patch_export(world, "b", "n1");
     },
     {"availability"}},
    {"a finalizer holds it",
     [](auto& world) {
       export_one(world);
       world.change("hub-controller", export_place("n1"), [](toy_object& any) {
         metadata_of(any)["finalizers"] = boost::json::array{"networking.fleet.azure.com/endpointsliceexport-cleanup"};
       });
       withdraw(world);
     },
     lost},
  });
}

TEST(History, GrantsTheProgramTimeToLearn) {
  const auto called_anew = [](std::chrono::milliseconds since) {
    return [since](toy_world& world) {
      export_one(world);
      set_consent(world, "web", false);
      set_consent(world, "web", true);
      world.pass(since);
      withdraw(world);
    };
  };
  const auto moved = [](std::chrono::milliseconds since) {
    return [since](toy_world& world) {
      export_one(world);
      set_consent(world, "api", true);
      world.pass(10s);
      world.change("owner", slice_place("a"), [](toy_object& any) {
        metadata_of(any)["labels"].get_object()["kubernetes.io/service-name"] = "api";
      });
      set_consent(world, "web", false);
      world.pass(since);
      withdraw(world);
    };
  };
  const auto after_others = [](std::chrono::milliseconds since) {
    return [since](toy_world& world) {
      export_one(world);
      annotate(world, "a", "n2");
      create_export(world, "a", "n2");
      world.remove("admin", export_place("n2"));
      world.pass(since);
      withdraw(world);
    };
  };
  expect({
    {"it moved to another service a moment ago", moved(1999ms), {}},
    {"it moved to another service long ago", moved(2000ms), lost},
    {"called for since its beginning a moment ago", [](auto& world) { export_one(world, 1ms), withdraw(world); }, lost},
    {"nobody called for it a moment ago", called_anew(1999ms), {}},
    {"nobody called for it long ago", called_anew(2000ms), lost},
    {"the other was taken a moment ago", after_others(1999ms), {}},
    {"the other was taken long ago", after_others(2000ms), lost},
  });
}

TEST(History, CountsOnlyTimeThatTheProgramRan) {
  const auto paused = [](bool stopped, bool goes_on) {
    return [=](toy_world& world) {
      export_one(world);
      set_consent(world, "web", false);
      set_consent(world, "web", true);
      stopped ? world.judge.program_stopped(world.now) : world.judge.program_paused(world.now);
      world.pass(1min);
      stopped ? world.judge.program_started(world.now) : world.judge.program_continued(world.now);
      world.pass(goes_on ? 2000ms : 1999ms);
      withdraw(world);
    };
  };
  const auto server_down = [](bool goes_on) {
    return [=](toy_world& world) {
      export_one(world);
      set_consent(world, "web", false);
      set_consent(world, "web", true);
      world.mark("m2", "stopped");
      world.pass(1min);
      world.mark("m2", "started");
      world.pass(goes_on ? 2000ms : 1999ms);
      withdraw(world);
    };
  };
  expect({
    {"a server's down time doesn't count", server_down(false), {}},
    {"what follows it does", server_down(true), lost},
    {"a pause doesn't count", paused(false, false), {}},
    {"what follows it does", paused(false, true), lost},
    {"a stop doesn't count", paused(true, false), {}},
    {"what follows the start does", paused(true, true), lost},
  });
}

/// A hundred slices are exported, then consents go with their kind and the program withdraws so many.
void withdraw_under_a_removed_kind(toy_world& world, int withdrawn) {
  set_consent(world, "web", true);
  for (int i = 0; i < 100; ++i) {
    const auto name = std::to_string(i);
    world.create("kube", slice_place("a" + name), make_toy_slice("web"));
    annotate(world, "a" + name, "n" + name);
    create_export(world, "a" + name, "n" + name);
  }
  world.pass(10s);
  world.mark("m1", "kind_removed", "serviceexports");
  world.remove("system:crd-cleanup", consent_place("web"));
  for (int i = 0; i < withdrawn; ++i)
    world.remove(program, export_place("n" + std::to_string(i)));
}

TEST(History, FindsThatARemovedKindCostsMostExports) {
  expect({
    {"a few", [](auto& world) { withdraw_under_a_removed_kind(world, 50); }, {}},
    {"most", [](auto& world) { withdraw_under_a_removed_kind(world, 51); }, {"mass withdrawal"}},
    {"in two removals",
     [](auto& world) {
       withdraw_under_a_removed_kind(world, 30);
       world.mark("m1", "kind_installed", "serviceexports");
       set_consent(world, "web", true), world.pass(10s);
       world.mark("m1", "kind_removed", "serviceexports");
       for (int i = 30; i < 70; ++i)
         world.remove(program, export_place("n" + std::to_string(i)));
     },
     {}},
  });
}

TEST(History, FindsOlderGenerations) {
  const auto back = [](const char* restored, std::chrono::milliseconds later) {
    return [=](toy_world& world) {
      export_one(world);
      const auto old = *world.find(export_place("n1"));
      move_endpoint(world, "a", "10.0.0.9");
      annotate(world, "a", "n1");
      patch_export(world, "a", "n1");
      world.pass(later);
      if (restored)
        world.mark(restored, "restored");
      world.change(program, export_place("n1"), [&](toy_object& any) { any["spec"] = old.at("spec"); });
    };
  };
  expect({
    {"older content over newer", back(nullptr, 0ms), {"backwards"}},
    {"after the hub's backup", back("hub", 10s), {}},
    {"after the member's", back("m1", 10s), {}},
    {"after another member's", back("m2", 10s), {"backwards"}},
    {"under another name",
     [](auto& world) {
       export_one(world);
       const auto old = *world.find(export_place("n1"));
       move_endpoint(world, "a", "10.0.0.9");
       annotate(world, "a", "n2");
       patch_export(world, "a", "n1");
       world.create(program, export_place("n2"), toy_object{{"spec", old.at("spec")}});
     },
     {"backwards"}},
    {"somebody else does it",
     [](auto& world) {
       export_one(world);
       move_endpoint(world, "a", "10.0.0.9"), annotate(world, "a", "n1"), patch_export(world, "a", "n1");
       world.change("admin", export_place("n1"), [](toy_object& any) {
         any["spec"].get_object()["endpointSliceReference"].get_object()["generation"] = 1;
       });
       patch_export(world, "a", "n1");
     },
     {}},
  });
}

TEST(History, FindsDuplicates) {
  const auto doubled = [](std::chrono::milliseconds rest, const std::function<void(toy_world&)>& then = {}) {
    return [=](toy_world& world) {
      export_one(world);
      annotate(world, "a", "n2");
      create_export(world, "a", "n2");
      if (then)
        then(world);
      world.pass(rest);
    };
  };
  expect({
    {"side by side for a moment", doubled(5000ms), {}},
    {"for longer", doubled(5001ms), {"duplicate"}},
    {"one is terminating",
     doubled(1min,
             [](auto& world) {
               world.change("x", export_place("n1"),
                            [](toy_object& any) { metadata_of(any)["finalizers"] = boost::json::array{"x/y"}; });
               withdraw(world);
             }),
     {}},
    {"while the program is stopped", doubled(1min, [](auto& world) { world.judge.program_stopped(world.now); }), {}},
    {"another cluster's",
     [](auto& world) {
       export_one(world);
       auto spec = make_toy_spec(*world.find(slice_place("a")), "m9");
       world.create("admin", export_place("other"), toy_object{{"spec", spec}});
       world.pass(1min);
     },
     {}},
  });
}

} // namespace
} // namespace sliceferry::storm
