#include "actors/explain_desk.hpp"
#include "actors/explanation_report.hpp"
#include "test/actors/exported.hpp"
#include "test/actors/mirror_world.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;

/// Puts the question to the member's dispatcher and lets happen what takes no time.
member_told ask(mirror_world& world, const std::string& name, const std::string& member = "m1") {
  const auto came = std::make_shared<std::optional<member_told>>();
  const slice_question asked{{"shop", name}, [came](member_told told) { *came = std::move(told); }};
  tell_from_thread(world.dispatchers.at(member), question_put{std::make_shared<const slice_question>(asked)});
  world.settle();
  EXPECT_TRUE(*came) << "it is answered at once";
  return came->value_or(member_told{});
}

core::explanation ask_one(mirror_world& world, const std::string& name, const std::string& member = "m1") {
  auto told = ask(world, name, member);
  EXPECT_EQ(told.found.size(), 1U);
  return told.found.empty() ? core::explanation{} : std::move(told.found.front());
}

struct granted_world {
  granted_world() {
    clusters.put_slice("m1", "web-1", "10.0.0.1");
    clusters.grant("m1");
  }

  fake_fleet clusters;
  mirror_world world{clusters};
};

TEST(ExplainActors, OfASettledSliceSaysWhatItRemembers) {
  granted_world here;
  here.world.sync();
  ASSERT_TRUE(here.world.finish());
  const auto calls = here.world.requests.size();
  const auto told = ask_one(here.world, "web-1");
  EXPECT_EQ(told.stands, core::standing::exported);
  EXPECT_EQ(told.member, "m1");
  EXPECT_EQ(told.uid, here.clusters.slice("m1", "web-1").uid);
  ASSERT_EQ(told.exports.size(), 1U);
  EXPECT_EQ(told.exports[0].name, here.clusters.exports("m1").at(0).key.name);
  EXPECT_EQ(told.exports[0].equivalent, true);
  ASSERT_TRUE(told.runs);
  EXPECT_FALSE(told.runs->awake);
  EXPECT_EQ(told.runs->names_chosen, 1U) << "the memory that its exporter left";
  EXPECT_TRUE(told.runs->hub.wishes.empty());
  EXPECT_EQ(here.world.requests.size(), calls) << "a question costs no request";
  EXPECT_EQ(here.world.awake(), 0) << "and wakes nobody";
}

TEST(ExplainActors, OfAWriteInFlightSaysSo) {
  granted_world here;
  here.world.shut("hub");
  here.world.sync();
  const auto told = ask_one(here.world, "web-1");
  EXPECT_EQ(told.stands, core::standing::exporting);
  ASSERT_TRUE(told.runs && told.runs->out);
  EXPECT_TRUE(told.runs->awake);
  EXPECT_EQ(name_of(*told.runs->out), "apply");
  ASSERT_EQ(told.runs->hub.wishes.size(), 1U);
  EXPECT_EQ(told.runs->hub.wishes[0].is, core::wish_state::in_flight);
  EXPECT_TRUE(told.runs->member.wishes.empty()) << "the annotate is done";
  here.world.open("hub");
  ASSERT_TRUE(here.world.finish());
  EXPECT_EQ(ask_one(here.world, "web-1").stands, core::standing::exported);
}

TEST(ExplainActors, OfACommandBehindTheJournalSaysSo) {
  granted_world here;
  here.world.journal_of_test.holds = true;
  here.world.sync();
  here.world.pass(3s);
  const auto told = ask_one(here.world, "web-1");
  ASSERT_TRUE(told.runs && told.runs->out);
  ASSERT_EQ(told.runs->member.wishes.size(), 1U);
  const auto& wish = told.runs->member.wishes[0];
  EXPECT_EQ(wish.what, *told.runs->out);
  EXPECT_EQ(wish.is, core::wish_state::behind_journal);
  EXPECT_EQ(wish.age, 3s);
  EXPECT_EQ(wish.next_try, std::nullopt);
  EXPECT_TRUE(told.runs->hub.wishes.empty());
  EXPECT_NE(to_text(told).find("waiting for the journal"), std::string::npos);
  here.clusters.put_slice("m1", "web-2", "10.0.0.2");
  here.world.tell();
  here.world.settle();
  EXPECT_EQ(ask_one(here.world, "web-1").runs->member.wishes.size(), 1U) << "its own alone";
  here.world.journal_of_test.holds = false;
  here.world.journal_of_test.sync();
  ASSERT_TRUE(here.world.finish());
  EXPECT_TRUE(ask_one(here.world, "web-1").runs->member.wishes.empty());
}

