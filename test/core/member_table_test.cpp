#include "actors/core/member_table.hpp"

#include "test/core/member_makers.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

using uids = std::vector<std::string>;

/// Synced, with two slices of "web", one of "api" and one without a service; "web" may be exported.
/// Slice uid-1 has the export "e1", and carries its name.
member_table synced_table(bool every_version = false) {
  member_table table{make_identity(every_version)};
  table.slices(listed<endpoint_slice>({named(make_slice("s1", "uid-1", 10), "e1"), make_slice("s2", "uid-2", 11),
                                       make_slice("s3", "uid-3", 12, "api"), make_slice("s4", "uid-4", 13, {})}));
  table.consents(listed<service_export>({make_consent("web", 20)}));
  table.exports(listed<slice_export>({make_export("e1", "hub-1", 30, "uid-1")}));
  return table;
}

uids names(const inputs& seen, bool mine) {
  uids out;
  for (const auto& held : seen.hub) {
    if (held.mine == mine)
      out.push_back(held.name);
  }
  return out;
}

struct news_row {
  const char* name;
  std::function<touched(member_table&)> news;
  uids touches;
};

void expect_touched(const std::vector<news_row>& table) {
  for (const auto& [name, news, touches] : table) {
    SCOPED_TRACE(name);
    member_table held = synced_table();
    const touched got = news(held);
    EXPECT_FALSE(got.all);
    EXPECT_EQ(got.uids, touches);
  }
}

TEST(MemberTable, SeesTheFallbackOnlyIfAskedTo) {
  auto serving = make_slice("s1", "uid-1", 15);
  serving.fallback = {{{"10.0.0.1"}}};
  for (const bool setting : {false, true}) {
    SCOPED_TRACE(setting);
    auto who = *make_identity();
    who.serving_fallback = setting;
    member_table held{std::make_shared<const member_identity>(who)};
    held.consents(listed<service_export>({}));
    held.exports(listed<slice_export>({}));
    held.slices(listed<endpoint_slice>({make_slice("s1", "uid-1", 11)}));
    EXPECT_EQ(held.slices(applied(serving)).uids, setting ? uids{"uid-1"} : uids{});
    EXPECT_EQ(held.inputs_of("uid-1").slice->fallback, setting ? serving.fallback : std::vector<endpoint>{});
    serving.resource_version = "17";
    EXPECT_TRUE(held.slices(applied(serving)).uids.empty()) << "only the version changed";
  }
}

TEST(MemberTable, TellsWhomASliceConcerns) {
  auto grown = named(make_slice("s1", "uid-1", 15), "e1");
  grown.ready.push_back({{"10.0.0.1"}});
  const auto sees = [](const endpoint_slice& slice) { return [=](auto& t) { return t.slices(applied(slice)); }; };
  const auto loses = [](const endpoint_slice& slice) { return [=](auto& t) { return t.slices(deleted(slice)); }; };
  expect_touched({
    {"endpoints changed", sees(grown), {"uid-1"}},
    {"D12 only the version changed", sees(make_slice("s2", "uid-2", 15)), {}},
    {"LW21 repeated", sees(make_slice("s2", "uid-2", 11)), {}},
    {"older", sees(make_slice("s2", "uid-2", 9, "api")), {}},
    {"LW22 ES29 same name, other UID", sees(make_slice("s2", "uid-9", 15)), {"uid-2", "uid-9"}},
    {"LW20 deleted at an old version", loses(make_slice("s2", "uid-2", 1)), {"uid-2"}},
    {"deleted, but never seen", loses(make_slice("s9", "uid-9", 15)), {}},
    {"LW08 gone in a relist",
     [](auto& t) { return t.slices(listed<endpoint_slice>({make_slice("s2", "uid-2", 11)})); },
     {"uid-1", "uid-3", "uid-4"}},
    {"each once, in order",
     [&](auto& t) {
       return t.slices(changes<endpoint_slice>({{watch_change::applied, make_slice("s2", "uid-2", 15, "api")},
                                                {watch_change::applied, grown},
                                                {watch_change::applied, make_slice("s2", "uid-2", 17)}}));
     },
     {"uid-2", "uid-1"}},
  });
}

