#include "test/storm/server/fault_injector.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace sliceferry::storm {
namespace {

using namespace std::chrono_literals;
using way = treatment::way;

constexpr fault_injector::instant noon{1'000'000};
const request_facts a_patch{"PATCH", "sliceferry", false};
const request_facts a_get{"GET", "sliceferry", false};
const request_facts a_watch{"GET", "sliceferry", true};

treatment treated(server_fault kind, const request_facts& asked) {
  fault_injector injector{{"sliceferry"}};
  injector.begin({.kind = kind, .lasts = 1s, .amount = 10ms}, noon);
  return injector.treat(asked);
}

TEST(FaultInjector, NamesRoundTrip) {
  for (std::size_t i = 0; i < server_fault_count; ++i) {
    const auto kind = static_cast<server_fault>(i);
    EXPECT_FALSE(name_of(kind).empty());
    EXPECT_EQ(fault_named(name_of(kind)), kind);
  }
  EXPECT_EQ(fault_named("rain"), std::nullopt);
}

TEST(FaultInjector, KnowsWhatEachKindDoesToARequest) {
  struct row {
    server_fault kind;
    request_facts asked;
    way what;
    unsigned status;
  };
  using kind = server_fault;
  const row table[] = {
    {kind::half_open, a_get, way::silence, 0},
    {kind::reset, a_watch, way::reset, 0},
    {kind::expired_token, a_get, way::refuse, 401},
    {kind::throttle, a_patch, way::refuse, 429},
    {kind::conflict_bursts, a_patch, way::refuse, 409},
    {kind::conflict_bursts, {"PUT", "sliceferry", false}, way::refuse, 409},
    {kind::conflict_bursts, {"POST", "sliceferry", false}, way::handle, 0},
    {kind::quota, {"POST", "sliceferry", false}, way::refuse, 403},
    {kind::quota, a_patch, way::handle, 0},
    {kind::denied_writes, a_patch, way::refuse, 403},
    {kind::denied_writes, a_get, way::handle, 0},
    {kind::revoked_writes, a_patch, way::handle, 0},
    {kind::conflict_bursts, a_get, way::handle, 0},
    {kind::expired_watches, a_watch, way::refuse, 410},
    {kind::expired_watches, a_get, way::handle, 0},
    {kind::lost_answers, a_patch, way::lose_answer, 0},
    {kind::lost_answers, a_watch, way::handle, 0},
    {kind::revoked_rights, a_patch, way::handle, 0},
    {kind::latency, a_patch, way::handle, 0},
    {kind::one_byte_chunks, a_get, way::handle, 0},
    {kind::gzip, a_get, way::handle, 0},
    {kind::mute_watches, a_watch, way::handle, 0},
    {kind::truncated_lines, a_watch, way::handle, 0},
    {kind::cut_watches, a_watch, way::handle, 0},
    {kind::server_restart, a_get, way::handle, 0},
    {kind::remove_crd, a_get, way::handle, 0},
  };
  for (const auto& [each, asked, what, status] : table) {
    SCOPED_TRACE(std::string{name_of(each)} + " " + std::string{asked.method});
    const treatment out = treated(each, asked);
    EXPECT_EQ(out.what, what);
    EXPECT_EQ(out.status, status);
    EXPECT_TRUE(out.fault.empty() || out.fault == name_of(each)) << out.fault;
    EXPECT_TRUE(what == way::handle || !out.fault.empty());
    EXPECT_EQ(treated(each, {asked.method, "storm", asked.is_watch}), treatment{}) << "another's request";
  }
}

TEST(FaultInjector, ColoursWhatIsHandled) {
  EXPECT_TRUE(treated(server_fault::one_byte_chunks, a_watch).in_pieces);
  EXPECT_TRUE(treated(server_fault::gzip, a_get).zipped);
  EXPECT_FALSE(treated(server_fault::gzip, a_watch).zipped);
  EXPECT_TRUE(treated(server_fault::mute_watches, a_watch).mute);
  EXPECT_FALSE(treated(server_fault::mute_watches, a_get).mute);
  EXPECT_EQ(treated(server_fault::revoked_rights, a_get).fault, "revoked_rights");
  EXPECT_EQ(treated(server_fault::gzip, a_get).fault, "gzip");
  EXPECT_EQ(treated(server_fault::latency, a_get).fault, "") << "the peer gets its answer";
  EXPECT_EQ(treated(server_fault::one_byte_chunks, a_get).fault, "");
}

TEST(FaultInjector, ABalancerKnowsNoKindsOfRequests) {
  for (const auto& asked : {a_get, a_watch, a_patch}) {
    fault_injector injector{{"sliceferry"}};
    injector.begin({.kind = server_fault::html_errors, .lasts = 1s, .seed = 5}, noon);
    int not_found = 0;
    for (int i = 0; i < 600; ++i) {
      const treatment out = injector.treat(asked);
      EXPECT_EQ(out.what, way::refuse);
      EXPECT_TRUE(out.status == 502 || out.status == 404) << out.status;
      not_found += out.status == 404 ? 1 : 0;
    }
    EXPECT_NEAR(not_found, 300, 60);
  }
}

TEST(FaultInjector, SpreadsErrorsAndDelays) {
  fault_injector injector{{"sliceferry"}};
  injector.begin({.kind = server_fault::errors_5xx, .lasts = 1s, .seed = 3}, noon);
  injector.begin({.kind = server_fault::latency, .lasts = 1s, .amount = 100ms, .seed = 4}, noon);
  std::set<unsigned> statuses;
  std::chrono::microseconds least{1s};
  std::chrono::microseconds most{};
  for (int i = 0; i < 1'000; ++i) {
    const treatment out = injector.treat(a_get);
    EXPECT_EQ(out.fault, "errors_5xx");
    statuses.insert(out.status);
    least = std::min(least, out.delay);
    most = std::max(most, out.delay);
  }
  EXPECT_EQ(statuses, (std::set<unsigned>{500, 503, 504}));
  EXPECT_GE(least, 50ms);
  EXPECT_LT(least, 55ms);
  EXPECT_LT(most, 150ms);
  EXPECT_GT(most, 145ms);
}

TEST(FaultInjector, LetsTheFirstKindDecide) {
  fault_injector injector{{"sliceferry"}};
  for (const auto kind : {server_fault::gzip, server_fault::lost_answers, server_fault::throttle, server_fault::reset})
    injector.begin({.kind = kind, .lasts = 1s}, noon);
  EXPECT_EQ(injector.treat(a_get).what, way::reset);
  EXPECT_EQ(injector.treat(a_get).fault, "reset");
  EXPECT_EQ(injector.treat(a_get).status, 0U) << "of a fault that came too late to refuse";
}

TEST(FaultInjector, EndsByItself) {
  fault_injector injector{{"sliceferry"}};
  const fault_order longer{.kind = server_fault::reset, .lasts = 20ms};
  const fault_order shorter{.kind = server_fault::throttle, .lasts = 10ms};
  const fault_order at_once{.kind = server_fault::cut_watches};
  for (const auto& each : {longer, shorter, at_once})
    injector.begin(each, noon);
  EXPECT_EQ(injector.take_ended(noon - 1us), std::vector<fault_order>{});
  EXPECT_EQ(injector.take_ended(noon), std::vector<fault_order>{at_once});
  EXPECT_TRUE(injector.is_active(server_fault::throttle));
  EXPECT_EQ(injector.take_ended(noon + 1h), (std::vector<fault_order>{shorter, longer}));
  EXPECT_FALSE(injector.is_active(server_fault::throttle));
  EXPECT_TRUE(injector.idle());
  EXPECT_EQ(injector.treat(a_get), treatment{});
  injector.begin(longer, noon);
  EXPECT_EQ(injector.clear(), std::vector<fault_order>{longer});
  EXPECT_TRUE(injector.idle());
}

/// Each fault that speaks of lines, alone.
line_treatment line_treated(server_fault kind) {
  fault_injector injector{{"sliceferry"}};
  injector.begin({.kind = kind, .lasts = 1s}, noon);
  return injector.treat_line();
}

TEST(FaultInjector, KnowsWhatEachKindDoesToALine) {
  EXPECT_EQ(line_treated(server_fault::one_byte_chunks), (line_treatment{.in_pieces = true}));
  EXPECT_EQ(line_treated(server_fault::truncated_lines), (line_treatment{.cut = true}));
  EXPECT_EQ(line_treated(server_fault::huge_lines), (line_treatment{.repeated_hugely = true}));
  EXPECT_EQ(line_treated(server_fault::blank_lines), (line_treatment{.after_blank = true}));
  EXPECT_EQ(line_treated(server_fault::reset), line_treatment{});
}

TEST(FaultInjector, MeetsItsShareAndRepeats) {
  constexpr int count = 5'000;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const double share : {0.0, 0.01, 0.3, 1.0}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", share " + std::to_string(share));
      fault_injector first{{"sliceferry"}};
      fault_injector second{{"sliceferry"}};
      const fault_order order{.kind = server_fault::errors_5xx, .lasts = 1s, .share = share, .seed = seed};
      first.begin(order, noon);
      second.begin(order, noon);
      int met = 0;
      for (int i = 0; i < count; ++i) {
        const treatment out = first.treat(a_get);
        met += out.what == way::refuse ? 1 : 0;
        ASSERT_EQ(out, second.treat(a_get));
        second.treat({"GET", "storm", false}); // others' requests move nothing
      }
      EXPECT_NEAR(met, share * count, 5 * std::sqrt(share * (1 - share) * count) + 0.1);
    }
  }
}

TEST(FaultInjector, DifferentSeedsMeetDifferentRequests) {
  int same = 0;
  for (std::uint64_t n = 0; n < 1'000; ++n)
    same += fault_injector::meets({.share = 0.5, .seed = 1}, n) == fault_injector::meets({.share = 0.5, .seed = 2}, n);
  EXPECT_NEAR(same, 500, 80);
}

} // namespace
} // namespace sliceferry::storm