TEST(ExplainActors, OfARefusedExportSaysWhyAndWhenItIsTriedAgain) {
  granted_world here;
  here.world.sabotage = [&](std::size_t) -> std::optional<fault> {
    if (here.world.requests.back().method != k8s::http_method::post)
      return std::nullopt;
    return fault{false, k8s::http_response{403, {}, status_body(403, "Forbidden", "exceeded quota: exports")}};
  };
  here.world.sync();
  here.world.pass(2s);
  const auto told = ask_one(here.world, "web-1");
  EXPECT_EQ(told.stands, core::standing::exporting);
  ASSERT_TRUE(told.runs);
  ASSERT_EQ(told.runs->hub.wishes.size(), 1U);
  const auto& wish = told.runs->hub.wishes[0];
  EXPECT_EQ(wish.is, core::wish_state::parked);
  EXPECT_EQ(wish.failures, 1U);
  ASSERT_TRUE(wish.last_error);
  EXPECT_EQ(wish.last_error->code, errc::quota);
  EXPECT_NE(wish.last_error->text.find("exceeded quota: exports"), std::string::npos);
  ASSERT_TRUE(wish.next_try);
  const auto tries = here.world.requests.size();
  here.world.pass(*wish.next_try - 1s);
  EXPECT_EQ(here.world.requests.size(), tries);
  here.world.pass(2s);
  EXPECT_EQ(here.world.requests.size(), tries + 1) << "it is tried when that was said";
}

TEST(ExplainActors, OfAServerThatIsAwaySaysThatAllWaitForIt) {
  granted_world here;
  here.world.sabotage = [&](std::size_t) -> std::optional<fault> {
    if (here.world.requests.back().method != k8s::http_method::post)
      return std::nullopt;
    return fault{false, failure{errc::unavailable, "connection refused", {}, 0}};
  };
  here.world.sync();
  here.world.pass(10s);
  const auto told = ask_one(here.world, "web-1");
  ASSERT_TRUE(told.runs);
  ASSERT_EQ(told.runs->hub.wishes.size(), 1U);
  EXPECT_EQ(told.runs->hub.wishes[0].is, core::wish_state::behind_server);
  EXPECT_EQ(told.runs->hub.wishes[0].last_error->text, "connection refused");
  EXPECT_TRUE(told.runs->hub.wishes[0].next_try);
}

TEST(ExplainActors, OfASliceThatTheGuardHoldsNamesTheGuard) {
  exported here;
  here.list_nothing();
  const auto told = ask_one(here.world, "web-7");
  EXPECT_EQ(told.stands, core::standing::held);
  EXPECT_EQ(told.by, core::explained_rule::leave);
  EXPECT_EQ(told.why, proof::gone);
  EXPECT_FALSE(told.owed);
  ASSERT_EQ(told.exports.size(), 1U);
}

TEST(ExplainActors, OfAnUnknownSliceSaysWhatWasLookedAt) {
  granted_world here;
  auto told = ask(here.world, "web-2");
  EXPECT_FALSE(told.slices_synced) << "nothing was listed yet";
  here.world.sync();
  ASSERT_TRUE(here.world.finish());
  told = ask(here.world, "web-2");
  EXPECT_TRUE(told.found.empty());
  EXPECT_TRUE(told.slices_synced && told.exports_synced);
  EXPECT_EQ(told.slices, 1U);
  EXPECT_EQ(told.near, (std::vector<object_key>{{"shop", "web-1"}}));
}

TEST(ExplainActors, OfASliceMadeAnewTellsOfTheOldOneToo) {
  granted_world here;
  here.world.sync();
  ASSERT_TRUE(here.world.finish());
  const auto old = here.clusters.slice("m1", "web-1").uid;
  here.world.shut("hub");
  here.clusters.delete_slice("m1", "web-1");
  here.clusters.put_slice("m1", "web-1", "10.0.0.2");
  here.world.tell();
  const auto told = ask(here.world, "web-1").found;
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].uid, here.clusters.slice("m1", "web-1").uid) << "the one that is there comes first";
  EXPECT_EQ(told[0].stands, core::standing::exporting);
  EXPECT_EQ(told[1].uid, old);
  EXPECT_EQ(told[1].stands, core::standing::withdrawing);
  here.world.open("hub");
  ASSERT_TRUE(here.world.finish());
}

TEST(ExplainActors, OfALeftoverTellsWhileItIsOnlySuspected) {
  granted_world here;
  here.clusters.put_export("m1", "old", "gone-1", "u-gone");
  here.world.shut("m1"); // the read that would prove that it is gone stays unanswered
  here.world.sync();
  const auto told = ask_one(here.world, "gone-1");
  EXPECT_EQ(told.uid, "u-gone");
  EXPECT_EQ(told.slice.name, "gone-1");
  EXPECT_EQ(told.stands, core::standing::undecided);
  EXPECT_EQ(told.by, core::explained_rule::presence);
  ASSERT_EQ(told.exports.size(), 1U);
  EXPECT_EQ(told.exports[0].name, "old");
  EXPECT_EQ(told.exports[0].whose, core::owner_seen::this_slice);
}

