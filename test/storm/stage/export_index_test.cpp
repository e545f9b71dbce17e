#include "test/storm/stage/export_index.hpp"

#include <gtest/gtest.h>

namespace sliceferry::storm {
namespace {

using change = history_entry::change;

history_entry told(change what, const std::string& name, const std::string& slice, const std::string& meta = "") {
  history_entry out;
  out.cluster = "hub";
  out.resource = "endpointsliceexports";
  out.nspace = "fleet-member-m";
  out.name = name;
  out.what = what;
  out.object = R"({"metadata":{"name":")" + name + "\"" + meta +
               R"(},"spec":{"endpointSliceReference":{"namespacedName":")" + slice + "\"}}}";
  return out;
}

std::string name_of(const export_index& all) {
  const auto text = all.find({export_deed::remove, "m", "shop", "a", 1});
  for (const auto* name : {"n1", "n2"})
    if (text.find('"' + std::string{name} + '"') != std::string::npos)
      return name;
  return text;
}

TEST(ExportIndex, FindsWhatStandsForASlice) {
  export_index all;
  EXPECT_EQ(all.find({export_deed::remove, "m", "shop", "a", 1}), "");
  all.see(told(change::added, "n1", "shop/a"));
  EXPECT_EQ(name_of(all), "n1");
  all.see(told(change::modified, "n1", "shop/edited"));
  EXPECT_EQ(name_of(all), "n1") << "it is still that slice's";
  all.see(told(change::modified, "n1", "shop/a", R"(,"deletionTimestamp":"x")"));
  EXPECT_EQ(name_of(all), "") << "terminating";
  all.see(told(change::added, "n2", "shop/a"));
  EXPECT_EQ(name_of(all), "n2");
  all.see(told(change::deleted, "n2", "shop/a"));
  EXPECT_EQ(name_of(all), "");
}

TEST(ExportIndex, KnowsNothingOfWhatStormsPlant) {
  export_index all;
  for (const auto* name : {"planted-1", "stranger-planted-2", "stranger-team-cart-0-cart-1"})
    all.see(told(change::added, name, "shop/a"));
  EXPECT_EQ(name_of(all), "");
}

} // namespace
} // namespace sliceferry::storm
