#include "actors/core/rest_rule.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

using namespace std::chrono_literals;

const tick noon = tick{} + 12h;

TEST(RestRule, SaysWhoGivesUpItsPlace) {
  constexpr auto create = work_rank::create, change = work_rank::change, remove = work_rank::removal;
  const stuck_exporter parked{"parked", noon + 30s, noon - 1s, create};
  const stuck_exporter longer{"longer", noon + 60s, noon - 1s, create};
  const stuck_exporter probed{"probed", noon + 2s, noon - 1s, create};
  const stuck_exporter tired{"tired", noon + 2s, noon - 30s, create};
  const stuck_exporter probed_change{"probed change", noon + 2s, noon - 1s, change};
  const stuck_exporter removal{"removal", noon + 60s, noon - 1s, remove};
  const stuck_exporter probed_removal{"probed removal", noon + 2s, noon - 1s, remove};
  const struct {
    const char* name;
    std::vector<stuck_exporter> stuck;
    wake_queue::turns waiting;
    std::vector<std::string> then;
  } table[] = {
    {"nobody waits", {parked, tired}, {{0, 0, 0}, 0}, {}},
    {"nobody is stuck", {}, {{1, 4, 0}, 5}, {}},
    {"what has long to wait", {parked, probed}, {{0, 0, 5}, 5}, {"parked"}},
    {"what has held its place for long", {probed, tired}, {{0, 0, 5}, 5}, {"tired"}},
    {"a server that is just away moves nobody", {probed, probed_removal}, {{0, 0, 5}, 5}, {}},
    {"nor for what is refused", {probed}, {{0, 0, 0}, 5}, {}},
    {"but for a withdrawal", {probed, probed_removal}, {{1, 0, 4}, 5}, {"probed"}},
    {"which needs one place only", {probed, parked}, {{1, 0, 0}, 1}, {"parked"}},
    {"a create for a change", {probed_change, probed}, {{0, 2, 0}, 2}, {"probed"}},
    {"each for a withdrawal", {probed_change, probed}, {{2, 0, 0}, 2}, {"probed", "probed change"}},
    {"and not one more", {probed_change, probed}, {{1, 1, 3}, 5}, {"probed"}},
    {"no more than wait", {parked, longer}, {{0, 0, 1}, 1}, {"longer"}},
    {"withdrawals keep theirs the longest", {removal, parked}, {{0, 0, 1}, 1}, {"parked"}},
    {"yet not for ever", {removal, parked}, {{0, 0, 2}, 2}, {"parked", "removal"}},
    {"not even for other withdrawals", {removal, probed_removal}, {{2, 0, 0}, 2}, {"removal"}},
  };
  for (const auto& [name, stuck, waiting, then] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(choose_to_rest(stuck, waiting, noon), then);
  }
}

} // namespace
} // namespace sliceferry::core
