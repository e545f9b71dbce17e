#include "test/actors/mirror_world.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;

/// Two members and their hub under random hands and faults. Everything follows from the seed.
class storm {
public:
  /// `awake_max`: the exporters of each member that may be awake together.
  explicit storm(unsigned seed, std::size_t awake_max) : dice_(seed), awake_max_(awake_max) { restart(); }

  void blow() {
    for (int i = 0; i < 120; ++i)
      step();
  }

  /// No more faults; all that was lost is listed once. Everything must come right.
  void calm() {
    world->sabotage = nullptr;
    for (const auto* member : names) {
      clusters.hub.add_nspace(hub_nspace_of(member));
      world->open(member);
    }
    world->open("hub");
    world->sync();
    while (world->tell())
      world->settle();
    EXPECT_TRUE(finish());
    EXPECT_EQ(clusters.difference(), "");
    for (const auto* member : names)
      EXPECT_EQ(world->awake(member), 0);
  }

  fake_fleet clusters{{"m1", "m2"}};
  std::unique_ptr<mirror_world> world;

private:
  static constexpr std::array names{"m1", "m2"};

  unsigned below(unsigned bound) { return static_cast<unsigned>(dice_() % bound); }

  bool finish() {
    for (int i = 0; i < 20; ++i) {
      if (!world->finish(20min))
        return false;
      if (!world->tell())
        return true;
    }
    return false;
  }

  void restart() {
    world.reset();
    world = std::make_unique<mirror_world>(clusters, echo::withheld, core::write_limits{},
                                           std::vector<core::former_identity>{}, awake_max_);
    world->sabotage = [this](std::size_t) { return trouble(); };
    world->sync();
  }

  std::optional<fault> trouble() {
    if (below(4) != 0)
      return std::nullopt;
    const failure reset{errc::ambiguous, "connection reset", {}, 0};
    const failure refused{errc::unavailable, "connection refused", {}, 0};
    switch (below(6)) {
      case 0:
        return fault{false, k8s::http_response{503, {}, ""}};
      case 1:
        return fault{false, k8s::http_response{429, 1s, ""}};
      case 2:
        return fault{below(2) == 0, k8s::http_response{500, {}, ""}};
      case 3:
        return fault{true, k8s::http_response{200, {}, "{"}};
      case 4:
        return fault{below(2) == 0, k8s::result<k8s::http_response>(reset)};
      default:
        return fault{false, k8s::result<k8s::http_response>(refused)};
    }
  }

  void step() {
    const std::string member = names[below(2)];
    switch (below(12)) {
      case 0:
      case 1:
        return change_slice(member);
      case 2:
        return change_consent(member);
      case 3:
        return meddle_on_hub(member);
      case 4:
        return meddle_with_names(member);
      case 5:
        return below(6) == 0 ? restart() : world->sync();
      case 6:
        return below(2) == 0 ? clusters.hub.remove_nspace(hub_nspace_of(member))
                             : clusters.hub.add_nspace(hub_nspace_of(member));
      case 7:
        return below(2) == 0 ? world->shut(member) : world->open(member);
      case 8:
        return world->pass(std::chrono::milliseconds(below(3000)));
      case 9:
        for (unsigned i = below(20); i > 0; --i)
          world->stage.step();
        return;
      default:
        world->tell();
        return;
    }
  }

  void change_slice(const std::string& member) {
    const auto name = "web-" + std::to_string(below(3));
    if (clusters.members.at(member).find(slice_path(name)) && below(4) == 0)
      clusters.delete_slice(member, name);
    else
      clusters.put_slice(member, name, "10.0.0." + std::to_string(below(20)), "s" + std::to_string(below(2)));
  }

  void change_consent(const std::string& member) {
    const auto service = "s" + std::to_string(below(2));
    if (granted_.erase(member + service) != 0)
      return clusters.revoke(member, service);
    granted_.insert(member + service);
    clusters.grant(member, service);
  }

  void meddle_on_hub(const std::string& member) {
    const auto exports = clusters.exports(member);
    if (exports.empty())
      return;
    const auto path = export_path(member, exports[below(static_cast<unsigned>(exports.size()))].key.name);
    if (below(2) == 0)
      clusters.hub.remove(path);
    else
      clusters.hub.write(path, R"({"metadata":{"labels":{"a":"b"}},"spec":{"endpoints":[]}})");
  }

  void meddle_with_names(const std::string& member) {
    const auto slices = clusters.slices(member);
    if (slices.empty())
      return;
    const char* names_told[] = {"null", "\"Not_Valid\"", "\"\"", "\"somebody-elses\""};
    clusters.members.at(member).write(slice_path(slices[below(static_cast<unsigned>(slices.size()))].key.name),
                                      R"({"metadata":{"annotations":{"networking.fleet.azure.com/fleet-unique-name":)" +
                                        std::string(names_told[below(4)]) + "}}}");
  }

  std::mt19937 dice_;
  std::size_t awake_max_;
  std::set<std::string> granted_;
};

TEST(Storm, EndsWithTheClustersRight) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    storm here(seed, seed % 2 == 0 ? 1 : 50'000);
    here.blow();
    here.calm();
    if (HasFailure())
      return;
  }
}

} // namespace
} // namespace sliceferry
