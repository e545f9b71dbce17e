#include "test/core/plain_inventory.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace sliceferry::core {
namespace {

const sighting a{{"shop", "web"}, "uid-a"};
const sighting b{{"shop", "web"}, "uid-b"}; // the same name, another object
const sighting c{{"shop", "db"}, "uid-c"};

/// A stream that has listed `a` at version 10 and gone on to 20.
inventory held() {
  inventory out;
  out.init();
  out.applied(a, "10");
  out.init_done("20");
  return out;
}

TEST(InventoryDoubt, FollowsFromAnswersThatTheStreamCanNotExplain) {
  struct row {
    const char* name;
    std::function<void(inventory&)> told;
    bool doubted;
  };
  const row table[] = {
    {"LW07 a new object at a version that the stream has passed", [](auto& i) { i.answered(c, "15"); }, true},
    {"a new object that the stream has yet to tell of", [](auto& i) { i.answered(c, "21"); }, false},
    {"one that the stream told of, and of its end",
     [](auto& i) { i.applied(c, "21"), i.deleted(c, "22"), i.answered(c, "21"); }, false},
    {"opaque versions tell nothing", [](auto& i) { i.answered(c, "x"), i.answered(a, "x"), i.answered(a, "y"); },
     false},
    {"one answer that the watch overtook", [](auto& i) { i.answered(a, "9"); }, false},
    {"LW07 two in a row below what is held", [](auto& i) { i.answered(a, "9"), i.answered(a, "9"); }, true},
    {"two of two objects", [](auto& i) { i.applied(c, "21"), i.answered(a, "9"), i.answered(c, "20"); }, false},
    {"news came between", [](auto& i) { i.answered(a, "9"), i.applied(a, "21"), i.answered(a, "20"); }, false},
    {"the same version is an echo", [](auto& i) { i.answered(a, "10"), i.answered(a, "10"), i.answered(a, "10"); },
     false},
    {"of the object that held the name before",
     [](auto& i) { i.applied(b, "21"), i.answered(a, "9"), i.answered(a, "9"); }, false}, // `a` is known to be gone
    {"a list is under way and will tell", [](auto& i) { i.init(), i.answered(a, "9"), i.answered(a, "9"); }, false},
  };
  for (const auto& [name, told, doubted] : table) {
    SCOPED_TRACE(name);
    auto here = held();
    told(here);
    EXPECT_EQ(here.take_doubt(), doubted);
    EXPECT_FALSE(here.take_doubt()) << "told once";
  }
}

TEST(InventoryDoubt, LastsUntilAListEndsIt) {
  auto here = held();
  here.answered(c, "15");
  EXPECT_TRUE(here.take_doubt());
  here.answered(c, "16"); // the list that was asked for hasn't come yet
  EXPECT_FALSE(here.take_doubt());
  here.init();
  here.applied(c, "15");
  here.init_done("16");
  EXPECT_FALSE(here.take_doubt());
  EXPECT_NE(here.uid_at(c.key), nullptr);
  here.answered(b, "16"); // held by nobody, at a version that the list has passed
  EXPECT_TRUE(here.take_doubt()) << "another restored backup";
}

TEST(InventoryDoubt, AListOlderThanWhatWasHeardShowsARestoredBackup) {
  struct row {
    const char* name;
    const char* list;
    bool restored;
  };
  const row table[] = {
    {"LW07 older", "15", true}, {"the same", "20", false}, {"newer", "21", false}, {"opaque", "x", false}};
  for (const auto& [name, list, restored] : table) {
    SCOPED_TRACE(name);
    auto subject = held();
    EXPECT_FALSE(subject.take_restored()) << "the first list has nothing before it";
    subject.init(); // broke off
    subject.init();
    subject.init_done(list);
    EXPECT_EQ(subject.take_restored(), restored);
    EXPECT_FALSE(subject.take_restored()) << "told once";
  }
}

} // namespace
} // namespace sliceferry::core
