#include "test/core/go_agent.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace sliceferry::core {
namespace {

using sequence = std::vector<std::string>;

const object_key web_a{"shop", "web-a"};

/// One slice of one Service that may be exported.
shared_clusters around(const slice_annotations& ours) {
  shared_clusters out;
  out.put(make_verdict("web"));
  auto slice = make_plain_slice("web-a", "u1");
  slice.ours = ours;
  out.put(slice);
  return out;
}

/// An export of that name which mirrors the slice for a slice of that UID.
void put_export(shared_clusters& all, const std::string& name, const std::string& uid) {
  slice_export out;
  out.key = shared_clusters::export_key(name);
  out.uid = all.fresh_uid();
  out.spec = project(m1, all.slices.at(web_a), morning);
  out.spec.reference.uid = uid;
  all.put(out);
}

const slice_annotations unnamed{};
const slice_annotations named{"n", "3", format_rfc3339(morning)};

struct row {
  const char* name;
  slice_annotations ours;
  std::function<void(shared_clusters&)> change;
  sequence then;
};

void check(const std::vector<row>& table) {
  for (const auto& [name, ours, change, then] : table) {
    SCOPED_TRACE(name);
    auto all = around(ours);
    change(all);
    EXPECT_TRUE(go_agent(all, {}, 1).reconcile(web_a));
    EXPECT_EQ(all.written, then);
  }
}

const auto as_is = [](shared_clusters&) {};
const auto no_label = [](shared_clusters& all) { all.slices.at(web_a).service.reset(); };
const auto no_consent = [](shared_clusters& all) { all.consents.clear(); };
const auto ipv6 = [](shared_clusters& all) { all.slices.at(web_a).address_type = "IPv6"; };
const auto deleting = [](shared_clusters& all) { all.slices.at(web_a).deleting = true; };

service_export& consent_of(shared_clusters& all) {
  return all.consents.at({"shop", "web"});
}
const auto invalid = [](shared_clusters& all) { consent_of(all).valid->is = condition::status::no; };
const auto conflicted = [](shared_clusters& all) { consent_of(all).conflict->is = condition::status::yes; };
const auto ending = [](shared_clusters& all) { consent_of(all).deleting = true; };
const auto unjudged = [](shared_clusters& all) { consent_of(all).conflict.reset(); };

// What the Go code's own tests expect of it, so that the model may stand for it.

TEST(GoAgent, SkipsUnexportsOrExports) {
  check({
    {"U8 IPv6", unnamed, ipv6, {}},
    {"C73 IPv6, named", named, ipv6, {}},
    {"U9 no label", unnamed, no_label, {}},
    {"U10 no label, named", named, no_label, {"annotate"}},
    {"U11 no ServiceExport", unnamed, no_consent, {}},
    {"U12 no ServiceExport, named", named, no_consent, {"annotate"}},
    {"U13 invalid, named", named, invalid, {"annotate"}},
    {"U14 conflicted, named", named, conflicted, {"annotate"}},
    {"U15 deleting ServiceExport, named", named, ending, {"annotate"}},
    {"U16 invalid", unnamed, invalid, {}},
    {"U17 conflicted", unnamed, conflicted, {}},
    {"U18 deleting ServiceExport", unnamed, ending, {}},
    {"U26 no condition", named, unjudged, {"annotate"}},
    {"U19 valid, named", named, as_is, {"create"}},
    {"U20 valid", unnamed, as_is, {"annotate", "annotate", "create"}},
    {"U21 deleting, named", named, deleting, {"annotate"}},
    {"U22 deleting", unnamed, deleting, {}},
    {"C21 unexport of an invalid name", {"x_y", {}, {}}, invalid, {"annotate"}},
  });
}

TEST(GoAgent, KnowsItsExportsByNameAndUid) {
  const auto exported = [](shared_clusters& all) { put_export(all, "n", "u1"); };
  const auto foreign = [](shared_clusters& all) { put_export(all, "n", "u3"); };
  const auto with = [](auto first, auto then) {
    return [=](shared_clusters& all) {
      first(all);
      then(all);
    };
  };
  check({
    {"C75 in sync", named, exported, {}},
    {"C58 a metadata bump", named, with(exported, [](auto& all) { all.put(all.slices.at(web_a)); }), {"change"}},
    {"C57 a change",
     named,
     with(exported, [](auto& all) { all.slices.at(web_a).generation = 4; }),
     {"annotate", "change"}},
    {"U4 U30 unexport", named, with(exported, invalid), {"delete", "annotate"}},
    {"U6 U31 unexport, unlinked", named, with(foreign, invalid), {"annotate"}},
    {"C48 name taken", named, foreign, {"annotate"}},
    {"I13 invalid name", {"x_y", "3", format_rfc3339(morning)}, exported, {"annotate", "create"}},
  });
}

TEST(GoAgent, MovesLastSeenAsItsTestsSay) {
  const auto at = [](int seconds) { return format_rfc3339(noon + std::chrono::seconds{seconds}); };
  const struct {
    const char* name;
    slice_annotations ours;
    bool is_kept;
  } table[] = {
    {"U33 name only", {"n", {}, {}}, false},
    {"U34 five seconds ago", {"n", "3", at(-5)}, true},
    {"U35 generation is no number", {"n", "x", at(-5)}, false},
    {"U36 another generation", {"n", "4", at(-5)}, false},
    {"U37 timestamp is no time", {"n", "3", "x"}, false},
    {"U38 in the future", {"n", "3", at(240)}, false},
    {"C35 sign and zeros", {"n", "+003", at(-5)}, true},
    {"C35 a blank", {"n", " 3", at(-5)}, false},
    {"C35 beyond 64 bits", {"n", "9223372036854775808", at(-5)}, false},
    {"C35 fraction", {"n", "3", "2026-11-30T11:59:55.5Z"}, true},
  };
  for (const auto& [name, ours, is_kept] : table) {
    SCOPED_TRACE(name);
    auto all = around(ours);
    EXPECT_TRUE(go_agent(all, {}, 1).reconcile(web_a));
    const auto& now = all.slices.at(web_a).ours;
    EXPECT_EQ(now, is_kept ? ours : (slice_annotations{"n", "3", at(0)})) << "U32";
    EXPECT_EQ(all.find("n")->spec.reference.exported_since, noon - std::chrono::seconds{is_kept ? 5 : 0});
  }
}

TEST(GoAgent, CollectsWhatNoSliceNames) {
  const auto is_kept = [](const slice_annotations& ours, auto change) {
    auto all = around(ours);
    put_export(all, "n", "another");
    change(all);
    EXPECT_TRUE(go_agent(all, {}, 1).collect("n"));
    return all.find("n") != nullptr;
  };
  EXPECT_TRUE(is_kept(named, as_is)) << "G1 G7 whatever the UIDs";
  EXPECT_FALSE(is_kept(unnamed, as_is)) << "G2 G6";
  EXPECT_FALSE(is_kept({"o", {}, {}}, as_is)) << "G3";
  EXPECT_FALSE(is_kept(named, [](shared_clusters& all) { all.slices.clear(); })) << "G5";
}

TEST(GoAgent, NamesAndStampsInItsOwnWay) {
  auto all = around(unnamed);
  EXPECT_TRUE(go_agent(all, {.offset = std::chrono::minutes{-210}, .leaves_kind_empty = true}, 1).run());
  const auto& ours = all.slices.at(web_a).ours;
  EXPECT_TRUE(ours.name->starts_with("m1-shop-web-a-")) << "U7";
  EXPECT_EQ(ours.name->size(), std::string{"m1-shop-web-a-"}.size() + 5) << "N1";
  EXPECT_EQ(ours.timestamp, "2026-11-30T08:30:00-03:30");
  EXPECT_EQ(all.find(*ours.name)->spec.reference.kind, "") << "C47";
  EXPECT_EQ(all.find(*ours.name)->spec.reference.exported_since, noon);
  auto upper = around(unnamed);
  EXPECT_TRUE(go_agent(upper, {.cluster = "M1"}, 1).run());
  EXPECT_EQ(upper.slices.at(web_a).ours.name->size(), 25U) << "C33";
}

} // namespace
} // namespace sliceferry::core
