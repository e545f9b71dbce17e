#include "config/load_settings.hpp"

#include "test/config/fake_surroundings.hpp"

#include <gtest/gtest.h>

namespace sliceferry {
namespace {

using variables = std::map<std::string, std::string>;

constexpr const char* two_members = R"(
members:
- {name: a, kubeconfig: a.kc, context: ca, qps: 10, burst: 20}
- {name: b, url: "https://b:6443", token_file: b.token, namespace: elsewhere, leave: true,
   former_names: [{name: b-old}, {name: b-older, namespace: attic}]}
hub: {kubeconfig: hub.kc, context: ch, qps: 30, burst: 40}
listen: 0.0.0.0:1
refresh_resource_version: always
imports_namespace: imports
guard: {share_percent: 20, count: 7, window_seconds: 90}
orphan_grace_seconds: 60
serving_fallback: true
shutdown_grace_seconds: 3
log: {format: text, level: debug}
)";

fake_surroundings with(const std::string& config, variables set = {}) {
  return {{{"dir/s.yaml", config}, {"dir/a.kc", ""}, {"dir/hub.kc", ""}, {"x.kc", ""}, {"y.kc", ""}}, std::move(set)};
}

settings loaded(const setting_flags& flags, const fake_surroundings& around) {
  const loaded_settings result = load_settings(flags, around.get());
  if (const auto* errors = std::get_if<setting_errors>(&result)) {
    for (const setting_error& error : *errors)
      ADD_FAILURE() << to_string(error);
    return {};
  }
  return std::get<settings>(result);
}

setting_flags from_file() {
  return {.config = "dir/s.yaml"};
}

TEST(LoadSettings, ReadsEverySettingOfAFile) {
  settings expected;
  expected.members.resize(2);
  expected.members[0].name = "a";
  expected.members[0].hub_nspace = "fleet-member-a";
  expected.members[0].server.kubeconfig = "dir/a.kc"; // from the file's folder
  expected.members[0].server.context = "ca";
  expected.members[0].server.qps = 10;
  expected.members[0].server.burst = 20;
  expected.members[1].name = "b";
  expected.members[1].hub_nspace = "elsewhere";
  expected.members[1].server.url = "https://b:6443";
  expected.members[1].server.token_file = "dir/b.token"; // AU03: needn't exist yet
  expected.members[1].leave = true;
  expected.members[1].former_names = {{"b-old", "fleet-member-b-old"}, {"b-older", "attic"}};
  expected.hub.kubeconfig = "dir/hub.kc";
  expected.hub.context = "ch";
  expected.hub.qps = 30;
  expected.hub.burst = 40;
  expected.listen = "0.0.0.0:1";
  expected.refresh_resource_version_always = true;
  expected.imports_nspace = "imports";
  expected.guard = {20, 7, std::chrono::seconds{90}};
  expected.orphan_grace = std::chrono::seconds{60};
  expected.serving_fallback = true;
  expected.shutdown_grace = std::chrono::seconds{3};
  expected.format = log_format::text;
  expected.level = log_level::debug;
  EXPECT_EQ(loaded(from_file(), with(two_members)), expected);
}

TEST(LoadSettings, VerifiesTlsUnlessToldOtherwise) { // AU27
  const auto around = with("members: [{name: a}]\nhub: {url: 'https://h', token_file: t}");
  EXPECT_FALSE(loaded(from_file(), around).hub.insecure_skip_tls_verify);
}

TEST(LoadSettings, UnderstandsTheGoAgentsEnvironment) {
  const auto around = with("", {{"MEMBER_CLUSTER_NAME", "m1"},
                                {"HUB_SERVER_URL", "https://hub:443/"},
                                {"CONFIG_PATH", "/run/token"},
                                {"HUB_CERTIFICATE_AUTHORITY",
                                 "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tClFVSkQKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo="},
                                {"HUB_KUBE_HEADER", "X-A: one: two\r\nX-B:\tthree\n\n"}});
  const settings got = loaded({}, around);
  ASSERT_EQ(got.members.size(), 1U);
  EXPECT_EQ(got.members[0].name, "m1");
  EXPECT_EQ(got.members[0].hub_nspace, "fleet-member-m1");
  EXPECT_TRUE(got.members[0].server.in_cluster);
  EXPECT_EQ(got.hub.url, "https://hub:443");
  EXPECT_EQ(got.hub.token_file, "/run/token");
  EXPECT_EQ(got.hub.ca_data, some_pem);
  EXPECT_FALSE(got.hub.insecure_skip_tls_verify);
  EXPECT_EQ(got.hub.headers, (std::map<std::string, std::string>{{"X-A", "one: two"}, {"X-B", "three"}}));
  EXPECT_EQ(got.hub.qps, 200);
  EXPECT_EQ(got.hub.burst, 400);
  EXPECT_EQ(got.listen, "127.0.0.1:8080");
}

/// `way` tells how a server is reached, in one text.
std::string way(const server_settings& server) {
  return server.in_cluster ? "in-cluster" : server.url.empty() ? server.kubeconfig + "#" + server.context : server.url;
}

TEST(LoadSettings, FlagsWinOverEnvironmentOverFile) {
  struct row {
    const char* name;
    setting_flags flags;
    variables set;
    const char* hub;
    const char* members; ///< "name=way;" of each
  };
  const variables go_agent{{"HUB_SERVER_URL", "https://h"}, {"CONFIG_PATH", "t"}};
  const char* both = "a=dir/a.kc#ca;b=https://b:6443;";
  const row table[] = {
    {"the file alone", {}, {}, "dir/hub.kc#ch", both},
    {"a variable over the file", {}, go_agent, "https://h", both},
    {"a flag over a variable", {.hub_kubeconfig = "x.kc"}, go_agent, "x.kc#", both},
    {"a flag over the file takes no context from it", {.hub_kubeconfig = "x.kc"}, {}, "x.kc#", both},
    {"a context over the file's", {.hub_context = "c2"}, {}, "dir/hub.kc#c2", both},
    {"a context over a URL",
     {.hub_context = "c2"},
     {{"HUB_SERVER_URL", "https://h"}, {"KUBECONFIG", "y.kc"}},
     "y.kc#c2",
     both},
    {"an empty variable is none", {}, {{"HUB_SERVER_URL", ""}, {"KUBECONFIG", ""}}, "dir/hub.kc#ch", both},
    {"KUBECONFIG is the weakest", {}, {{"KUBECONFIG", "y.kc"}}, "dir/hub.kc#ch", both},
    {"a variable picks a member", {}, {{"MEMBER_CLUSTER_NAME", "b"}}, "dir/hub.kc#ch", "b=https://b:6443;"},
    {"a flag picks over the variable",
     {.member_cluster = "a"},
     {{"MEMBER_CLUSTER_NAME", "b"}},
     "dir/hub.kc#ch",
     "a=dir/a.kc#ca;"},
    {"a kubeconfig over the picked member's",
     {.member_cluster = "b", .member_kubeconfig = "x.kc", .member_context = "c"},
     {},
     "dir/hub.kc#ch",
     "b=x.kc#c;"},
  };
  for (const auto& [name, flags, set, hub, members] : table) {
    SCOPED_TRACE(name);
    setting_flags given = flags;
    given.config = "dir/s.yaml";
    const settings got = loaded(given, with(two_members, set));
    EXPECT_EQ(way(got.hub), hub);
    std::string ways;
    for (const member_settings& member : got.members)
      ways += member.name + "=" + way(member.server) + ";";
    EXPECT_EQ(ways, members);
  }
}

TEST(LoadSettings, AMemberHasADefaultWay) {
  struct row {
    const char* name;
    setting_flags flags;
    variables set;
    const char* member;
  };
  const row table[] = {
    {"nothing: as the pod", {}, {}, "in-cluster"},
    {"KUBECONFIG, if set", {}, {{"KUBECONFIG", "y.kc"}}, "y.kc#"},
    {"a list of them", {}, {{"KUBECONFIG", "nowhere:y.kc"}}, "nowhere:y.kc#"},
    {"a context: KUBECONFIG", {.member_context = "c"}, {{"KUBECONFIG", "y.kc"}}, "y.kc#c"},
    {"a context: the home's", {.member_context = "c"}, {{"HOME", "/me"}}, "/me/.kube/config#c"},
  };
  for (const auto& [name, flags, set, member] : table) {
    SCOPED_TRACE(name);
    setting_flags given = flags;
    given.member_cluster = "m";
    given.hub_kubeconfig = "x.kc";
    auto around = with("", set);
    around.files["/me/.kube/config"] = "";
    const settings got = loaded(given, around);
    ASSERT_EQ(got.members.size(), 1U);
    EXPECT_EQ(way(got.members[0].server), member);
  }
}

TEST(LoadSettings, OtherFlagsWinOverTheFileToo) {
  const setting_flags flags{.config = "dir/s.yaml",
                            .listen = "[::1]:9",
                            .hub_qps = "1.5",
                            .hub_burst = "2",
                            .member_qps = "3",
                            .member_burst = "4",
                            .refresh_resource_version = "on_change",
                            .log_format = "json",
                            .log_level = "error"};
  const settings got = loaded(flags, with(two_members));
  EXPECT_EQ(got.listen, "[::1]:9");
  EXPECT_EQ(got.hub.qps, 1.5);
  EXPECT_EQ(got.hub.burst, 2);
  for (const member_settings& member : got.members) {
    EXPECT_EQ(member.server.qps, 3);
    EXPECT_EQ(member.server.burst, 4);
  }
  EXPECT_FALSE(got.refresh_resource_version_always);
  EXPECT_EQ(got.format, log_format::json);
  EXPECT_EQ(got.level, log_level::error);

  const setting_flags one{.config = "dir/s.yaml", .member_cluster = "a", .hub_namespace = "ns"};
  EXPECT_EQ(loaded(one, with(two_members)).members.at(0).hub_nspace, "ns");
}

} // namespace
} // namespace sliceferry
