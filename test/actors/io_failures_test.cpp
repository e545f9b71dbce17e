#include "test/actors/mirror_world.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;

struct kind_of_failure {
  const char* name;
  fault what;
  /// A server says this to creates alone; of an object that it holds it would be a lie.
  bool creates_only = false;
};

k8s::http_response said(unsigned code, const std::string& reason, const std::string& details = {}) {
  return {code, std::nullopt, status_body(code, reason, reason, details)};
}

k8s::http_response throttled() {
  auto out = said(429, "TooManyRequests");
  out.retry_after = 1s;
  return out;
}

std::vector<kind_of_failure> all_kinds() {
  const failure reset{errc::ambiguous, "connection reset", {}, 0};
  const failure refused{errc::unavailable, "connection refused", {}, 0};
  return {
    {"503", {false, said(503, "ServiceUnavailable")}},
    {"429 with Retry-After", {false, throttled()}},
    {"401", {false, said(401, "Unauthorized")}},
    {"403 without a cause", {false, said(403, "Forbidden")}},
    {"500 not applied", {false, said(500, "InternalError")}},
    {"500 applied", {true, said(500, "InternalError")}},
    {"504 applied", {true, said(504, "Timeout")}},
    {"reset not applied", {false, reset}},
    {"reset applied", {true, reset}},
    {"refused connection", {false, refused}},
    {"409 Conflict", {false, said(409, "Conflict")}},
    {"404 of the namespace", {false, said(404, "NotFound", R"({"kind":"namespaces"})")}, true},
    {"403 NamespaceTerminating",
     {false, said(403, "Forbidden", R"({"causes":[{"reason":"NamespaceTerminating"}]})")},
     true},
    {"404 without a Status", {false, k8s::http_response{404, {}, "<html>not here</html>"}}},
    {"an unreadable answer, applied", {true, k8s::http_response{200, {}, "{\"kind\":"}}},
    {"an empty answer, applied", {true, k8s::http_response{200, {}, ""}}},
    {"a redirect", {false, k8s::http_response{302, {}, ""}}},
  };
}

/// Which calls fail how: the first failure's call, and what also fails after it.
struct plan {
  std::size_t call = 0;
  const kind_of_failure* first = nullptr;
  const kind_of_failure* next = nullptr; ///< of the call that follows; null: that one is served
};

struct scenario {
  explicit scenario(echo order) : world(clusters, order) {}

  /// Create, change, withdraw; each until nothing is left to happen. False: it never got to rest, or wrongly.
  bool run() {
    clusters.put_slice("m1", "web-1", "10.0.0.1");
    clusters.grant("m1");
    world.sync();
    if (!rests())
      return false;
    clusters.put_slice("m1", "web-1", "10.0.0.2");
    if (!rests())
      return false;
    clusters.revoke("m1");
    return rests();
  }

  bool rests() {
    const bool finished = world.finish(10min);
    EXPECT_TRUE(finished) << "still at it after so long";
    EXPECT_EQ(clusters.difference(), "");
    EXPECT_EQ(world.awake(), 0);
    return finished && clusters.difference().empty();
  }

  void fail(const plan& how) {
    world.sabotage = [this, how](std::size_t call) -> std::optional<fault> {
      const auto* kind = call == how.call ? how.first : call == how.call + 1 ? how.next : nullptr;
      const bool creates = world.requests.back().method == k8s::http_method::post;
      if (!kind || (kind->creates_only && !creates))
        return std::nullopt;
      return kind->what;
    };
  }

  fake_fleet clusters;
  mirror_world world;
};

constexpr std::size_t calls_without_failure = 6;

TEST(IoFailures, AScenarioWithoutThemCostsTwoCallsAChange) {
  for (const auto order : {echo::before_answer, echo::after_answer}) {
    scenario plain(order);
    EXPECT_TRUE(plain.run());
    EXPECT_EQ(plain.world.requests.size(), calls_without_failure);
  }
}

/// Each failure costs at most the failed attempt, a read and the attempt that makes up for it.
void expect_recovery(echo order, const plan& how, std::size_t failures) {
  SCOPED_TRACE("call " + std::to_string(how.call) + ": " + how.first->name + ", then " +
               (how.next ? how.next->name : "nothing") +
               (order == echo::before_answer ? ", echo first" : ", answer first"));
  scenario broken(order);
  broken.fail(how);
  EXPECT_TRUE(broken.run());
  EXPECT_LE(broken.world.requests.size(), calls_without_failure + 3 * failures);
  if (testing::Test::HasFailure())
    for (const auto& call : broken.world.take_calls())
      ADD_FAILURE() << call;
}

TEST(IoFailures, EachCallMayFailInEachWay) {
  const auto kinds = all_kinds();
  for (const auto order : {echo::before_answer, echo::after_answer})
    for (std::size_t call = 1; call <= calls_without_failure; ++call)
      for (const auto& kind : kinds) {
        expect_recovery(order, {call, &kind, nullptr}, 1);
        if (HasFailure())
          return; // the rest would only repeat it
      }
}

TEST(IoFailures, AndTheCallAfterItInEachOtherWay) {
  const auto kinds = all_kinds();
  std::size_t runs = 0;
  for (std::size_t call = 1; call <= calls_without_failure; ++call)
    for (const auto& kind : kinds)
      for (const auto& next : kinds) {
        expect_recovery(++runs % 2 == 0 ? echo::before_answer : echo::after_answer, {call, &kind, &next}, 2);
        if (HasFailure())
          return;
      }
}

} // namespace
} // namespace sliceferry
