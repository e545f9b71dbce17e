#include "actors/core/explain.hpp"

#include "test/core/picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace sliceferry::core {
namespace {

using change = std::function<void(picture&)>;
using rule = explained_rule;

explanation explain_now(const memory& held, const inputs& seen) {
  return explain(m1, held, seen, nullptr, noon);
}

const finding& find(const explanation& told, explained_rule which) {
  return *std::ranges::find(told.rules, which, &finding::rule);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const change deleting = [](picture& p) { p.slice.deleting = true; };
const auto typed = [](const char* type) -> change { return [=](picture& p) { p.slice.address_type = type; }; };
const auto none = [](picture&) {};

struct deciding_row {
  const char* name;
  change how;
  consent says;
  rule by;
  ruling is;
  standing fresh;  ///< of a slice that wasn't exported before
  standing before; ///< of one that was
  const char* evidence;
};

const deciding_row deciding_rows[] = {
  {"C15 granted", none, consent::granted, rule::consent, ruling::passes, standing::exporting, standing::exported,
   "ServiceExport shop/web is valid"},
  {"C18 no name", [](picture& p) { p.slice.service = ""; }, consent::absent, rule::consent, ruling::fails,
   standing::not_exported, standing::withdrawing, "label is empty"},
  {"D21 IPv6", typed("IPv6"), consent::granted, rule::address_type, ruling::fails, standing::not_exported,
   standing::withdrawing, "IPv6"},
  {"A4 FQDN", typed("FQDN"), consent::granted, rule::address_type, ruling::fails, standing::not_exported,
   standing::withdrawing, "FQDN"},
  {"C73 IPv6 without consent", typed("IPv6"), consent::absent, rule::address_type, ruling::fails,
   standing::not_exported, standing::withdrawing, "IPv6"},
  {"C61 no label", [](picture& p) { p.slice.service.reset(); }, consent::absent, rule::service, ruling::fails,
   standing::not_exported, standing::withdrawing, "no label"},
  {"C60 no ServiceExport", none, consent::absent, rule::consent, ruling::fails, standing::not_exported,
   standing::withdrawing, "there is no ServiceExport shop/web"},
  {"law 3 unproven", [](picture& p) { p.seen.consent_proven = false; }, consent::absent, rule::consent, ruling::unknown,
   standing::undecided, standing::undecided, "nothing proves yet"},
  {"C62 invalid", none, consent::invalid, rule::consent, ruling::fails, standing::not_exported, standing::withdrawing,
   "not valid"},
  {"C62 conflict", none, consent::conflicted, rule::consent, ruling::fails, standing::not_exported,
   standing::withdrawing, "in conflict"},
  {"C17 deleting", none, consent::deleting, rule::consent, ruling::fails, standing::not_exported, standing::withdrawing,
   "is being deleted"},
  {"D30 pending", none, consent::pending, rule::consent, ruling::unknown, standing::not_exported, standing::undecided,
   "not judged yet"},
  {"C14 slice deleting", deleting, consent::granted, rule::deleting, ruling::fails, standing::not_exported,
   standing::withdrawing, "deletionTimestamp"},
  {"D32 namespace of imports", [](picture& p) { p.slice.key.nspace = "fleet-system"; }, consent::granted,
   rule::imported, ruling::fails, standing::not_exported, standing::withdrawing, "fleet-system"},
  {"D32 importer", [](picture& p) { p.slice.managed_by = importer_manager; }, consent::granted, rule::imported,
   ruling::fails, standing::not_exported, standing::withdrawing, "managed by"},
  {"slices not synced", [](picture& p) { p.seen.slices_synced = false; }, consent::granted, rule::synced,
   ruling::unknown, standing::undecided, standing::undecided, "no complete list yet of slices"},
  {"consents not synced", [](picture& p) { p.seen.consents_synced = false; }, consent::granted, rule::synced,
   ruling::unknown, standing::undecided, standing::undecided, "ServiceExports"},
  {"hub not synced", [](picture& p) { p.seen.hub_synced = false; }, consent::granted, rule::synced, ruling::unknown,
   standing::undecided, standing::undecided, "exports"},
  {"leaving", [](picture& p) { p.seen.leaving = true; }, consent::granted, rule::leaving, ruling::fails,
   standing::not_exported, standing::withdrawing, "m1 leave the fleet"},
};

TEST(Explain, NamesTheRuleThatDecides) {
  for (const auto& [name, how, says, by, is, fresh, before, evidence] : deciding_rows) {
    SCOPED_TRACE(name);
    for (const bool was_exported : {false, true}) {
      SCOPED_TRACE(was_exported ? "exported before" : "not exported before");
      const auto shown = was_exported ? picture{}.named("n").exported("n", "h1") : picture{};
      const auto told = explain_now({}, shown.with(how).says(says));
      EXPECT_EQ(told.by, by) << to_string(told.by);
      EXPECT_EQ(find(told, by).is, is);
      EXPECT_TRUE(has(find(told, by).evidence, evidence)) << find(told, by).evidence;
      EXPECT_EQ(told.stands, was_exported ? before : fresh) << to_string(told.stands);
      EXPECT_TRUE(has(told.conclusion, by == rule::consent && is == ruling::passes ? "exported" : evidence))
        << told.conclusion;
    }
  }
}

TEST(Explain, OfAnAbsentSliceSaysItsProof) {
  const auto shown = picture{}.exported("n", "h1");
  const struct {
    const char* name;
    inputs seen;
    ruling is;
    standing stands;
    std::optional<proof> why;
    const char* evidence;
  } table[] = {
    {"unproven", shown.without_slice(false), ruling::unknown, standing::undecided, {}, "nothing proves"},
    {"gone", shown.without_slice(true), ruling::fails, standing::withdrawing, proof::gone, "DELETE or a complete list"},
    {"leftover", shown.without_slice(true, true), ruling::fails, standing::withdrawing, proof::leftover, "a read"},
    {"gone and nothing left", picture{}.without_slice(true), ruling::fails, standing::not_exported, {}, "gone"},
  };
  for (const auto& [name, seen, is, stands, why, evidence] : table) {
    SCOPED_TRACE(name);
    const auto told = explain_now({}, seen);
    EXPECT_EQ(told.slice, (object_key{"shop", "web-a"}));
    EXPECT_EQ(told.by, rule::presence);
    EXPECT_EQ(find(told, rule::presence).is, is);
    EXPECT_EQ(told.stands, stands);
    EXPECT_EQ(told.why, why);
    EXPECT_TRUE(has(told.conclusion, evidence)) << told.conclusion;
    EXPECT_FALSE(told.name) << "what isn't to be exported needs no name";
  }
}

TEST(Explain, NamesTheGuardThatHoldsAWithdrawal) {
  auto seen = picture{}.named("n").exported("n", "h1").without_slice(true);
  seen.leave = false;
  const auto told = explain_now({}, seen);
  EXPECT_EQ(told.stands, standing::held);
  EXPECT_EQ(told.by, rule::leave);
  EXPECT_EQ(find(told, rule::leave).is, ruling::fails);
  EXPECT_TRUE(has(told.conclusion, "guard")) << told.conclusion;
  EXPECT_TRUE(has(told.conclusion, "gone")) << told.conclusion;
  EXPECT_FALSE(told.owed);
  auto seen_forbidden = inputs(picture{}.named("n").exported("n", "h1").says(consent::invalid));
  seen_forbidden.leave = false;
  EXPECT_EQ(find(explain_now({}, seen_forbidden), rule::leave).is, ruling::not_reached)
    << "what was seen needs no leave";
}

TEST(Explain, NamesTheRuleOfTheName) {
  auto withdrawn = exported_as("n");
  withdrawn.withdrawals.push_back({"n", "h1", proof::seen, true});
  const auto pending = replay({generation_seen{3, morning}, name_chosen{"chosen"}});
  const struct {
    const char* name;
    memory held;
    picture shown;
    name_rule by;
    const char* called;
  } table[] = {
    {"rule 1", pending, picture{}, name_rule::pending, "chosen"},
    {"rule 2", withdrawn, picture{}.named("n"), name_rule::renewed, ""},
    {"rule 3", {}, picture{}.named("n").exported("n", "h1"), name_rule::as_is, "n"},
    {"rule 4", {}, picture{}.exported("n", "h1"), name_rule::kept, "n"},
    {"rule 5 none", {}, picture{}, name_rule::fresh, ""},
    {"rule 5 invalid", {}, picture{}.named("x_y"), name_rule::fresh, ""},
    {"rule 5 foreign", {}, picture{}.named("n").foreign("n"), name_rule::fresh, ""},
  };
  for (const auto& [name, held, shown, by, called] : table) {
    SCOPED_TRACE(name);
    const auto told = explain_now(held, shown);
    ASSERT_TRUE(told.name);
    EXPECT_EQ(told.name->by, by) << to_string(told.name->by);
    EXPECT_EQ(told.name->name, called);
    EXPECT_EQ(told.name_is_made_up, std::string(called).empty()) << "a name that nobody has chosen isn't told";
  }
}

TEST(Explain, TellsOfEachExport) {
  auto shown = picture{}.named("n").exported("n", "h1").exported("old", "h2");
  shown.seen.hub[1].terminating = true;
  shown.seen.hub[1].digest = 1;
  const auto told = explain_now({}, shown);
  ASSERT_EQ(told.exports.size(), 2U);
  const export_seen kept{"n", "h1", "7", 3, morning, owner_seen::this_slice, false, true};
  EXPECT_EQ(told.exports[0], kept);
  EXPECT_TRUE(told.exports[1].terminating);
  EXPECT_EQ(told.exports[1].equivalent, false);
  const auto other = explain_now({}, picture{}.named("n").foreign("n"));
  ASSERT_EQ(other.exports.size(), 1U);
  EXPECT_EQ(other.exports[0].whose, owner_seen::foreign);
  EXPECT_EQ(other.exports[0].equivalent, std::nullopt);
}

TEST(Explain, SaysWhatIsWaitedFor) {
  auto ending = picture{}.named("n").exported("n", "h1");
  ending.seen.hub[0].terminating = true;
  const auto told = explain_now(exported_as("n"), ending);
  EXPECT_EQ(told.stands, standing::exporting);
  EXPECT_FALSE(told.owed);
  EXPECT_TRUE(has(told.conclusion, "n: what is there under that name must be gone first")) << told.conclusion;
}

} // namespace
} // namespace sliceferry::core
