#include "test/actors/mirror_world.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;

/// A hub that refuses the creates of some exports.
struct refusing_hub {
  explicit refusing_hub(k8s::http_response says) : world(clusters) {
    for (const char* name : {"web-1", "web-2", "web-3"})
      clusters.put_slice("m1", name, "10.0.0.1");
    clusters.grant("m1");
    world.sabotage = [this, says](std::size_t) -> std::optional<fault> {
      const auto& asked = world.requests.back();
      const bool is_create = asked.method == k8s::http_method::post;
      if (!is_create || asked.body.find(sound) != std::string::npos)
        return std::nullopt;
      return fault{false, says};
    };
    world.sync();
    world.pass(2s);
  }

  std::string lines() const { return world.board.tell().lines; }

  fake_fleet clusters;
  std::string sound = "web-1"; ///< what has this in its body is accepted
  mirror_world world;
};

struct refusal {
  const char* name;
  k8s::http_response says;
  const char* reason;
  const char* text;
};

const refusal table[] = {
  {"a quota",
   {403, {}, status_body(403, "Forbidden", "exports is forbidden: exceeded quota: exports")},
   "quota",
   "exceeded quota: exports"},
  {"a webhook",
   {403, {}, status_body(403, "Forbidden", "admission webhook no.example denied the request: not today")},
   "invalid",
   "denied the request: not today"},
  {"validation", {422, {}, status_body(422, "Invalid", "spec.ports: too many")}, "invalid", "spec.ports: too many"},
};

TEST(Refusals, AreToldAtOnceAndHoldUpNobodyElse) {
  for (const auto& [name, says, reason, text] : table) {
    SCOPED_TRACE(name);
    refusing_hub here(says);
    EXPECT_EQ(here.clusters.exports("m1").size(), 1U) << "the others' refusal is no matter of web-1";
    EXPECT_TRUE(here.world.board.ready()) << here.lines();
    EXPECT_NE(here.lines().find("[!]member m1 exports: 2 refused, the last one shop/web-"), std::string::npos)
      << here.lines();
    EXPECT_NE(here.lines().find(text), std::string::npos) << here.lines();
    const std::string series = std::string{"sliceferry_writes_refused_total{reason=\""} + reason + "\",server=\"hub\"}";
    EXPECT_EQ(here.world.figure(series), 2) << "parked";
    here.sound = "web-"; // there is room now, or the webhook is gone
    here.world.pass(40s);
    EXPECT_EQ(here.clusters.difference(), "");
    EXPECT_EQ(here.lines().find("[!]"), std::string::npos) << here.lines();
    EXPECT_EQ(here.world.figure(series), 2);
  }
}

TEST(Refusals, AreForgottenWithTheSlice) {
  refusing_hub here(table[0].says);
  here.clusters.delete_slice("m1", "web-3");
  here.world.pass(2s);
  EXPECT_NE(here.lines().find("[!]member m1 exports: 1 refused, the last one shop/web-2"), std::string::npos)
    << here.lines();
  here.clusters.revoke("m1");
  here.world.pass(2s);
  EXPECT_EQ(here.lines().find("[!]"), std::string::npos) << here.lines();
}

TEST(Refusals, ChangedContentIsTriedAtOnce) {
  refusing_hub here(table[2].says);
  here.sound = "10.0.0.2";
  here.clusters.put_slice("m1", "web-2", "10.0.0.2");
  here.world.pass(1s);
  EXPECT_EQ(here.clusters.exports("m1").size(), 2U);
  EXPECT_NE(here.lines().find("1 refused, the last one shop/web-3"), std::string::npos) << here.lines();
}

} // namespace
} // namespace sliceferry