TEST(MemberTable, TellsWhomAConsentConcerns) {
  const auto sees = [](const service_export& consent) { return [=](auto& t) { return t.consents(applied(consent)); }; };
  const auto moved = [](const service_export& consent) {
    return [=](member_table& t) {
      t.slices(applied(make_slice("s2", "uid-2", 15, "api")));
      return t.consents(applied(consent));
    };
  };
  expect_touched({
    {"ES25 of the old service", moved(make_consent("web", 21, false)), {"uid-1"}},
    {"ES25 of the new service", moved(make_consent("api", 21)), {"uid-2", "uid-3"}},
    {"withdrawn", sees(make_consent("web", 21, false)), {"uid-1", "uid-2"}},
    {"D15 status update without a new verdict", sees(make_consent("web", 21)), {}},
    {"of a service without slices", sees(make_consent("db", 21)), {}},
    {"deleted", [](auto& t) { return t.consents(deleted(make_consent("web", 21))); }, {"uid-1", "uid-2"}},
    {"gone in a relist", [](auto& t) { return t.consents(listed<service_export>({})); }, {"uid-1", "uid-2"}},
  });
}

TEST(MemberTable, TellsWhomAnExportConcerns) {
  auto edited = make_export("e1", "hub-1", 31, "uid-1");
  edited.spec.endpoints.push_back({{"10.0.0.9"}});
  auto elsewhere = make_export("e1", "hub-9", 31, "uid-2");
  elsewhere.key.nspace = "fleet-m2";
  auto foreign = make_export("e9", "hub-9", 31, "uid-2");
  foreign.spec.reference.cluster = "m2";
  const auto sees = [](const slice_export& one) { return [=](auto& t) { return t.exports(applied(one)); }; };
  const auto loses = [](const slice_export& one) { return [=](auto& t) { return t.exports(deleted(one)); }; };
  expect_touched({
    {"edited", sees(edited), {"uid-1"}},
    {"D12 bumped by foreign metadata", sees(make_export("e1", "hub-1", 31, "uid-1")), {}},
    {"deleted", loses(make_export("e1", "hub-1", 31, "uid-1")), {"uid-1"}},
    {"gone in a relist", [](auto& t) { return t.exports(listed<slice_export>({})); }, {"uid-1"}},
    {"second one of a slice", sees(make_export("e2", "hub-2", 31, "uid-2")), {"uid-2"}},
    {"another's under the carried name", sees(make_export("e1", "hub-2", 31, "uid-2")), {"uid-1", "uid-2"}},
    {"foreign, its name carried by nobody", sees(foreign), {}},
    {"other hub namespace", sees(elsewhere), {}},
  });
}

TEST(MemberTable, CountsVersionsOnlyWhereAsked) {
  member_table table = synced_table(true);
  EXPECT_EQ(table.slices(applied(make_slice("s2", "uid-2", 15))).uids, uids{"uid-2"});
  EXPECT_TRUE(table.slices(applied(make_slice("s2", "uid-2", 15))).uids.empty());
  member_table quiet = synced_table();
  quiet.slices(applied(make_slice("s2", "uid-2", 15)));
  EXPECT_EQ(quiet.inputs_of("uid-2").slice->resource_version, "15");
}

TEST(MemberTable, TellsAVersionToWhoIsAwake) {
  member_table table = synced_table();
  table.wake("uid-1");
  EXPECT_EQ(table.slices(applied(named(make_slice("s1", "uid-1", 15), "e1"))).uids, uids{"uid-1"}) << "A9 seen again";
  EXPECT_EQ(table.exports(applied(make_export("e1", "hub-1", 31, "uid-1"))).uids, uids{"uid-1"});
  EXPECT_EQ(table.inputs_of("uid-1").hub.at(0).resource_version, "31");
}

TEST(MemberTable, JoinsTheThreeInputs) {
  member_table table = synced_table();
  const inputs one = table.inputs_of("uid-1");
  EXPECT_EQ(one.slice->key.name, "s1");
  EXPECT_EQ(one.says, consent::granted);
  EXPECT_FALSE(one.consent_proven);
  EXPECT_EQ(names(one, true), uids{"e1"});
  EXPECT_TRUE(one.slices_synced && one.consents_synced && one.hub_synced);

  const inputs api = table.inputs_of("uid-3");
  EXPECT_EQ(api.says, consent::absent);
  EXPECT_TRUE(api.consent_proven);
  EXPECT_EQ(table.inputs_of("uid-4").says, consent::absent); // C10: no label, no consent
  table.slices(applied(make_slice("s4", "uid-4", 16, "")));
  EXPECT_EQ(table.inputs_of("uid-4").says, consent::absent); // C18

  table.slices(deleted(make_slice("s1", "uid-1", 16)));
  const inputs gone = table.inputs_of("uid-1");
  EXPECT_TRUE(gone.gone && !gone.slice && !gone.leftover);
  EXPECT_EQ(gone.key.name, "s1");
  EXPECT_EQ(names(gone, true), uids{"e1"});
  EXPECT_FALSE(table.inputs_of("uid-9").gone);
}

