#include "test/storm/oracle/toy_exporter.hpp"

#include <gtest/gtest.h>

namespace sliceferry::storm {
namespace {

using namespace std::chrono_literals;

/// Users, controllers and accidents of a small fleet, by dice.
class toy_weather {
public:
  toy_weather(toy_world& world, std::mt19937_64& dice) : world_(world), dice_(dice) {}

  void begin() {
    for (const auto* service : {"web", "api"})
      set_consent(world_, service, true);
    for (int i = 0; i < 6; ++i)
      world_.create("kube", slice_place("s" + std::to_string(i)), make_toy_slice(i % 2 ? "web" : "api"));
    auto spec = make_toy_spec(*world_.find(slice_place("s0")), "m9");
    spec["endpointSliceReference"].get_object()["exportedSince"] = nullptr;
    world_.create("admin", export_place("foreign"), toy_object{{"spec", spec}});
  }

  void change() {
    const auto slice = slice_place("s" + std::to_string(dice_() % 6));
    switch (dice_() % 12) {
      case 0:
        return set_consent(world_, dice_() % 2 ? "web" : "api", dice_() % 2);
      case 1:
        return world_.remove("kube", slice);
      case 2:
        return world_.create("kube", slice, make_toy_slice(dice_() % 2 ? "web" : "api"));
      case 3:
        return world_.change("kube", slice, [](toy_object& any) { metadata_of(any).erase("annotations"); });
      case 4:
        return annotate(slice, toy_name, dice_() % 2 ? "foreign" : "m1-tampered");
      case 5:
        return annotate(slice, dice_() % 2 ? toy_generation : toy_timestamp, "7");
      case 6:
        return annotate(slice, "trigger-time", std::to_string(dice_()));
      case 7:
        return world_.change(
          "kube", slice, [](toy_object& any) { any["addressType"] = any["addressType"] == "IPv4" ? "IPv6" : "IPv4"; });
      case 8:
        return label(slice);
      case 9:
        return remove_export();
      default:
        return flip(slice);
    }
  }

  /// The hub's controller: a finalizer on each export, taken off once it is to go.
  void hub_controller() {
    std::vector<toy_world::place> all;
    for (auto& [where, body] : world_.objects)
      if (std::get<1>(where) == "endpointsliceexports" && std::get<3>(where) != "foreign")
        all.push_back(where);
    for (const auto& where : all)
      world_.change("system:hub", where, [&](toy_object& any) {
        if (!metadata_of(any).contains("deletionTimestamp"))
          metadata_of(any)["finalizers"] = boost::json::array{"x/y"};
        else if (dice_() % 4 == 0)
          metadata_of(any).erase("finalizers");
      });
  }

private:
  void annotate(const toy_world::place& slice, const std::string& key, const std::string& value) {
    world_.change("admin", slice, [&](toy_object& any) { annotations_of(any)[key] = value; });
  }

  void label(const toy_world::place& slice) {
    world_.change("owner", slice, [&](toy_object& any) {
      auto& labels = metadata_of(any)["labels"].get_object();
      labels.erase("kubernetes.io/service-name");
      if (const auto choice = dice_() % 3)
        labels["kubernetes.io/service-name"] = choice == 1 ? "web" : "api";
    });
  }

  void flip(const toy_world::place& slice) {
    world_.change("kube", slice, [&](toy_object& any) {
      for (auto& each : any["endpoints"].get_array())
        each.get_object()["conditions"] = toy_object{{"ready", dice_() % 2 == 0}};
    });
  }

  void remove_export() {
    for (auto& [where, body] : world_.objects)
      if (std::get<1>(where) == "endpointsliceexports" && std::get<3>(where) != "foreign" && dice_() % 3 == 0)
        return world_.remove("admin", toy_world::place{where});
  }

