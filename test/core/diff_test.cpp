#include "test/core/diff_rig.hpp"
#include "test/core/our_agent.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace sliceferry::core {
namespace {

using lines = std::vector<std::string>;

/// One slice `shop/web` of service `s`, exported since `noon`; ten minutes later somebody does something.
struct settled {
  shared_clusters all;
  std::string name;

  settled() {
    all.put(make_verdict("s"));
    auto slice = make_plain_slice("web", all.fresh_uid());
    slice.service = "s";
    all.put(slice);
    EXPECT_TRUE(our_agent(all, 1).run());
    name = all.slices.at({"shop", "web"}).ours.name.value_or("");
    all.now += std::chrono::minutes{10};
  }

  endpoint_slice slice() const { return all.slices.at({"shop", "web"}); }
  slice_export exported() const { return *all.find(name); }
  template <class Change>
  void slice(Change change) {
    auto next = slice();
    change(next);
    all.put(next);
  }
  template <class Change>
  void exported(Change change) {
    auto next = exported();
    change(next);
    all.put(next);
  }
};

TEST(Diff, ShowsNothingWhereAllIsRight) {
  const settled held;
  const auto told = compare(m1, lists_of(held.all), false, held.all.now);
  EXPECT_TRUE(told.found.empty()) << lines_of(told.found, true).front();
  EXPECT_EQ(told.slices, 1U);
  EXPECT_EQ(told.wanted, 1U);
  EXPECT_EQ(told.exports, 1U);
  EXPECT_EQ(told.foreign, 0U);
}

struct tampering {
  const char* name;
  std::function<void(settled&)> deed;
  lines then;
};

void expect_named(const std::vector<tampering>& table) {
  for (const auto& [name, deed, then] : table) {
    SCOPED_TRACE(name);
    settled held;
    deed(held);
    auto got = lines_of(found_in(held.all));
    for (auto& line : got) // which hash it has is none of these tests' business
      if (const auto at = line.find(held.name); at != std::string::npos)
        line.replace(at, held.name.size(), "NAME");
    EXPECT_EQ(got, then);
  }
}

/// A change of the export's spec and what it shows as.
tampering of_spec(const char* name, void (*deed)(slice_export_spec&), const std::string& shown) {
  return {
    name, [deed](settled& is) { is.exported([deed](auto& each) { deed(each.spec); }); }, {"content web " + shown}};
}

TEST(Diff, NamesTheFieldOfAnExport) {
  using spec = slice_export_spec;
  expect_named({
    of_spec(
      "endpoints", [](spec& x) { x.endpoints = {{{"6.6.6.6"}}}; }, "endpoints=[6.6.6.6]->[10.0.0.1]"),
    of_spec(
      "ports", [](spec& x) { x.ports.reset(); }, R"(ports=none->["http":80/TCP])"),
    of_spec(
      "address type", [](spec& x) { x.address_type = "IPv6"; }, "addressType=IPv6->IPv4"),
    of_spec(
      "kind", [](spec& x) { x.reference.kind = "Pod"; }, "kind=Pod->EndpointSlice"),
    of_spec(
      "api version", [](spec& x) { x.reference.api_version = "v0"; }, "apiVersion=v0->discovery.k8s.io/v1"),
    of_spec(
      "slice", [](spec& x) { x.reference.slice.name = "other"; }, "name=other->web"),
    of_spec(
      "namespace", [](spec& x) { x.reference.slice.nspace = "mall"; }, "namespace=mall->shop"),
    of_spec(
      "full name", [](spec& x) { x.reference.namespaced_name = "x"; }, "namespacedName=x->shop/web"),
    of_spec(
      "generation", [](spec& x) { x.reference.generation = 2; }, "generation=2->3"),
    of_spec(
      "since", [](spec& x) { x.reference.exported_since = morning; },
      "exportedSince=2026-11-30T09:00:00Z->2026-11-30T12:00:00Z"),
    of_spec(
      "no since", [](spec& x) { x.reference.exported_since.reset(); }, "exportedSince=absent->2026-11-30T12:00:00Z"),
    of_spec(
      "service", [](spec& x) { x.owner.service.name = "t"; }, "name=t->s"),
    of_spec(
      "its namespace", [](spec& x) { x.owner.service.nspace = "mall"; }, "namespace=mall->shop"),
    of_spec(
      "its full name", [](spec& x) { x.owner.namespaced_name = ""; }, "namespacedName=absent->shop/s"),
  });
}

TEST(Diff, LooksPastWhatReadersCannotTellApart) {
  settled held;
  held.exported([](auto& each) { each.spec.reference.kind = each.spec.reference.api_version = ""; });
  EXPECT_EQ(lines_of(found_in(held.all)), lines{});
  held.slice([](auto& each) { each.ours.timestamp = "2026-11-30T17:30:00.25+05:30"; });
  EXPECT_EQ(lines_of(found_in(held.all)), lines{});
}

TEST(Diff, SaysApartWhatIsHarmless) {
  settled held;
  held.slice([](auto&) {}); // somebody's label or annotation
  EXPECT_EQ(lines_of(found_in(held.all)), lines{});
  const auto version = held.exported().spec.reference.resource_version;
  EXPECT_EQ(lines_of(found_in(held.all), true),
            lines{"older-version web resourceVersion=" + version + "->" + held.slice().resource_version});
  auto always = m1;
  always.refresh_resource_version_always = true;
  EXPECT_EQ(lines_of(compare(always, lists_of(held.all), false, held.all.now).found),
            lines{"content web resourceVersion=" + version + "->" + held.slice().resource_version});

  auto unjudged = make_verdict("s");
  unjudged.valid->observed_generation = 0; // of an older one
  held.all.put(unjudged);
  EXPECT_EQ(lines_of(found_in(held.all)), lines{});
  EXPECT_EQ(lines_of(found_in(held.all), true), lines{"undecided web"});
}

TEST(Diff, NamesWhatIsWrongWithTheAnnotations) {
  expect_named({
    {"all wiped",
     [](settled& is) { is.slice([](auto& x) { x.ours = {}; }); },
     {"annotations web fleet-unique-name=absent->NAME last-seen-generation=absent->3 "
      "last-seen-timestamp=absent->2026-11-30T12:00:00Z"}},
    {"no name",
     [](settled& is) { is.slice([](auto& x) { x.ours.name.reset(); }); },
     {"annotations web fleet-unique-name=absent->NAME"}},
    {"an invalid name",
     [](settled& is) { is.slice([](auto& x) { x.ours.name = "x_y"; }); },
     {"annotations web fleet-unique-name=x_y->a new name: this one is invalid"}},
    {"no generation",
     [](settled& is) { is.slice([](auto& x) { x.ours.generation.reset(); }); },
     {"annotations web last-seen-generation=absent->3"}},
    {"an older generation",
     [](settled& is) { is.slice([](auto& x) { x.ours.generation = "2"; }); },
     {"annotations web last-seen-generation=2->3"}},
    {"no time",
     [](settled& is) { is.slice([](auto& x) { x.ours.timestamp.reset(); }); },
     {"annotations web last-seen-timestamp=absent->the time of the next write"}},
    {"a time that can't be read",
     [](settled& is) { is.slice([](auto& x) { x.ours.timestamp = "soon"; }); },
     {"annotations web last-seen-timestamp=soon->the time of the next write"}},
    {"a time to come",
     [](settled& is) { is.slice([](auto& x) { x.ours.timestamp = "2036-01-01T00:00:00Z"; }); },
     {"annotations web last-seen-timestamp=2036-01-01T00:00:00Z->the time of the next write"}},
    {"another valid name",
     [](settled& is) { is.slice([](auto& x) { x.ours.name = "unused"; }); },
     {"missing web", "duplicate web"}},
  });
}

TEST(Diff, NamesAChangeThatIsNotExportedYet) {
  expect_named(
    {{"new endpoints",
      [](settled& is) {
        is.slice([](auto& x) {
          ++x.generation;
          x.ready = {};
        });
      },
      {"content web endpoints=[10.0.0.1]->[] generation=3->4", "annotations web last-seen-generation=3->4"}}});
}

TEST(Diff, NamesExportsThatAreMissingOrTooMany) {
  const auto gone = [](settled& is) { is.all.exports.clear(); };
  const auto bare = [](settled& is) { is.slice([](auto& x) { x.ours = {}; }); };
  expect_named({
    {"deleted", gone, {"missing web"}},
    {"never exported",
     [=](settled& is) {
       gone(is);
       bare(is);
     },
     {"missing web"}},
    {"terminating", [](settled& is) { is.exported([](auto& x) { x.terminating = true; }); }, {"missing web"}},
    {"a second one",
     [](settled& is) {
       auto copy = is.exported();
       copy.key.name = "copy";
       copy.uid = "second";
       is.all.put(copy);
     },
     {"duplicate web"}},
    {"its slice is gone", [](settled& is) { is.all.slices.clear(); }, {"leftover web"}},
    {"its slice was made anew",
     [](settled& is) { is.slice([](auto& x) { x.uid = "other"; }); },
     {"missing web", "leftover web", "name-taken web"}},
    {"somebody else's",
     [](settled& is) { is.exported([](auto& x) { x.spec.reference.cluster = "m2"; }); },
     {"missing web", "name-taken web"}},
    {"another slice's",
     [](settled& is) { is.exported([](auto& x) { x.spec.reference.uid = "who"; }); },
     {"missing web", "leftover web", "name-taken web"}},
  });
}

TEST(Diff, NamesWhatMayNotBeExported) {
  const lines both{"unwanted web", "uncleared web fleet-unique-name=NAME->absent last-seen-generation=3->absent "
                                   "last-seen-timestamp=2026-11-30T12:00:00Z->absent"};
  const auto consent = [](auto change) {
    return [change](settled& is) {
      auto verdict = make_verdict("s");
      change(verdict);
      is.all.put(verdict);
    };
  };
  expect_named({
    {"invalid", consent([](auto& x) { x.valid->is = condition::status::no; }), both},
    {"conflict", consent([](auto& x) { x.conflict->is = condition::status::yes; }), both},
    {"deleting", consent([](auto& x) { x.deleting = true; }), both},
    {"absent", [](settled& is) { is.all.consents.clear(); }, both},
    {"IPv6", [](settled& is) { is.slice([](auto& x) { x.address_type = "IPv6"; }); }, both},
    {"imported", [](settled& is) { is.slice([](auto& x) { x.managed_by = importer_manager; }); }, both},
    {"slice deleting", [](settled& is) { is.slice([](auto& x) { x.deleting = true; }); }, both},
    {"no service", [](settled& is) { is.slice([](auto& x) { x.service.reset(); }); }, both},
    {"only its annotations",
     [](settled& is) {
       is.all.consents.clear();
       is.all.exports.clear();
     },
     {both[1]}},
  });
  settled held;
  EXPECT_EQ(lines_of(found_in(held.all, true)).front(), "unwanted web") << "the member leaves the fleet";
  held.all.consents.clear();
  EXPECT_NE(found_in(held.all).at(0).why.find("there is no ServiceExport shop/s"), std::string::npos);
}

TEST(Diff, LeavesForeignExportsAlone) {
  settled held;
  auto foreign = held.exported();
  foreign.key.name = "theirs";
  foreign.uid = "foreign";
  foreign.spec.reference.cluster = "m2";
  held.all.put(foreign);
  const auto told = compare(m1, lists_of(held.all), false, held.all.now);
  EXPECT_EQ(lines_of(told.found), lines{});
  EXPECT_EQ(told.exports, 2U);
  EXPECT_EQ(told.foreign, 1U);
  held.slice([](auto& each) { each.ours.name = "theirs"; });
  EXPECT_EQ(lines_of(found_in(held.all)), lines{"name-taken web"});
}

TEST(Diff, ConcludesNothingFromWhatCannotBeRead) {
  using kind = member_lists::unreadable::kind;
  const settled held;
  auto lists = lists_of(held.all);
  lists.broken = {{kind::slice, {"shop", "web"}, "no uid"}};
  lists.slices.clear();
  EXPECT_EQ(lines_of(compare(m1, lists, false, held.all.now).found), lines{"unreadable web"}) << "no leftover";

  lists = lists_of(held.all);
  lists.broken = {{kind::exported, held.exported().key, "no spec"}};
  lists.exports.clear();
  EXPECT_EQ(lines_of(compare(m1, lists, false, held.all.now).found), lines{"unreadable "}) << "it isn't missing";

  lists = lists_of(held.all);
  lists.broken = {{kind::consent, {"shop", "s"}, "no name"}};
  lists.consents.clear();
  EXPECT_EQ(lines_of(compare(m1, lists, false, held.all.now).found), lines{"unreadable s"}) << "nothing is unwanted";
}

TEST(Diff, LastsWhereTwoReadingsAgree) {
  settled held;
  held.slice([](auto& each) {
    ++each.generation;
    each.ready = {};
  });
  const auto first = found_in(held.all);
  held.all.now += std::chrono::seconds{3};
  EXPECT_EQ(lasting(first, found_in(held.all)), first) << "the time alone makes no difference";
  held.slice([](auto& each) { ++each.generation; });
  EXPECT_TRUE(lasting(first, found_in(held.all)).empty()) << "it moved on: somebody is at work, or will be";
  ASSERT_TRUE(our_agent(held.all, 2).run());
  EXPECT_TRUE(lasting(first, found_in(held.all)).empty());
}

} // namespace
} // namespace sliceferry::core
