#include "actors/core/former_target.hpp"

#include "test/core/member_makers.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace sliceferry::core {
namespace {

slice_export ending(slice_export out) {
  out.terminating = true;
  return out;
}

using feed = std::function<void(member_table&)>;

const auto hub_holds = [](std::vector<slice_export> all) -> feed { return [=](auto& t) { t.exports(listed(all)); }; };
const auto slices_are = [](std::vector<endpoint_slice> all) -> feed { return [=](auto& t) { t.slices(listed(all)); }; };
const auto consents_are = [](std::vector<service_export> all) -> feed {
  return [=](auto& t) { t.consents(listed(all)); };
};

TEST(FormerTarget, WaitsForTheNewExport) {
  const target wait{goal::wait};
  const auto withdraw = [](proof why) { return target{goal::withdraw, why}; };
  const auto slice = named(make_slice("s1", "uid-1", 1), "n");
  const auto fresh = make_export("n", "hub-n", 5, "uid-1");
  auto foreign = fresh;
  foreign.spec.reference.cluster = "m2";
  auto deleting = slice;
  deleting.deleting = true;
  auto pending = make_consent("web", 1);
  pending.generation = 2;
  pending.valid->observed_generation = 1;
  const feed granted = consents_are({make_consent("web", 1)});
  const feed left = [](auto& t) { t.leave(true); };
  const feed lost = [=](auto& t) { t.slices(deleted(slice)); };
  const feed unreadable = [](auto& t) {
    auto list = listed<endpoint_slice>({});
    list.unreadable = {{"shop", "of-uid-1"}};
    t.slices(list);
  };
  const struct {
    const char* name;
    std::vector<feed> feeds;
    target what;
  } rows[] = {
    {"its successor is there", {slices_are({slice}), granted, hub_holds({fresh})}, withdraw(proof::superseded)},
    {"no successor yet", {slices_are({slice}), granted, hub_holds({})}, wait},
    {"the successor goes", {slices_are({slice}), granted, hub_holds({ending(fresh)})}, wait},
    {"a foreign one under its name", {slices_are({slice}), granted, hub_holds({foreign})}, wait},
    {"one that the slice doesn't name", {slices_are({named(slice, "other")}), granted, hub_holds({fresh})}, wait},
    {"not annotated yet", {slices_are({make_slice("s1", "uid-1", 1)}), granted, hub_holds({fresh})}, wait},
    {"invalid",
     {slices_are({slice}), consents_are({make_consent("web", 1, false)}), hub_holds({})},
     withdraw(proof::seen)},
    {"deleting", {slices_are({deleting}), granted, hub_holds({fresh})}, withdraw(proof::seen)},
    {"no ServiceExport, which may be a wrong view",
     {slices_are({slice}), consents_are({}), hub_holds({})},
     withdraw(proof::gone)},
    {"gone", {slices_are({slice}), granted, hub_holds({fresh}), lost}, withdraw(proof::gone)},
    {"not in the list", {slices_are({}), granted, hub_holds({})}, withdraw(proof::leftover)},
    {"there, but can't be read", {unreadable, granted, hub_holds({})}, wait},
    {"slices unknown", {granted, hub_holds({fresh})}, wait},
    {"ServiceExports unknown", {slices_are({slice}), hub_holds({fresh})}, wait},
    {"hub unknown", {slices_are({}), granted}, wait},
    {"D30 no verdict yet", {slices_are({slice}), consents_are({pending}), hub_holds({})}, wait},
    {"leaving", {slices_are({slice}), granted, hub_holds({fresh}), left}, withdraw(proof::leaving)},
    {"leaving, and nothing is known", {left}, withdraw(proof::leaving)},
  };
  for (const auto& [name, feeds, what] : rows) {
    SCOPED_TRACE(name);
    member_table table{make_identity()};
    for (const auto& each : feeds)
      each(table);
    const leftover former{"o", "hub-o", {"shop", "of-uid-1"}, "uid-1"};
    EXPECT_EQ(former_target(*make_identity(), table, former), what);
  }
}

} // namespace
} // namespace sliceferry::core