  toy_world& world_;
  std::mt19937_64& dice_;
};

struct outcome {
  std::map<std::string, std::uint64_t> counts;
  std::string stories;
  std::uint64_t writes = 0;
  bool state_by_history = false;
  bool state_by_lists = false;
};

outcome play(std::uint64_t seed, toy_bug bug, std::chrono::milliseconds lag = 2s) {
  std::mt19937_64 dice{seed};
  auto options = toy_world::options();
  options.starve = 30s;
  options.lag = lag;
  options.rest = 15s; // the toy takes up to 1.5 s for each step, and somebody may be faster each time
  toy_world world{options};
  toy_exporter exporter{world, bug, dice};
  toy_weather weather{world, dice};
  weather.begin();
  const auto step = [&](bool stormy) {
    if (stormy && dice() % 4 == 0)
      weather.change();
    if (stormy && dice() % 200 == 0) {
      world.judge.program_stopped(world.now);
      world.pass(std::chrono::milliseconds{dice() % 5000});
      world.judge.program_started(world.now);
      exporter.restart();
    }
    weather.hub_controller();
    exporter.run();
    world.pass(100ms);
  };
  for (int i = 0; i < 400; ++i)
    step(true);
  for (int i = 0; i < 400 && !(i > 20 && exporter.idle() && world.judge.settled()); ++i)
    step(false);
  outcome out;
  out.counts = world.judge.counts();
  for (const auto& each : world.judge.violations())
    out.stories += each.rule + ": " + each.story;
  for (const auto& each : world.judge.differences()) {
    ++out.counts["state"];
    out.stories += "state: " + each.story;
  }
  for (const auto& [what, count] : world.judge.figures().program_writes)
    out.writes += count;
  out.state_by_history = !world.judge.settled();
  out.state_by_lists = !differences_of_lists(options, world.lists(), world.now).empty();
  return out;
}

TEST(Property, ARightExporterIsClean) {
  std::uint64_t writes = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const auto found = play(seed, toy_bug::none);
    ASSERT_TRUE(found.counts.empty()) << found.stories;
    ASSERT_FALSE(found.state_by_lists);
    writes += found.writes;
  }
  EXPECT_GT(writes, 2'000U) << "too quiet to prove anything";
}

/// The toy acts up to 1.5 s after it looked, so an oracle that grants it less must accuse it.
TEST(Property, TheSameExporterIsLateForAnOracleWithoutPatience) {
  std::uint64_t accused = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    accused += play(seed, toy_bug::none, 100ms).counts.empty() ? 0U : 1U;
  EXPECT_GT(accused, 0U);
}

TEST(Property, EachWrongExporterIsFound) {
  struct row {
    const char* name;
    toy_bug bug;
    const char* rule;
  };
  for (const auto& [name, bug, rule] : {
         row{"names late", toy_bug::names_late, "hub before name"},
         row{"deletes what is called for", toy_bug::deletes_called, "unwarranted delete"},
         row{"rewrites", toy_bug::rewrites, "needless write"},
         row{"keeps leftovers", toy_bug::keeps_leftovers, "state"},
         row{"keeps what is withdrawn", toy_bug::keeps_withdrawn, "state"},
         row{"writes older content", toy_bug::writes_older, "backwards"},
         row{"doubles", toy_bug::doubles, "duplicate"},
         row{"drops finalizers", toy_bug::drops_finalizers, "export touched"},
         row{"exports what isn't ready", toy_bug::exports_unready, "state"},
         row{"moves exportedSince", toy_bug::moves_since, "since moved"},
         row{"takes foreign exports", toy_bug::takes_foreign, "foreign"},
         row{"labels slices", toy_bug::labels_slices, "member touched"},
         row{"asks without end", toy_bug::asks_without_end, "limit"},
         row{"clears the name only", toy_bug::clears_name_only, "state"},
         row{"misses changes", toy_bug::misses_changes, "state"},
         row{"shifts exportedSince", toy_bug::shifts_since, "state"},
       }) {
    SCOPED_TRACE(name);
    bool is_found = false;
    for (std::uint64_t seed = 1; seed <= 8 && !is_found; ++seed) {
      const auto found = play(seed, bug);
      is_found = found.counts.contains(rule);
      const bool history_knows_more = bug == toy_bug::clears_name_only; // who left what is left
      EXPECT_TRUE(found.state_by_history == found.state_by_lists || history_knows_more) << seed;
    }
    EXPECT_TRUE(is_found);
  }
}

} // namespace
} // namespace sliceferry::storm