TEST(MemberTable, IsSyncedFromTheFirstCompleteListOn) {
  member_table table{make_identity()};
  table.slices(
    changes<endpoint_slice>({{watch_change::init, {}}, {watch_change::applied, make_slice("s1", "uid-1", 1)}}));
  EXPECT_FALSE(table.synced(mirrored::slices));
  EXPECT_FALSE(table.inputs_of("uid-1").consent_proven);
  EXPECT_TRUE(table.slices(changes<endpoint_slice>({{watch_change::init_done, {}}})).all);
  EXPECT_TRUE(table.consents(listed<service_export>({})).all);
  EXPECT_TRUE(table.exports(listed<slice_export>({})).all);
  for (const auto collection : {mirrored::slices, mirrored::consents, mirrored::exports})
    EXPECT_TRUE(table.synced(collection));
  table.slices(changes<endpoint_slice>({{watch_change::init, {}}}));
  EXPECT_TRUE(table.synced(mirrored::slices));
  EXPECT_FALSE(table.slices(changes<endpoint_slice>({{watch_change::init_done, {}}})).all);
}

TEST(MemberTable, GivesAnExportOneOwner) {
  member_table table = synced_table();
  table.slices(applied(named(make_slice("s2", "uid-2", 15), "e1")));
  EXPECT_EQ(names(table.inputs_of("uid-1"), true), uids{"e1"});
  EXPECT_EQ(names(table.inputs_of("uid-2"), false), uids{"e1"}); // to any other slice it is foreign

  // A foreign hand turns the reference: the claim made first holds, so that its owner repairs it.
  auto turned = make_export("e1", "hub-1", 31, "uid-2");
  EXPECT_EQ(table.exports(applied(turned)).uids, (uids{"uid-1", "uid-2"}));
  EXPECT_EQ(names(table.inputs_of("uid-1"), true), uids{"e1"});

  // Another object under that name is judged afresh.
  auto other = make_export("e1", "hub-2", 32, "uid-2");
  EXPECT_EQ(table.exports(applied(other)).uids, (uids{"uid-1", "uid-2"}));
  EXPECT_EQ(names(table.inputs_of("uid-1"), false), uids{"e1"});
  EXPECT_EQ(names(table.inputs_of("uid-2"), true), uids{"e1"});

  // Our cluster id decides, not the UID alone.
  auto twin = make_export("e3", "hub-3", 33, "uid-1");
  twin.spec.reference.cluster = "m2";
  EXPECT_TRUE(table.exports(applied(twin)).uids.empty());
  EXPECT_TRUE(names(table.inputs_of("uid-1"), true).empty());
}

TEST(MemberTable, ClaimsWhatItsWriteCreated) {
  member_table table = synced_table();
  auto made = answer_to("uid-2");
  made.exported = make_export("e2", "hub-2", 31, "uid-3"); // as a webhook may have turned it
  const answer_effect effect = table.answered(made);
  EXPECT_EQ(effect.others.uids, uids{"uid-3"});
  ASSERT_TRUE(effect.end.exported);
  EXPECT_TRUE(effect.end.exported->mine);
  EXPECT_EQ(names(table.inputs_of("uid-2"), true), uids{"e2"});
  EXPECT_TRUE(table.inputs_of("uid-3").hub.empty());
  EXPECT_TRUE(table.exports(applied(*made.exported)).uids.empty()); // its echo
}

TEST(MemberTable, ReadsClaimNothing) {
  member_table table = synced_table();
  auto met = answer_to("uid-2", verdict::already_exists);
  met.read = true;
  met.exported = make_export("e2", "hub-2", 31, "uid-9");
  met.exported->spec.reference.cluster = "m2";
  const answer_effect effect = table.answered(met);
  EXPECT_FALSE(effect.end.exported->mine);
  EXPECT_EQ(effect.end.how, verdict::already_exists);
  EXPECT_EQ(effect.end.ticket, 7U);
  EXPECT_TRUE(effect.others.uids.empty());
}

TEST(MemberTable, TakesTheSliceOfAnAnswer) {
  struct row {
    const char* name;
    endpoint_slice slice;
    bool answered;
    uids others;
    const char* version; // held of uid-2 afterwards; empty: gone
  };
  const row table[] = {
    {"newer", make_slice("s2", "uid-2", 15), true, {}, "15"},
    {"LW23 older than the watch", make_slice("s2", "uid-2", 9), true, {}, "11"},
    {"LW22 a successor was read", make_slice("s2", "uid-9", 15), false, {"uid-9"}, ""},
  };
  for (const auto& [name, slice, answered, others, version] : table) {
    SCOPED_TRACE(name);
    member_table held = synced_table();
    auto answer = answer_to("uid-2");
    answer.slice = slice;
    const answer_effect effect = held.answered(answer);
    EXPECT_EQ(effect.end.slice_answered, answered);
    EXPECT_EQ(effect.others.uids, others);
    const inputs seen = held.inputs_of("uid-2");
    EXPECT_EQ(seen.slice ? seen.slice->resource_version : "", version);
    EXPECT_EQ(seen.gone, seen.slice == nullptr);
  }
}

