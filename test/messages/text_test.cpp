#include "messages/command.hpp"
#include "messages/consent.hpp"
#include "messages/endpoint_slice.hpp"
#include "messages/event.hpp"
#include "messages/failure.hpp"
#include "messages/hub_export.hpp"
#include "messages/inputs.hpp"
#include "messages/outcome.hpp"
#include "messages/service_export.hpp"
#include "messages/watch_event.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;

constexpr seconds_utc noon = std::chrono::sys_days{std::chrono::year{2026} / 11 / 30} + 12h;

template <class Enum>
void expect_distinct_words(Enum first, Enum last) {
  std::set<std::string_view> seen;
  for (int i = static_cast<int>(first); i <= static_cast<int>(last); ++i) {
    const std::string_view word = to_string(static_cast<Enum>(i));
    EXPECT_EQ(word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos) << word;
    EXPECT_TRUE(seen.insert(word).second) << word;
  }
}

TEST(Text, EveryEnumeratorHasAWordOfItsOwnFitForALabel) {
  expect_distinct_words(proof::seen, proof::leaving);
  expect_distinct_words(consent::absent, consent::granted);
  expect_distinct_words(errc::expired, errc::malformed);
  expect_distinct_words(verdict::done, verdict::too_late);
  expect_distinct_words(watch_change::init, watch_change::init_done);
}

TEST(Text, CommandsSayWhatTheyAreForAndAtWhichObject) {
  struct row {
    const char* name;
    command what;
    const char* word;
    const char* text;
  };
  const auto spec = std::make_shared<slice_export_spec>();
  const row table[] = {
    {"annotate", annotate_slice{{"shop", "web"}, "u1", "m1-web", 3, noon, false}, "annotate",
     "annotate shop/web uid=u1 name=m1-web generation=3 since=2026-11-30T12:00:00Z"},
    {"annotate again", annotate_slice{{"shop", "web"}, "u1", "m1-web", 3, noon, true}, "annotate",
     "annotate shop/web uid=u1 name=m1-web generation=3 since=2026-11-30T12:00:00Z (retry)"},
    {"clear", clear_annotations{{"shop", "web"}, "u1"}, "clear", "clear shop/web uid=u1"},
    {"create", apply_export{"m1-web", std::nullopt, nullptr, 7}, "apply", "apply m1-web as new digest=7"},
    {"change", apply_export{"m1-web", hub_target{"h1", "42"}, nullptr, 7}, "apply",
     "apply m1-web onto uid=h1 rv=42 digest=7"},
    {"withdraw", withdraw_export{"m1-web", "h1", proof::gone}, "withdraw", "withdraw m1-web uid=h1 proof=gone"},
  };
  for (const auto& [name, what, word, text] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(name_of(what), word);
    EXPECT_EQ(to_string(what), text);
  }
}

TEST(Text, CommandsSayWhichExportTheyAreMeantForAndWhetherTheyRepair) {
  apply_export create{"m1-web", std::nullopt, nullptr, 7};
  apply_export change{"m1-web", hub_target{"h1", "42"}, nullptr, 7};
  apply_export repair = change;
  repair.repair = true;
  const struct {
    const char* name;
    command what;
    const char* hub_uid;
    bool repairs;
  } table[] = {
    {"annotate", annotate_slice{{"shop", "web"}, "u1", "m1-web", 3, noon, false}, "", false},
    {"clear", clear_annotations{{"shop", "web"}, "u1"}, "", false},
    {"create", create, "", false},
    {"change", change, "h1", false},
    {"repair", repair, "h1", true},
    {"withdraw", withdraw_export{"m1-web", "h2", proof::gone}, "h2", false},
  };
  for (const auto& [name, what, hub_uid, repairs] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(hub_uid_of(what), hub_uid);
    EXPECT_EQ(is_repair(what), repairs);
  }
}

TEST(Text, EventsAreSpelledAsTheJournalSpellsThem) {
  struct row {
    event told;
    const char* word;
    const char* text;
  };
  const row table[] = {
    {adopted{"m1-web", 3, noon, {"h1", "h2"}, 7}, "adopted",
     "adopted name=m1-web generation=3 since=2026-11-30T12:00:00Z hub_uids=[h1 h2] digest=7"},
    {generation_seen{3, noon}, "generation seen", "generation seen generation=3 since=2026-11-30T12:00:00Z"},
    {name_chosen{"m1-web"}, "name chosen", "name chosen name=m1-web"},
    {annotated{3}, "annotated", "annotated generation=3"},
    {export_applied{"m1-web", "h1", 7, 7}, "export applied", "export applied name=m1-web hub_uid=h1 digest=7"},
    {export_applied{"m1-web", "h1", 7, 8}, "export applied",
     "export applied name=m1-web hub_uid=h1 digest=7 accepted=8"},
    {withdrawal_begun{"m1-web", "h1", proof::superseded}, "withdrawal begun",
     "withdrawal begun name=m1-web hub_uid=h1 proof=superseded"},
    {withdrawal_cancelled{}, "withdrawal cancelled", "withdrawal cancelled"},
    {export_withdrawn{"h1"}, "export withdrawn", "export withdrawn hub_uid=h1"},
    {annotations_cleared{}, "annotations cleared", "annotations cleared"},
    {refused{"apply", "denied"}, "refused", "refused command=apply reason=\"denied\""},
    {drift_repaired{"removed"}, "drift repaired", "drift repaired what=\"removed\""},
    {contradiction{"unknown uid"}, "contradiction", "contradiction what=\"unknown uid\""},
    {slice_gone{}, "slice gone", "slice gone"},
  };
  for (const auto& [told, word, text] : table) {
    SCOPED_TRACE(text);
    EXPECT_EQ(name_of(told), word);
    EXPECT_EQ(to_string(told), text);
  }
}

