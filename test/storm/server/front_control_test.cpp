#include "test/storm/server/front_control.hpp"

#include "test/storm/server/front_test_rig.hpp"

namespace sliceferry::storm {
namespace {

TEST(FrontControl, ReadsFaults) {
  struct row {
    const char* body;
    fault_order order;
  };
  using ms = std::chrono::milliseconds;
  const row table[] = {
    {R"({"kind":"latency","cluster":"m1"})", {.kind = server_fault::latency}},
    {R"({"kind":"gzip","cluster":"m1","lasts_ms":5,"share":0.25,"amount_ms":7,"seed":18446744073709551615})",
     {.kind = server_fault::gzip, .lasts = ms{5}, .share = 0.25, .amount = ms{7}, .seed = ~std::uint64_t{0}}},
    {R"({"kind":"reset","cluster":"m1","share":1,"more":[]})", {.kind = server_fault::reset}},
  };
  for (const auto& [body, order] : table) {
    SCOPED_TRACE(body);
    const auto read = read_fault(body);
    EXPECT_EQ(read.problem, "");
    EXPECT_EQ(read.cluster, "m1");
    EXPECT_EQ(read.order, order);
  }
}

TEST(FrontControl, SaysWhatItKnows) {
  const front_test_rig rig;
  struct row {
    const char* method;
    const char* target;
    const char* body;
    int status;
    const char* names;
  };
  const row table[] = {
    {"GET", "/", "", 404, "POST /clusters/NAME/ACTION"},
    {"GET", "/faults", "", 404, "GET /stats"},
    {"POST", "/faults", "{", 400, "kind"},
    {"POST", "/faults", R"({"kind":"rain","cluster":"m1"})", 400, "half_open"},
    {"POST", "/faults", R"({"kind":"latency","cluster":"m2"})", 400, "hub, m1"},
    {"POST", "/faults", R"({"kind":"latency","cluster":"program"})", 400, "hub, m1"},
    {"POST", "/faults", R"({"kind":"latency","cluster":"m1","share":2})", 400, "share"},
    {"POST", "/faults", R"({"kind":"latency","cluster":"m1","lasts_ms":-1})", 400, "lasts_ms"},
    {"POST", "/faults", R"({"kind":"latency","cluster":"m1","seed":"x"})", 400, "seed"},
    {"POST", "/clusters/m2/compact", "", 404, "hub, m1"},
    {"POST", "/clusters/m1/explode", "", 404, "back_up, restore"},
    {"POST", "/clusters/m1/forbid", "", 400, "?user="},
    {"POST", "/clusters/m1/remove_kind?resource=leases", "", 400, "serviceexports"},
  };
  for (const auto& [method, target, body, status, names] : table) {
    SCOPED_TRACE(std::string{method} + " " + target + " " + body);
    const auto answer = rig.tell(method, target, body);
    EXPECT_EQ(answer.status, status);
    EXPECT_NE(answer.body.find(names), std::string::npos) << answer.body;
  }
}

TEST(FrontControl, ActsOnClusters) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  front_test_client client{rig.member()};
  EXPECT_EQ(rig.tell("POST", "/clusters/m1/back_up").status, 200);
  EXPECT_EQ(rig.make_slice("web-2").status, 201);
  EXPECT_EQ(rig.tell("POST", "/clusters/m1/restore").status, 200);
  EXPECT_EQ(client.call("GET", std::string{rig.slices} + "/web-2").status, 404);
  EXPECT_EQ(rig.tell("POST", "/clusters/m1/forbid?user=sliceferry").status, 200);
  EXPECT_EQ(client.call("GET", rig.slice).status, 403);
  EXPECT_EQ(rig.tell("POST", "/clusters/m1/allow?user=sliceferry").status, 200);
  EXPECT_EQ(client.call("GET", rig.slice).status, 200);
}

TEST(FrontControl, CountsWhatWasAsked) {
  const front_test_rig rig;
  front_test_client client{rig.member()};
  client.call("POST", rig.slices, rig.new_slice("web-1"));
  client.call("GET", rig.slice);
  client.call("GET", rig.slice);
  client.call("GET", "/readyz", {}, "stranger");
  rig.fault("throttle");
  client.call("PATCH", rig.slice, rig.annotation("x"));
  const auto stats = boost::json::parse(rig.tell("GET", "/stats").body);
  const auto& member = stats.at("clusters").at("m1");
  EXPECT_EQ(member.at("writes").to_number<int>(), 2);
  EXPECT_EQ(member.at("requests").to_number<int>(), 6);
  EXPECT_EQ(boost::json::serialize(member.at("by").at("sliceferry").at("get")), R"({"200":2})");
  EXPECT_EQ(boost::json::serialize(member.at("by").at("sliceferry").at("patch")), R"({"429":1})");
  EXPECT_GT(stats.at("cpu_us").to_number<int>(), 0);
  EXPECT_EQ(stats.at("requests").to_number<int>(), 7) << "with the hub's namespace";
}

} // namespace
} // namespace sliceferry::storm