TEST(MemberTable, TakesTheAbsenceThatAnAnswerProves) {
  struct row {
    const char* name;
    verdict how;
    bool read;
    const char* hub_uid;
    bool dropped;
  };
  const row table[] = {
    {"deleted", verdict::done, false, "hub-1", true},
    {"404 of a change", verdict::missing, false, "hub-1", true},
    {"namespace gone", verdict::namespace_missing, false, "hub-1", true},
    {"other UID", verdict::other_uid, false, "hub-1", true},
    {"read and not there", verdict::ambiguous, true, "hub-1", true},
    {"not read", verdict::ambiguous, false, "hub-1", false},
    {"read, but of an earlier object", verdict::ambiguous, true, "hub-0", false},
    {"member write", verdict::missing, true, "", false},
    {"member write done", verdict::done, false, "", false},
    {"refused", verdict::refused, false, "hub-1", false},
  };
  for (const auto& [name, how, read, hub_uid, dropped] : table) {
    SCOPED_TRACE(name);
    member_table held = synced_table();
    auto answer = answer_to("uid-1", how);
    answer.read = read;
    answer.hub_uid = hub_uid;
    EXPECT_FALSE(held.answered(answer).end.exported);
    EXPECT_EQ(held.inputs_of("uid-1").hub.empty(), dropped);
    if (!dropped)
      continue;
    // The echoes of earlier writes are still under way; they must not make it be deleted again.
    for (const int version : {30, 31})
      EXPECT_TRUE(held.exports(applied(make_export("e1", "hub-1", version, "uid-1"))).uids.empty());
    EXPECT_TRUE(held.exports(deleted(make_export("e1", "hub-1", 32, "uid-1"))).uids.empty());
    held.exports(listed<slice_export>({make_export("e1", "hub-1", 5, "uid-1")}));
    EXPECT_EQ(names(held.inputs_of("uid-1"), true), uids{"e1"}) << "LW07 a restored backup";
  }
}

TEST(MemberTable, LetsNoAnswerReviveTheDead) {
  member_table table = synced_table();
  table.slices(deleted(make_slice("s2", "uid-2", 15)));
  auto late = answer_to("uid-2");
  late.slice = make_slice("s2", "uid-2", 99);
  EXPECT_FALSE(table.answered(late).end.slice_answered);
  EXPECT_TRUE(table.inputs_of("uid-2").gone);

  table.exports(deleted(make_export("e1", "hub-1", 31, "uid-1")));
  auto posted = answer_to("uid-1");
  posted.exported = make_export("e1", "hub-1", 99, "uid-1");
  table.answered(posted);
  EXPECT_TRUE(table.inputs_of("uid-1").hub.empty());
}

TEST(MemberTable, LetsNoAnswerSayWhatALaterListDenies) {
  member_table table = synced_table();
  slice_export version;
  version.resource_version = "105";
  table.exports(changes<slice_export>({{watch_change::init, {}}, {watch_change::init_done, version}}));
  auto posted = answer_to("uid-2");
  posted.exported = make_export("e2", "hub-2", 100, "uid-2");
  table.answered(posted);
  EXPECT_TRUE(table.inputs_of("uid-2").hub.empty());
}

TEST(MemberTable, StartsAnewAfterARestoredBackup) {
  member_table table = synced_table();
  table.slices(deleted(make_slice("s3", "uid-3", 90, "api")));
  table.slices(applied(make_slice("s2", "uid-2", 95, "api")));
  // LW07: the world of yesterday, with lower versions; uid-3 lives again.
  table.slices(listed<endpoint_slice>({make_slice("s2", "uid-2", 5), make_slice("s3", "uid-3", 6, "api")}));
  EXPECT_EQ(table.inputs_of("uid-2").slice->resource_version, "5");
  EXPECT_EQ(table.inputs_of("uid-2").says, consent::granted);
  EXPECT_FALSE(table.inputs_of("uid-3").gone);
  EXPECT_TRUE(table.inputs_of("uid-1").gone);
  EXPECT_EQ(table.slices(applied(make_slice("s3", "uid-3", 7))).uids, uids{"uid-3"});
}

} // namespace
} // namespace sliceferry::core
