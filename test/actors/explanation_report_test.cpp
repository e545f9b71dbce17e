#include "actors/explanation_report.hpp"
#include "actors/explanation_words.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;

const seconds_utc morning{std::chrono::sys_days{std::chrono::year{2026} / 11 / 30} + 9h};

core::explanation short_one() {
  core::explanation out;
  out.member = "m1";
  out.slice = {"shop", "web-a"};
  out.uid = "u1";
  out.stands = core::standing::not_exported;
  out.conclusion = "not exported: it is \"x\"";
  out.by = core::explained_rule::address_type;
  out.rules = {{core::explained_rule::address_type, core::ruling::fails, "its address type is IPv6"},
               {core::explained_rule::consent, core::ruling::not_reached, {}}};
  return out;
}

core::explanation long_one() {
  auto out = short_one();
  out.stands = core::standing::exporting;
  out.why = proof::gone;
  out.name = core::name_found{core::name_rule::as_is, "n", "the slice goes by it"};
  out.since = core::since_found{3, morning, "seen"};
  out.owed = withdraw_export{"old", "h2", proof::superseded};
  out.exports = {{"n", "h1", "7", 3, morning, core::owner_seen::this_slice, false, true},
                 {"old", "h2", "8", 2, {}, core::owner_seen::foreign, true, {}}};
  core::activity runs;
  runs.awake = true;
  runs.out = out.owed;
  runs.undone = 2;
  core::wish_tale wish;
  wish.what = *out.owed;
  wish.is = core::wish_state::parked;
  wish.failures = 3;
  wish.age = 61s;
  wish.next_try = 24'600ms;
  wish.last_error = failure{errc::quota, "over it", {}, 403};
  runs.hub.wishes = {wish};
  out.runs = runs;
  return out;
}

TEST(ExplanationReport, IsJsonWithStableFields) {
  EXPECT_EQ(to_json(short_one()),
            R"({"namespace":"shop","name":"web-a","member":"m1","uid":"u1","status":"not_exported",)"
            R"("conclusion":"not exported: it is \"x\"","decided_by":"address_type","rules":[)"
            R"({"rule":"address_type","verdict":"fails","evidence":"its address type is IPv6"},)"
            R"({"rule":"consent","verdict":"not_reached"}],"owed":"unknown","exports":[]})"
            "\n");
  EXPECT_EQ(to_json(long_one()),
            R"({"namespace":"shop","name":"web-a","member":"m1","uid":"u1","status":"exporting",)"
            R"("conclusion":"not exported: it is \"x\"","decided_by":"address_type","proof":"gone","rules":[)"
            R"({"rule":"address_type","verdict":"fails","evidence":"its address type is IPv6"},)"
            R"({"rule":"consent","verdict":"not_reached"}],)"
            R"("export_name":"n","name_rule":"as_is","name_evidence":"the slice goes by it",)"
            R"("generation":3,"exported_since":"2026-11-30T09:00:00Z","since_evidence":"seen",)"
            R"j("owed":"withdraw","owed_text":"delete export old (superseded)","exports":[)j"
            R"({"name":"n","uid":"h1","resource_version":"7","generation":3,"exported_since":"2026-11-30T09:00:00Z",)"
            R"("owner":"this_slice","terminating":false,"equivalent":true},)"
            R"({"name":"old","uid":"h2","resource_version":"8","generation":2,"owner":"foreign","terminating":true}],)"
            R"j("awake":true,"out":"withdraw","out_text":"delete export old (superseded)","undone":2,"work":[)j"
            R"j({"writer":"hub","command":"withdraw","text":"delete export old (superseded)","state":"parked",)j"
            R"("only_reads":false,"failures":3,"age_ms":61000,"next_try_ms":24600,)"
            R"("last_error":"quota (HTTP 403): over it"}]})"
            "\n");
}

std::size_t at(const std::string& text, const std::string& part) {
  const auto found = text.find(part);
  EXPECT_NE(found, std::string::npos) << part << " in\n" << text;
  return found;
}

TEST(ExplanationReport, TellsPeopleTheReasonFirst) {
  const auto text = to_text(long_one());
  EXPECT_EQ(text.find("shop/web-a: not exported: it is"), 0U) << text;
  const char* order[] = {"Status:", "Proof:",       "Export name:", "Exported since:", "Owed:",
                         "Rules:",  "Hub exports:", "this slice",   "Writes:",         "last error"};
  std::size_t before = 0;
  for (const char* part : order) {
    EXPECT_GT(at(text, part), before);
    before = at(text, part);
  }
  at(text, "refused 3 times");
  at(text, "next try in 25 s");
  at(text, "quota (HTTP 403): over it");
  at(text, "somebody else undid this export 2 times");
  const auto alone = to_text(short_one());
  EXPECT_EQ(alone.find("Writes:"), std::string::npos) << "no program was asked";
  at(alone, "Answered by:    the clusters alone");
  at(alone, "Owed:           unknown");
  EXPECT_EQ(text.find("Answered by:"), std::string::npos);
}