TEST(ExplainActors, OfANameThatAnotherSliceHasSaysWhose) {
  granted_world here;
  here.world.sync();
  ASSERT_TRUE(here.world.finish());
  const auto taken = here.clusters.exports("m1").at(0).key.name;
  here.world.shut("m1");
  here.clusters.put_slice("m1", "web-2", "10.0.0.2");
  here.clusters.members.at("m1").write(
    slice_path("web-2"),
    R"({"metadata":{"annotations":{"networking.fleet.azure.com/fleet-unique-name":")" + taken + R"("}}})");
  here.world.tell();
  here.world.settle();
  const auto told = ask_one(here.world, "web-2");
  ASSERT_EQ(told.exports.size(), 1U);
  EXPECT_EQ(told.exports[0].name, taken);
  EXPECT_EQ(told.exports[0].whose, core::owner_seen::another_slice);
}

struct answered {
  explicit answered(explain_desk& desk, mirror_world& world, const asked_path& asked) {
    desk.pages().at("/explain/")(asked, [this](admin_answer told) { page = std::move(told); });
    world.settle();
  }
  std::optional<admin_answer> page;
};

void attach(explain_desk& desk, mirror_world& world, const std::string& member) {
  desk.attach(member, [to = world.dispatchers.at(member)](slice_question asked) {
    tell_from_thread(to, question_put{std::make_shared<const slice_question>(std::move(asked))});
  });
}

TEST(ExplainDesk, AsksAllMembersOrTheOneThatIsNamed) {
  fake_fleet clusters({"m1", "m2"});
  for (const char* member : {"m1", "m2"}) {
    clusters.put_slice(member, "web-1", "10.0.0.1");
    clusters.grant(member);
  }
  clusters.put_slice("m2", "db-1", "10.0.0.1");
  mirror_world world(clusters);
  explain_desk desk({"m1", "m2"}, 2);
  world.sync();
  ASSERT_TRUE(world.finish());
  const auto has = [](const answered& from, const std::string& part) {
    return from.page && from.page->body.find(part) != std::string::npos;
  };
  const answered early(desk, world, {"/explain/shop/web-1", {}});
  ASSERT_TRUE(early.page);
  EXPECT_EQ(early.page->status, 503U) << "nobody is there to be asked";
  EXPECT_TRUE(has(early, "m1, m2"));
  attach(desk, world, "m1");
  attach(desk, world, "m2");
  const answered both(desk, world, {"/explain/shop/web-1", {{"output", "json"}}});
  EXPECT_EQ(both.page->status, 200U);
  EXPECT_TRUE(has(both, R"("member":"m1")") && has(both, R"("member":"m2","uid")"));
  const answered one(desk, world, {"/explain/shop/web-1", {{"member", "m2"}, {"output", "json"}}});
  EXPECT_TRUE(has(one, R"("member":"m2","uid")"));
  EXPECT_FALSE(has(one, R"("member":"m1")"));
  const answered other(desk, world, {"/explain/shop/db-1", {}});
  EXPECT_EQ(other.page->status, 200U) << "one knows it";
  const answered none(desk, world, {"/explain/shop/nowhere", {}});
  EXPECT_EQ(none.page->status, 404U);
  EXPECT_TRUE(has(none, "m1") && has(none, "m2")) << none.page->body;
}

TEST(ExplainDesk, RefusesWhatIsNoQuestion) {
  fake_fleet clusters;
  mirror_world world(clusters);
  explain_desk desk({"m1"}, 1);
  attach(desk, world, "m1");
  const struct {
    asked_path asked;
    unsigned status;
  } table[] = {
    {{"/explain", {}}, 400},
    {{"/explain/", {}}, 400},
    {{"/explain/shop", {}}, 400},
    {{"/explain/shop/", {}}, 400},
    {{"/explain//web", {}}, 400},
    {{"/explain/a/b/c", {}}, 400},
    {{"/explain/a/b", {{"output", "xml"}}}, 400},
    {{"/explain/a/b", {{"member", "m9"}}}, 400},
  };
  for (const auto& [asked, status] : table) {
    SCOPED_TRACE(asked.path);
    const answered told(desk, world, asked);
    ASSERT_TRUE(told.page);
    EXPECT_EQ(told.page->status, status);
  }
  const answered refused(desk, world, {"/explain/a/b", {{"member", "m9"}, {"output", "json"}}});
  EXPECT_EQ(refused.page->content_type, "application/json");
  EXPECT_EQ(refused.page->body, "{\"error\":\"there is no member m9; there is m1\"}\n");
  std::vector<slice_question> kept;
  desk.attach("m1", [&](slice_question asked) { kept.push_back(std::move(asked)); });
  answered open(desk, world, {"/explain/a/b", {}});
  EXPECT_FALSE(open.page);
  EXPECT_EQ(answered(desk, world, {"/explain/a/b", {}}).page->status, 503U) << "one at a time here";
  kept.clear(); // whoever was asked is gone
  ASSERT_TRUE(open.page) << "an asker whom nobody can answer any more is told so";
  EXPECT_EQ(open.page->status, 503U);
  desk.detach();
  EXPECT_EQ(answered(desk, world, {"/explain/a/b", {}}).page->status, 503U);
}

} // namespace
} // namespace sliceferry
