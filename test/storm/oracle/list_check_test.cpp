#include "test/storm/oracle/toy_program.hpp"

#include <gtest/gtest.h>

namespace sliceferry::storm {
namespace {

TEST(ListCheck, ComparesNoVersionsWithARestoredMember) {
  toy_world world;
  export_one(world);
  world.change("sliceferry", export_place("n1"), [](toy_object& any) {
    any["spec"].get_object()["endpointSliceReference"].get_object()["resourceVersion"] = "9000";
  });
  auto options = toy_world::options();
  EXPECT_FALSE(differences_of_lists(options, world.lists(), world.now).empty());
  options.restores_members = true;
  EXPECT_TRUE(differences_of_lists(options, world.lists(), world.now).empty());
}

TEST(ListCheck, FindsForeignExportsThatAreNotAsTheyWere) {
  const auto verdict = [](const std::function<void(toy_world&)>& then) {
    toy_world world;
    export_one(world);
    auto spec = make_toy_spec(*world.find(slice_place("a")), "m9");
    world.create("admin", export_place("foreign"), toy_object{{"spec", spec}});
    auto lists = world.lists();
    auto before = std::move(lists.exports);
    then(world);
    lists = world.lists();
    lists.exports_before = std::move(before);
    return differences_of_lists(toy_world::options(), lists, world.now).size();
  };
  EXPECT_EQ(verdict([](auto&) {}), 0U);
  EXPECT_EQ(verdict([](auto& world) { world.remove("x", export_place("foreign")); }), 1U);
  EXPECT_EQ(verdict([](auto& world) {
              world.change("x", export_place("foreign"),
                           [](toy_object& any) { any["spec"].get_object()["ports"] = nullptr; });
            }),
            1U);
  EXPECT_EQ(verdict([](auto& world) {
              world.change("x", export_place("foreign"), [](toy_object& any) {
                metadata_of(any)["labels"] = toy_object{{"x", "y"}};
              });
            }),
            1U);
}

TEST(ListCheck, RefusesWhatIsNoList) {
  toy_world world;
  auto lists = world.lists();
  lists.exports.push_back("{\"kind\":\"Status\"}");
  lists.members.erase("m2");
  EXPECT_EQ(differences_of_lists(toy_world::options(), lists, world.now).size(), 2U);
}

} // namespace
} // namespace sliceferry::storm