TEST(ExplanationReport, AlignsItsColumns) {
  const auto text = to_text(long_one());
  const auto column = [&](const std::string& part) {
    const auto place = at(text, part);
    return place - text.rfind('\n', place);
  };
  EXPECT_EQ(column("UID   "), column("h1   "));
  EXPECT_EQ(column("h1   "), column("h2   "));
  EXPECT_EQ(column("OF   "), column("foreign"));
}

TEST(ExplanationReport, LetsNobodyWriteToTheTerminal) {
  auto told = long_one();
  told.rules[0].evidence = "evil \x1b[2J name\nRules: none \xff";
  told.exports[0].name = "a\x1b]0;x\a";
  told.runs->hub.wishes[0].last_error->text = "Authorization: Bearer eyJhbGciOi.eyJzdWIi.c2VjcmV0";
  for (const auto& text : {to_text(told), to_json(told)}) {
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find('\a'), std::string::npos);
    EXPECT_EQ(text.find("\nRules: none"), std::string::npos);
    EXPECT_EQ(text.find("\xff"), std::string::npos);
    EXPECT_EQ(text.find("eyJ"), std::string::npos) << "nothing secret";
  }
}

TEST(ExplanationReport, SaysOfANewNameThatThereIsNoneYet) {
  auto told = short_one();
  told.owed = annotate_slice{{"shop", "web-a"}, "u1", "invented", 3, morning, false};
  told.name_is_made_up = true;
  for (const auto& text : {to_text(told), to_json(told)}) {
    EXPECT_EQ(text.find("invented"), std::string::npos);
    at(text, "a new name");
  }
}

TEST(ExplanationReport, FollowsFromWhatMembersTell) {
  member_told knows{"m1", {short_one()}, true, true, 7, {}, false};
  member_told other{"m2", {}, true, true, 9, {{"shop", "web-b"}}, false};
  member_told half{"m3", {}, false, true, 1, {}, false};
  member_told busy{"m4", {}, true, true, {}, {}, true};
  member_told read{"m5", {}, true, true, {}, {}, false};
  const object_key where{"shop", "web-a"};
  struct row {
    const char* name;
    std::vector<member_told> told;
    std::vector<std::string> silent;
    unsigned status;
    std::vector<std::string> parts;
  };
  const row table[] = {
    {"found", {knows, other}, {}, 200, {"shop/web-a: not exported", "Rules:"}},
    {"found, though one is silent", {knows}, {"m2"}, 200, {"Rules:", "no answer came from m2"}},
    {"nowhere", {other}, {}, 404, {"nothing is known", "m2", "among 9", "shop/web-b", "sliceferry history shop/web-a"}},
    {"not known yet", {half}, {}, 404, {"list of slices is not complete"}},
    {"not looked for", {busy}, {}, 503, {"ask again"}},
    {"no answer", {}, {"m1"}, 503, {"m1"}},
    {"no answer of the one who may know it", {other}, {"m1"}, 503, {"no member that answered knows", "from m1"}},
    {"read from the clusters", {read}, {}, 404, {"it holds no such slice"}},
  };
  for (const auto& [name, told, silent, status, parts] : table) {
    SCOPED_TRACE(name);
    const auto page = report(where, told, silent, false);
    EXPECT_EQ(page.status, status);
    for (const auto& part : parts)
      at(page.body, part);
    EXPECT_EQ(page.body.find("Rules:") == std::string::npos, status != 200);
    EXPECT_EQ(report(where, told, silent, true).status, status);
  }
  EXPECT_EQ(
    report(where, {other}, {"m9"}, true).body,
    R"({"answered_by":"the running program","namespace":"shop","name":"web-a","found":[],"members":[{"member":"m2","slices":9,)"
    R"("slices_synced":true,"exports_synced":true,"near":["shop/web-b"]}],"silent":["m9"]})"
    "\n");
  EXPECT_EQ(report(where, {knows}, {}, true).content_type, "application/json");
  at(report(where, {knows}, {}, true, answerer::clusters_alone).body, R"({"answered_by":"the clusters alone",)");
}

TEST(ExplanationWords, RoundUpWhatIsWaitedFor) {
  EXPECT_EQ(seconds_of(0ns), "0 s");
  EXPECT_EQ(seconds_of(1ns), "0.1 s");
  EXPECT_EQ(seconds_of(1s), "1 s");
  EXPECT_EQ(seconds_of(1s + 1ns), "1.1 s");
  EXPECT_EQ(seconds_of(24'600ms), "25 s");
  EXPECT_EQ(seconds_of(-5s), "0 s");
  EXPECT_EQ(times(1), "once");
  EXPECT_EQ(times(2), "2 times");
}

} // namespace
} // namespace sliceferry
