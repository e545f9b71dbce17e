#include "test/storm/oracle/toy_script.hpp"

namespace sliceferry::storm {
namespace {

using namespace std::chrono_literals;

TEST(Waste, FindsNeedlessWrites) {
  const auto relabel = [](toy_world& world, std::chrono::milliseconds ago) {
    export_one(world);
    world.change("admin", slice_place("a"),
                 [](toy_object& any) { metadata_of(any)["annotations"].get_object()["x"] = "y"; });
    world.pass(ago);
    annotate(world, "a", "n1");
  };
  const auto restarted = [](toy_world& world, std::chrono::milliseconds before, std::chrono::milliseconds ago) {
    export_one(world, before);
    world.judge.program_stopped(world.now);
    world.judge.program_started(world.now + 1s);
    world.pass(1s + ago);
    patch_export(world, "a", "n1");
  };
  const auto faulty = [](const char* fault) {
    return [fault](toy_world& world) {
      export_one(world);
      world.fault = fault;
      patch_export(world, "a", "n1");
    };
  };
  expect({
    {"a patch of the hub", faulty(""), {"needless write"}},
    {"which a fault answered", faulty("unavailable"), {}},
    {"a patch of the member", [](auto& world) { export_one(world), annotate(world, "a", "n1"); }, {"needless write"}},
    {"an echo", [](auto& world) { export_one(world, 0ms), annotate(world, "a", "n1"); }, {"needless write"}},
    {"by somebody else", [](auto& world) { export_one(world), world.change("x", slice_place("a"), [](auto&) {}); }, {}},
    {"somebody was faster", [=](auto& world) { relabel(world, 1999ms); }, {}},
    {"somebody was much faster", [=](auto& world) { relabel(world, 2000ms); }, {"needless write"}},
    {"a new process that couldn't know", [=](auto& world) { restarted(world, 1s, 1999ms); }, {}},
    {"a new process that knows by now", [=](auto& world) { restarted(world, 1s, 2000ms); }, {"needless write"}},
    {"a new process that looked", [=](auto& world) { restarted(world, 1001ms, 1ms); }, {"needless write"}},
    {"refused",
     [](auto& world) {
       export_one(world);
       world.change(program, export_place("n9"), [](auto&) {});
     },
     {}},
    {"a lease",
     [](auto& world) {
       world.create(program, {"m1", "leases", "fleet-system", "x"}, {});
       world.change(
         program, {"m1", "leases", "fleet-system", "x"}, [](auto&) {}, "update");
     },
     {}},
    {"a delete of what is terminating",
     [](auto& world) {
       export_one(world);
       world.change("x", export_place("n1"),
                    [](toy_object& any) { metadata_of(any)["finalizers"] = boost::json::array{"x/y"}; });
       set_consent(world, "web", false);
       withdraw(world), withdraw(world);
     },
     {"needless write"}},
  });
}

TEST(Waste, FindsWritesOfNothingButAVersion) {
  const auto bumped = [](toy_world& world) {
    export_one(world);
    world.change("admin", slice_place("a"), [](toy_object& any) { annotations_of(any)["x"] = "y"; });
    world.pass(10s);
    patch_export(world, "a", "n1");
  };
  expect({
    {"the reference's resourceVersion alone", bumped, {"needless write"}},
    {"along with content",
     [](auto& world) {
       export_one(world);
       move_endpoint(world, "a", "10.0.0.9"), annotate(world, "a", "n1"), patch_export(world, "a", "n1");
     },
     {}},
    {"by somebody else",
     [=](auto& world) {
       export_one(world);
       world.change("admin", export_place("n1"), [](toy_object& any) {
         any["spec"].get_object()["endpointSliceReference"].get_object()["resourceVersion"] = "1";
       });
     },
     {}},
  });
  auto options = toy_world::options();
  options.refreshes_versions = true;
  expect({{"as it was told to", bumped, {}}}, options);
}

TEST(Waste, FindsRepeatedCreates) {
  const auto again = [](toy_world& world) { create_export(world, "a", "n1"); };
  // The export is made at the very end of one process, or `later` of the next.
  const auto after_a_restart = [=](std::chrono::milliseconds ago, bool made_before) {
    return [=](toy_world& world) {
      if (made_before)
        export_one(world);
      world.judge.program_stopped(world.now);
      world.judge.program_started(world.now + 1s);
      world.now += 1s;
      if (!made_before)
        export_one(world, 0ms);
      world.pass(ago);
      again(world);
    };
  };
  expect({
    {"though it knew", [=](auto& world) { export_one(world), again(world); }, {"repeated create"}},
    {"without an answer",
     [=](auto& world) { world.fault = "lost_answers", export_one(world, 0ms), again(world); },
     {"repeated create"}},
    {"somebody else's",
     [=](auto& world) {
       export_one(world), withdraw(world, "admin");
       world.create("admin", export_place("n1"), toy_object{{"spec", make_toy_spec(*world.find(slice_place("a")))}});
       world.pass(1min), again(world);
     },
     {}},
    {"that somebody changed a moment ago",
     [=](auto& world) {
       export_one(world);
       world.change("admin", export_place("n1"), [](toy_object& any) {
         any["spec"].get_object()["endpointSliceReference"].get_object()["generation"] = 7;
       });
       again(world);
     },
     {}},
    {"whose name another slice carries",
     [=](auto& world) {
       export_one(world), world.create("kube", slice_place("b"), make_toy_slice("web"));
       world.change("admin", slice_place("b"), [](toy_object& any) { annotations_of(any)[toy_name] = "n1"; });
       create_export(world, "b", "n1");
     },
     {}},
    {"that a finalizer holds",
     [=](auto& world) {
       export_one(world);
       world.change("x", export_place("n1"),
                    [](toy_object& any) { metadata_of(any)["finalizers"] = boost::json::array{"x/y"}; });
       world.remove("kube", slice_place("a")), withdraw(world);
       world.create("kube", slice_place("a"), make_toy_slice("web")), again(world);
     },
     {}},
    {"that the process before made", after_a_restart(1ms, true), {"repeated create"}},
    {"that the process before had asked for", after_a_restart(1999ms, false), {}},
    {"long ago", after_a_restart(2000ms, false), {"repeated create"}},
  });
}

TEST(Waste, GrantsARestoredHubOneListToBeUnderstood) {
  const auto again = [](toy_world& world) { create_export(world, "a", "n1"); };
  expect({
    {"behind a restored hub's old watch",
     [=](auto& world) { export_one(world), world.mark("hub", "restored"), again(world); },
     {}},
    {"which shows writes as undone",
     [](auto& world) { export_one(world), world.mark("hub", "restored"), patch_export(world, "a", "n1"); },
     {}},
    {"a patch of a restored member",
     [](auto& world) { export_one(world), world.mark("m1", "restored"), annotate(world, "a", "n1"); },
     {}},
    {"a patch of the other one",
     [](auto& world) { export_one(world), world.mark("m2", "restored"), annotate(world, "a", "n1"); },
     {"needless write"}},
    {"long after it was restored",
     [=](auto& world) { export_one(world), world.mark("hub", "restored"), world.pass(2000ms), again(world); },
     {"repeated create"}},
  });
}

} // namespace
} // namespace sliceferry::storm
