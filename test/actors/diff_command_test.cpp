#include "actors/diff_command.hpp"

#include "config/command_line.hpp"
#include "test/k8s/loopback_server.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;
using k8s::test::loopback_server;
using k8s::test::peer;

const std::string granted = R"({"metadata":{"name":"web","namespace":"shop","uid":"se","resourceVersion":"3",)"
                            R"("generation":1},"status":{"conditions":[{"type":"Valid","status":"True"},)"
                            R"({"type":"Conflict","status":"False"}]}})";

std::string slice(const std::string& uid = "u1") {
  return R"({"metadata":{"name":"web-a","namespace":"shop","uid":")" + uid +
         R"(","resourceVersion":"5","generation":2,"labels":{"kubernetes.io/service-name":"web"},"annotations":{)"
         R"("networking.fleet.azure.com/fleet-unique-name":"m1-web-a",)"
         R"("networking.fleet.azure.com/last-seen-generation":"2",)"
         R"("networking.fleet.azure.com/last-seen-timestamp":"2026-01-01T00:00:00Z"}},"addressType":"IPv4",)"
         R"("endpoints":[{"addresses":["10.0.0.1"],"conditions":{"ready":true}}],"ports":[]})";
}

std::string exported(const std::string& address, const std::string& cluster = "m1",
                     const std::string& nspace = "fleet-member-m1") {
  return R"({"metadata":{"name":"m1-web-a","namespace":")" + nspace +
         R"(","uid":"h1","resourceVersion":"7","creationTimestamp":"2026-01-01T00:00:00Z"},"spec":{)"
         R"("addressType":"IPv4","endpoints":[{"addresses":[")" +
         address + R"("]}],"endpointSliceReference":{"clusterId":")" + cluster +
         R"(","kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1","namespace":"shop","name":"web-a",)"
         R"("namespacedName":"shop/web-a","uid":"u1","resourceVersion":"5","generation":2,)"
         R"("exportedSince":"2026-01-01T00:00:00Z"},)"
         R"("ownerServiceReference":{"namespace":"shop","name":"web","namespacedName":"shop/web"}}})";
}

const std::string refused = "403";

/// Member m1 and its hub on one server. Of each collection it gives the items in their turn, the last ones again and
/// again; without any it refuses.
struct clusters {
  std::map<std::string, std::vector<std::string>> items{
    {"endpointslices", {slice()}}, {"serviceexports", {granted}}, {"fleet-member-m1", {exported("10.0.0.1")}}};
  std::mutex guard;
  std::map<std::string, std::size_t> turns;
  std::vector<std::string> requests;
  std::vector<std::string> told;
  std::vector<std::string> complaints;

  std::string collection_of(const std::string& line) const {
    std::string best;
    for (const auto& [name, of] : items)
      if (line.find('/' + name) != std::string::npos && best.empty())
        best = name;
    return best;
  }

  void serve(peer& client) {
    for (std::string head = client.request(); !head.empty(); head = client.request()) {
      const std::lock_guard lock{guard};
      requests.push_back(head.substr(0, head.find('\r')));
      const auto which = collection_of(requests.back());
      const auto& turn_items = items[which];
      const auto turn = turns[which]++;
      if (turn_items.empty() || turn_items[std::min(turn, turn_items.size() - 1)] == refused) {
        client.answer(R"({"kind":"Status","status":"Failure","reason":"Forbidden","code":403})", 403);
        continue;
      }
      const auto& item = turn_items[std::min(turn, turn_items.size() - 1)];
      client.answer(R"({"metadata":{"resourceVersion":"9"},"items":[)" + item + "]}");
    }
  }

  int diff(
    question about = {}, void (*change)(settings&) = [](settings&) {}) {
    loopback_server server{[this](peer& client, int) { serve(client); }};
    settings chosen;
    member_settings m1;
    m1.name = "m1";
    m1.hub_nspace = "fleet-member-m1";
    chosen.members = {m1};
    change(chosen);
    server_access access;
    access.hub.server = server.url();
    for (const auto& each : chosen.members)
      access.members[each.name].server = server.url();
    diff_ports ports;
    ports.tell = [this](const std::string& text) { told.push_back(text); };
    ports.complain = [this](const std::string& line) { complaints.push_back(line); };
    ports.pause = 1ms;
    return diff_clusters(chosen, access, about, ports);
  }

  std::string all_told() const {
    std::string out;
    for (const auto& each : told)
      out += each;
    return out;
  }
};

TEST(DiffCommand, EndsWithZeroWhereAllIsInSync) {
  clusters are;
  EXPECT_EQ(are.diff(), exit_done);
  EXPECT_EQ(are.all_told().find("in sync: member m1"), 0U) << are.all_told();
  EXPECT_TRUE(are.complaints.empty());
  EXPECT_EQ(are.requests.size(), 3U) << "one reading is enough";
  for (const auto& line : are.requests)
    EXPECT_TRUE(line.starts_with("GET ") && line.find("watch") == std::string::npos) << line;
}

TEST(DiffCommand, TellsWhatTwoReadingsShow) {
  clusters are;
  are.items["fleet-member-m1"] = {exported("6.6.6.6")};
  EXPECT_EQ(are.diff(), exit_failed);
  EXPECT_NE(are.all_told().find("shop/web-a  m1-web-a  endpoints is [6.6.6.6], should be [10.0.0.1]"),
            std::string::npos)
    << are.all_told();
  EXPECT_EQ(are.requests.size(), 6U);
  for (const auto& line : are.requests)
    EXPECT_TRUE(line.starts_with("GET ")) << line;
}

