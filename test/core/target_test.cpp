#include "actors/core/target.hpp"
#include "test/core/picture.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace sliceferry::core {
namespace {

const auto deleting = [](picture& p) { p.slice.deleting = true; };
const auto unlabelled = [](picture& p) { p.slice.service.reset(); };
const auto unproven = [](picture& p) { p.seen.consent_proven = false; };

std::function<void(picture&)> typed(const char* type) {
  return [=](picture& p) { p.slice.address_type = type; };
}

const target ignored{goal::ignore};
const target wait{goal::wait};
const target exports{goal::export_it};

target withdraw(proof why) {
  return {goal::withdraw, why};
}

TEST(Target, FirstMatchWins) {
  const struct {
    const char* name;
    std::function<void(picture&)> change;
    consent says;
    target not_before;
    target before;
  } table[] = {
    {"U1 U19 U20 C15 C63 granted", [](auto&) {}, consent::granted, exports, exports},
    {"C18 no ServiceExport of no name", [](auto& p) { p.slice.service = ""; }, consent::absent, ignored,
     withdraw(proof::seen)},
    {"C18 an empty service label is one", [](auto& p) { p.slice.service = ""; }, consent::granted, exports, exports},
    {"U2 D21 IPv6", typed("IPv6"), consent::granted, ignored, withdraw(proof::seen)},
    {"A4 D21 FQDN", typed("FQDN"), consent::granted, ignored, withdraw(proof::seen)},
    {"A4 D21 IP", typed("IP"), consent::granted, ignored, withdraw(proof::seen)},
    {"U8 C73 IPv6 without consent", typed("IPv6"), consent::absent, ignored, withdraw(proof::seen)},
    {"U9 U10 C61 no label", unlabelled, consent::absent, ignored, withdraw(proof::seen)},
    {"U11 U12 C60 no ServiceExport", [](auto&) {}, consent::absent, ignored, withdraw(proof::gone)},
    {"law 3 no ServiceExport, unproven", unproven, consent::absent, wait, wait},
    {"U13 U16 C62 I16 invalid", [](auto&) {}, consent::invalid, ignored, withdraw(proof::seen)},
    {"U14 U17 C62 I17 conflict", [](auto&) {}, consent::conflicted, ignored, withdraw(proof::seen)},
    {"U15 U18 C17 deleting export", [](auto&) {}, consent::deleting, ignored, withdraw(proof::ending)},
    {"D30 pending", [](auto&) {}, consent::pending, ignored, wait},
    {"U21 U22 C14 slice deleting", deleting, consent::granted, ignored, withdraw(proof::seen)},
    {"A5 C12 slice deleting, ServiceExport unproven",
     [](auto& p) {
       deleting(p);
       unproven(p);
     },
     consent::absent, ignored, withdraw(proof::seen)},
    {"A5 terminating IPv6",
     [](auto& p) {
       deleting(p);
       typed("IPv6")(p);
     },
     consent::granted, ignored, withdraw(proof::seen)},
    {"A22 D32 in the namespace of imports", [](auto& p) { p.slice.key.nspace = "fleet-system"; }, consent::granted,
     ignored, withdraw(proof::seen)},
    {"A22 D32 managed by the importer", [](auto& p) { p.slice.managed_by = importer_manager; }, consent::granted,
     ignored, withdraw(proof::seen)},
    {"C20 managed by anyone else", [](auto& p) { p.slice.managed_by = "me"; }, consent::granted, exports, exports},
    {"slices not synced", [](auto& p) { p.seen.slices_synced = false; }, consent::invalid, wait, wait},
    {"consents not synced", [](auto& p) { p.seen.consents_synced = false; }, consent::invalid, wait, wait},
    {"hub not synced", [](auto& p) { p.seen.hub_synced = false; }, consent::granted, wait, wait},
  };
  for (const auto& [name, change, says, not_before, before] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(choose_target(m1, {}, picture{}.with(change).says(says)), not_before);
    EXPECT_EQ(choose_target(m1, {}, picture{}.named("n").with(change).says(says)), before);
    EXPECT_EQ(choose_target(m1, {}, picture{}.named("").with(change).says(says)), before) << "A3: any value counts";
    EXPECT_EQ(choose_target(m1, {}, picture{}.exported("n", "h").with(change).says(says)), before) << "D22: unnamed";
    EXPECT_EQ(choose_target(m1, {}, picture{}.foreign("n").with(change).says(says)), not_before);
    const auto ending = picture{}.exported("n", "h").with([](picture& p) { p.seen.hub[0].terminating = true; });
    EXPECT_EQ(choose_target(m1, {}, ending.with(change).says(says)), not_before) << "terminating counts as withdrawn";
  }
}

TEST(Target, OfAnAbsentSliceNeedsProof) {
  const auto shown = picture{}.exported("n", "h1");
  EXPECT_EQ(choose_target(m1, {}, shown.without_slice(false)), wait);
  EXPECT_EQ(choose_target(m1, {}, shown.without_slice(true)), withdraw(proof::gone)) << "C69 D5 G5";
  EXPECT_EQ(choose_target(m1, {}, shown.without_slice(true, true)), withdraw(proof::leftover)) << "G6";
  EXPECT_EQ(choose_target(m1, {}, picture{}.without_slice(true)), ignored);
}

} // namespace
} // namespace sliceferry::core