TEST(Text, FailuresNameReactionStatusAndWish) {
  struct row {
    failure what;
    const char* text;
  };
  const row table[] = {
    {{errc::unavailable, "connection refused", {}, 0}, "unavailable: connection refused"},
    {{errc::throttled, "", 5s, 429}, "throttled (HTTP 429); retry after 5 s"},
    {{errc::forbidden, "cannot patch", {}, 403}, "forbidden (HTTP 403): cannot patch"},
  };
  for (const auto& [what, text] : table)
    EXPECT_EQ(to_string(what), text);
}

TEST(Text, SlicesShowWhatARuleLooksAt) {
  endpoint_slice slice{.key = {"shop", "web"},
                       .uid = "u1",
                       .resource_version = "42",
                       .generation = 3,
                       .deleting = false,
                       .address_type = "IPv4",
                       .service = {},
                       .managed_by = {},
                       .ours = {},
                       .ready = {},
                       .fallback = {},
                       .ports = {}};
  EXPECT_EQ(to_string(slice), "shop/web uid=u1 rv=42 generation=3 IPv4 service=- ready=[] ports=none");
  slice.deleting = true;
  slice.service = ""; // a label may be present and empty, which differs from absent
  slice.managed_by = "kube";
  slice.ours.name = "m1-web";
  slice.ready = {{{"10.0.0.1", "10.0.0.2"}}, {{"10.0.0.3"}}};
  slice.ports = {{"http", "TCP", 80, "h2c"}, {{}, {}, {}, {}}};
  EXPECT_EQ(to_string(slice),
            "shop/web uid=u1 rv=42 generation=3 IPv4 service=\"\" managed-by=kube deleting ours={name=\"m1-web\" "
            "generation=- timestamp=-} ready=[10.0.0.1|10.0.0.2 10.0.0.3] ports=[\"http\":80/TCP/h2c -:*/-]");
}

TEST(Text, ServiceExportsShowTheConditionsAndWhatTheyJudged) {
  service_export exported{{"shop", "web"}, "s1", "9", 2, false, {}, {}};
  EXPECT_EQ(to_string(exported), "shop/web uid=s1 rv=9 generation=2 valid=- conflict=-");
  exported.deleting = true;
  exported.valid = condition{condition::status::yes, 1};
  exported.conflict = condition{condition::status::unknown, {}};
  EXPECT_EQ(to_string(exported), "shop/web uid=s1 rv=9 generation=2 deleting valid=True@1 conflict=Unknown");
}

TEST(Text, ExportsShowAnEditedReference) {
  slice_export seen{{"fleet-m1", "m1-web"}, "h1", "5", noon, true, "kubectl", {}};
  seen.spec.reference = {"m1", "discovery.k8s.io/v1", "EndpointSlice", {"shop", "web"}, "shop/other", "u1", "42", 3,
                         noon};
  seen.spec.owner = {{"shop", "web"}, "shop/web"};
  EXPECT_EQ(
    to_string(seen),
    "fleet-m1/m1-web uid=h1 rv=5 created=2026-11-30T12:00:00Z terminating by=kubectl {IPv4 of m1 shop/web (stored "
    "as \"shop/other\") uid=u1 rv=42 generation=3 since=2026-11-30T12:00:00Z "
    "kind=discovery.k8s.io/v1/EndpointSlice service=shop/web endpoints=[] ports=none}");
}

TEST(Text, InputsAndOutcomesTellTheWholePicture) {
  const hub_export mine{"m1-web", "h1", "5", noon, 3, {}, 7, false, true};
  inputs seen;
  seen.key = {"shop", "web"};
  seen.gone = true;
  seen.hub = {mine};
  seen.slices_synced = true;
  seen.leave = false;
  EXPECT_EQ(to_string(seen),
            "shop/web not there gone; consent absent; hub [m1-web uid=h1 rv=5 "
            "created=2026-11-30T12:00:00Z generation=3 since=- digest=7 mine]; synced: slices; no leave");
  EXPECT_EQ(to_string(outcome{4, verdict::conflict, {}, true, {}, false}), "#4 conflict, read: not there");
  EXPECT_EQ(to_string(outcome{4, verdict::refused, {errc::quota, "full", {}, 403}, false, {}, false}),
            "#4 refused (quota (HTTP 403): full)");
}

} // namespace
} // namespace sliceferry