TEST(DiffCommand, LeavesOutWhatAnAgentAtWorkMakesAndMends) {
  clusters are;
  are.items["fleet-member-m1"] = {exported("6.6.6.6"), exported("10.0.0.1")};
  EXPECT_EQ(are.diff(), exit_done) << are.all_told();
  are.turns.clear();
  are.items["fleet-member-m1"] = {exported("6.6.6.6"), exported("7.7.7.7")};
  EXPECT_EQ(are.diff(), exit_done) << "it moved on";
  are.turns.clear();
  are.items["fleet-member-m1"] = {"", exported("10.0.0.1")};
  EXPECT_EQ(are.diff(), exit_done) << "the slice was seen, its export not yet";
}

TEST(DiffCommand, ConcludesNothingFromWhatItMayNotRead) {
  for (const char* which : {"endpointslices", "serviceexports", "fleet-member-m1"}) {
    SCOPED_TRACE(which);
    clusters are;
    are.items[which].clear();
    EXPECT_EQ(are.diff({.json = true}), exit_failed);
    EXPECT_EQ(are.all_told().find(R"({"member":"m1","failures":["GET http://127.0.0.1:)"), 0U) << are.all_told();
    EXPECT_EQ(are.all_told().find("differences"), std::string::npos);
    ASSERT_EQ(are.complaints.size(), 1U);
    EXPECT_EQ(are.complaints[0].find("member m1 can't be read: GET http"), 0U) << are.complaints[0];
  }
}

TEST(DiffCommand, SaysOnceThatAServerIsAway) {
  settings chosen;
  chosen.members.emplace_back().name = "m1";
  chosen.members[0].hub_nspace = "fleet-member-m1";
  server_access access;
  access.hub.server = access.members["m1"].server = "http://127.0.0.1:1"; // nobody listens there
  std::vector<std::string> complaints;
  std::string told;
  const diff_ports ports{[&](const std::string& text) { told += text; },
                         [&](const std::string& line) { complaints.push_back(line); }, 1ms};
  EXPECT_EQ(diff_clusters(chosen, access, {.json = true}, ports), exit_failed);
  ASSERT_FALSE(complaints.empty());
  EXPECT_EQ(complaints[0].find("member m1 can't be read: "), 0U);
  for (const auto& each : complaints)
    EXPECT_EQ(std::ranges::count(complaints, each), 1) << each;
  EXPECT_EQ(std::ranges::count(told, ','), 1) << "one failure in JSON too: " << told;
}

TEST(DiffCommand, FailsWhereTheSecondReadingDoes) {
  clusters are;
  are.items["fleet-member-m1"] = {exported("6.6.6.6"), refused};
  EXPECT_EQ(are.diff({.json = true}), exit_failed);
  EXPECT_NE(are.all_told().find("failures"), std::string::npos) << are.all_told();
}

TEST(DiffCommand, AsksOneMemberOrAllInOrder) {
  const auto three = [](settings& chosen) {
    for (const char* name : {"m2", "m0"}) {
      auto other = chosen.members.front();
      other.name = name;
      chosen.members.push_back(other);
    }
  };
  clusters all;
  EXPECT_EQ(all.diff({.json = true}, three), exit_failed) << "to the others the export is foreign";
  ASSERT_EQ(all.told.size(), 3U);
  for (const auto& [at, name] : {std::pair{0, "m1"}, {1, "m2"}, {2, "m0"}})
    EXPECT_EQ(all.told[static_cast<std::size_t>(at)].find(R"({"member":")" + std::string{name}), 0U);

  clusters one;
  EXPECT_EQ(one.diff({.member = "m1"}, three), exit_done);
  EXPECT_EQ(one.told.size(), 1U);
  clusters none;
  EXPECT_EQ(none.diff({.member = "nobody"}, three), exit_wrong_settings);
  EXPECT_EQ(none.complaints, std::vector<std::string>{"there is no member nobody; there are m1, m2, m0"});
  EXPECT_TRUE(none.requests.empty());
}

TEST(DiffCommand, GoesByTheSettingsOfTheMember) {
  clusters are;
  EXPECT_EQ(are.diff({.json = true}, [](settings& chosen) { chosen.members[0].leave = true; }), exit_failed);
  EXPECT_NE(are.all_told().find(R"("kind":"unwanted")"), std::string::npos) << are.all_told();
  EXPECT_EQ(are.diff({}, [](settings& chosen) { chosen.imports_nspace = "shop"; }), exit_failed);
}

TEST(DiffCommand, NamesWhatFormerNamesLeftBehind) {
  const auto renamed = [](settings& chosen) { chosen.members[0].former_names = {{"old", "fleet-member-old"}}; };
  clusters are;
  are.items["fleet-member-old"] = {exported("10.0.0.1", "old", "fleet-member-old")};
  EXPECT_EQ(are.diff({.json = true}, renamed), exit_failed);
  EXPECT_NE(are.all_told().find(R"({"kind":"former","namespace":"shop","name":"web-a")"), std::string::npos)
    << are.all_told();

  clusters waiting = {};
  waiting.items["fleet-member-old"] = are.items["fleet-member-old"];
  waiting.items["fleet-member-m1"] = {""};
  EXPECT_EQ(waiting.diff({.json = true}, renamed), exit_failed);
  EXPECT_EQ(waiting.all_told().find(R"("kind":"former")"), std::string::npos) << "it stays until the new one is there";

  clusters blind;
  EXPECT_EQ(blind.diff({}, renamed), exit_failed);
  ASSERT_EQ(blind.complaints.size(), 1U);
  EXPECT_NE(blind.complaints[0].find("former name old"), std::string::npos);
  EXPECT_EQ(blind.all_told().find("in sync"), 0U) << "all else is judged";
}

} // namespace
} // namespace sliceferry
