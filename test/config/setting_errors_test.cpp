#include "config/load_settings.hpp"
#include "test/config/fake_surroundings.hpp"

#include <gtest/gtest.h>

namespace sliceferry {
namespace {

struct expected_error {
  const char* where;
  const char* says; ///< part of the line that a person needs
};

void expect_errors(const loaded_settings& result, const std::vector<expected_error>& expected) {
  const auto* errors = std::get_if<setting_errors>(&result);
  ASSERT_TRUE(errors || expected.empty()) << "accepted";
  if (!errors)
    return;
  std::string all;
  for (const setting_error& error : *errors) {
    EXPECT_EQ(to_string(error).find('\n'), std::string::npos);
    all += to_string(error) + "\n";
  }
  EXPECT_EQ(errors->size(), expected.size()) << all;
  for (std::size_t i = 0; i < std::min(errors->size(), expected.size()); ++i) {
    EXPECT_EQ((*errors)[i].where, expected[i].where) << all;
    EXPECT_NE(to_string((*errors)[i]).find(expected[i].says), std::string::npos) << all;
  }
}

fake_surroundings holding(std::string config) {
  return {{{"s.yaml", std::move(config)}, {"kc", ""}, {"ca.crt", some_pem}, {"empty", ""}}, {}};
}

TEST(SettingErrors, AreShownWhereTheyStand) {
  struct row {
    const char* name;
    const char* config; ///< lines from the third on
    std::vector<expected_error> errors;
  };
  const row table[] = {
    {"nothing is wrong", "", {}},
    {"unknown setting", "listn: x\n", {{"s.yaml:3:1", "did you mean \"listen\"?"}}},
    {"another tool's spelling", "refreshResourceVersion: x\n", {{"s.yaml:3:1", "\"refresh_resource_version\""}}},
    {"unknown below", "log:\n  fromat: x\n", {{"s.yaml:4:3", "did you mean \"format\"?"}}},
    {"unlike anything", "log:\n  quux_quux: x\n", {{"s.yaml:4:3", "known are format, level"}}},
    {"set twice", "listen: 1.2.3.4:1\nlisten: 1.2.3.4:1\n", {{"s.yaml:4:1", "twice"}}},
    {"empty value", "listen:\n", {{"s.yaml:3:1", "no value"}}},
    {"empty mapping", "log:\n", {{"s.yaml:3:1", "no value"}}},
    {"empty text", "listen: ''\n", {{"s.yaml:3:9", "empty"}}},
    {"a list for a value", "listen: [1]\n", {{"s.yaml:3:9", "single value"}}},
    {"a value for a mapping", "log: json\n", {{"s.yaml:3:6", "mapping"}}},
    {"not YAML", "log: [\n", {{"s.yaml:4:1", "not valid YAML"}}},
    {"a second document", "---\nlisten: 1.2.3.4:1\n", {{"s.yaml:4:1", "second document"}}},
    {"a name for an address", "listen: localhost:1\n", {{"s.yaml:3:9", "127.0.0.1:8080"}}},
    {"a port too high", "listen: 1.2.3.4:65536\n", {{"s.yaml:3:9", "65536"}}},
    {"no such choice", "refresh_resource_version: allways\n", {{"s.yaml:3:27", "did you mean \"always\"?"}}},
    {"no such format", "log: {format: jsn}\n", {{"s.yaml:3:15", "\"json\""}}},
    {"no such level", "log: {level: warn}\n", {{"s.yaml:3:14", "\"warning\""}}},
    {"a journal that is too small", "journal: {max_mib: 1}\n", {{"s.yaml:3:20", "64 to"}}},
    {"no such sync", "journal: {sync: never}\n", {{"s.yaml:3:17", "durable, relaxed"}}},
    {"imports elsewhere", "imports_namespace: A\n", {{"s.yaml:3:20", "namespace"}}},
    {"grace is negative", "shutdown_grace_seconds: -1\n", {{"s.yaml:3:25", "whole number"}}},
    {"grace has a unit", "shutdown_grace_seconds: 8s\n", {{"s.yaml:3:25", "0 to 600"}}},
    {"a share over all", "guard: {share_percent: 101}\n", {{"s.yaml:3:24", "0 to 100"}}},
    {"a window of nothing", "guard: {window_seconds: 0}\n", {{"s.yaml:3:25", "1 to 86400"}}},
    {"a guard that is none", "guard: 30\n", {{"s.yaml:3:8", "share_percent"}}},
    {"neither true nor false", "serving_fallback: yes\n", {{"s.yaml:3:19", "is no choice"}}},
  };
  for (const auto& [name, config, errors] : table) {
    SCOPED_TRACE(name);
    const std::string head = "members: [{name: m, in_cluster: true}]\nhub: {kubeconfig: kc}\n";
    expect_errors(load_settings({.config = "s.yaml"}, holding(head + config).get()), errors);
  }
}

TEST(SettingErrors, OfTheWayToAServer) {
  struct row {
    const char* name;
    const char* hub;
    std::vector<expected_error> errors;
  };
  const row table[] = {
    {"no way", "{qps: 1}", {{"--hub-kubeconfig", "HUB_SERVER_URL"}}},
    {"two ways", "{kubeconfig: kc, url: 'https://h'}", {{"s.yaml:1:28", "both url and kubeconfig"}}},
    {"two other ways", "{in_cluster: true, url: 'https://h'}", {{"s.yaml:1:30", "both url and in_cluster"}}},
    {"two more ways", "{in_cluster: true, kubeconfig: kc}", {{"s.yaml:1:19", "both in_cluster and kubeconfig"}}},
    {"no such kubeconfig", "{kubeconfig: nowhere}", {{"s.yaml:1:19", "nowhere"}}},
    {"one of a list is enough", "{kubeconfig: 'nowhere:kc'}", {}},
    {"none of a list", "{kubeconfig: 'x:y'}", {{"s.yaml:1:19", "cannot read y"}}},
    {"a context without kubeconfig", "{url: 'https://h', context: c}", {{"s.yaml:1:34", "kubeconfig"}}},
    {"a token without URL", "{kubeconfig: kc, token_file: t}", {{"s.yaml:1:35", "without url"}}},
    {"headers without URL", "{kubeconfig: kc, headers: {X-A: b}}", {{"s.yaml:1:33", "without url"}}},
    {"not a URL", "{url: h}", {{"s.yaml:1:12", "https://"}}},
    {"a password in the URL", "{url: 'https://me:pw@h'}", {{"s.yaml:1:12", "password"}}},
    {"AU18 token in clear", "{url: 'http://h', token_file: t}", {{"s.yaml:1:12", "https://"}}},
    {"AU18 token to loopback", "{url: 'http://127.0.0.1:1', token_file: t}", {}},
    {"AU15 CA and no verification",
     "{url: 'https://h', insecure_skip_tls_verify: true, ca_file: ca.crt}",
     {{"s.yaml:1:51", "CA"}}},
    {"no such CA", "{url: 'https://h', ca_file: nowhere}", {{"s.yaml:1:34", "nowhere"}}},
    {"a CA without certificates", "{url: 'https://h', ca_file: empty}", {{"s.yaml:1:34", "no certificates"}}},
    {"CA data of something else", "{url: 'https://h', ca_data: aGVsbG8=}", {{"s.yaml:1:34", "no certificates"}}},
    {"neither true nor false",
     "{url: 'https://h', insecure_skip_tls_verify: maybe}",
     {{"s.yaml:1:51", "neither true nor false"}}},
    {"qps 0", "{kubeconfig: kc, qps: 0}", {{"s.yaml:1:28", "more than 0"}}},
    {"qps nan", "{kubeconfig: kc, qps: nan}", {{"s.yaml:1:28", "more than 0"}}},
    {"qps infinite", "{kubeconfig: kc, qps: inf}", {{"s.yaml:1:28", "more than 0"}}},
    {"burst below 1", "{kubeconfig: kc, burst: 0.9}", {{"s.yaml:1:30", "1 or more"}}},
    {"burst with a unit", "{kubeconfig: kc, burst: 4k}", {{"s.yaml:1:30", "1 or more"}}},
    {"AU26 a header of ours",
     "{url: 'https://h', headers: {AUTHORIZATION: secret, Host: x, content-type: y}}",
     {{"s.yaml:1:35", "already"}, {"s.yaml:1:58", "already"}, {"s.yaml:1:67", "already"}}},
    {"a header twice", "{url: 'https://h', headers: {X-A: b, x-a: c}}", {{"s.yaml:1:43", "twice"}}},
    {"not a header", "{url: 'https://h', headers: {X A: b}}", {{"s.yaml:1:35", "name"}}},
  };
  for (const auto& [name, hub, errors] : table) {
    SCOPED_TRACE(name);
    const std::string config = "hub: " + std::string(hub) + "\nmembers: [{name: m, in_cluster: true}]\n";
    const loaded_settings result = load_settings({.config = "s.yaml"}, holding(config).get());
    expect_errors(result, errors);
    if (const auto* found = std::get_if<setting_errors>(&result)) {
      for (const setting_error& error : *found)
        EXPECT_EQ(to_string(error).find("secret"), std::string::npos);
    }
  }
}

TEST(SettingErrors, OfMembers) {
  const std::string longest(50, 'a');
  struct row {
    const char* name;
    std::string members;
    std::vector<expected_error> errors;
  };
  const row table[] = {
    {"the longest name", "- {name: " + longest + "}", {}},
    {"a name too long", "- {name: " + longest + "a}", {{"s.yaml:3:10", "at most 50"}}},
    {"a longer one placed elsewhere", "- {name: " + longest + "a, namespace: ns}", {}},
    {"upper case", "- {name: Prod}", {{"s.yaml:3:10", "lower-case"}}},
    {"a dot", "- {name: a.b}", {{"s.yaml:3:10", "lower-case"}}},
    {"a dash at the end", "- {name: a-}", {{"s.yaml:3:10", "inner dashes"}}},
    {"no name", "- {context: c, kubeconfig: kc}", {{"s.yaml:3:3", "no name"}}},
    {"a namespace that is none", "- {name: a, namespace: B}", {{"s.yaml:3:24", "\"B\""}}},
    {"named twice",
     "- {name: a, kubeconfig: kc}\n- {name: a, in_cluster: true}",
     {{"s.yaml:4:10", "s.yaml:3:10"}, {"s.yaml:4:10", "fleet-member-a"}}},
    {"one namespace for two",
     "- {name: a, kubeconfig: kc}\n- {name: b, in_cluster: true, namespace: fleet-member-a}",
     {{"s.yaml:4:42", "fleet-member-a"}}},
    {"one cluster as two", "- {name: a}\n- {name: b}", {{"s.yaml:4:10", "exactly as another"}}},
    {"no way allowed", "- {name: a, in_cluster: false}", {{"s.yaml:3:3", "how to reach"}}},
    {"a former name without one", "- {name: a, former_names: [{namespace: b}]}", {{"s.yaml:3:28", "no name"}}},
    {"a former name in use",
     "- {name: a, kubeconfig: kc}\n- {name: b, in_cluster: true, former_names: [{name: a, namespace: n}]}",
     {{"s.yaml:4:53", "s.yaml:3:10"}}},
    {"a former namespace in use",
     "- {name: a, former_names: [{name: b, namespace: fleet-member-a}]}",
     {{"s.yaml:3:49", "belongs to another"}}},
    {"former names in no list", "- {name: a, former_names: b}", {{"s.yaml:3:27", "- name"}}},
    {"unknown setting", "- {name: a, kubeconfg: kc}", {{"s.yaml:3:13", "\"kubeconfig\""}}},
    {"not a list", "  name: a", {{"s.yaml:3:3", "- name"}, {"--member-cluster", "no member"}}},
  };
  for (const auto& [name, members, errors] : table) {
    SCOPED_TRACE(name);
    const std::string config = "hub: {kubeconfig: kc}\nmembers:\n" + members + "\n";
    expect_errors(load_settings({.config = "s.yaml"}, holding(config).get()), errors);
  }
}

TEST(SettingErrors, OfFlagsAndVariables) {
  struct row {
    const char* name;
    setting_flags flags;
    std::map<std::string, std::string> variables;
    std::vector<expected_error> errors;
  };
  const setting_flags whole{.member_cluster = "m", .hub_kubeconfig = "kc"};
  const auto plus = [&](auto change) {
    setting_flags flags = whole;
    change(flags);
    return flags;
  };
  const row table[] = {
    {"nothing at all", {}, {}, {{"--member-cluster", "MEMBER_CLUSTER_NAME"}, {"--hub-kubeconfig", "HUB_SERVER_URL"}}},
    {"no such file", {.config = "none"}, {}, {{"--config", "none"}}},
    {"name by flag", plus([](auto& f) { f.member_cluster = "A"; }), {}, {{"--member-cluster", "\"A\""}}},
    {"name by variable", {.hub_kubeconfig = "kc"}, {{"MEMBER_CLUSTER_NAME", "A"}}, {{"$MEMBER_CLUSTER_NAME", "\"A\""}}},
    {"kubeconfig by flag", plus([](auto& f) { f.member_kubeconfig = "x"; }), {}, {{"--member-kubeconfig", "x"}}},
    {"kubeconfig by variable", whole, {{"KUBECONFIG", "x"}}, {{"$KUBECONFIG", "x"}}},
    {"no home to look in", plus([](auto& f) { f.member_context = "c"; }), {}, {{"--member-context", "kubeconfig"}}},
    {"namespace by flag", plus([](auto& f) { f.hub_namespace = "A"; }), {}, {{"--hub-namespace", "\"A\""}}},
    {"numbers by flag",
     plus([](auto& f) { f.hub_qps = "-1", f.hub_burst = "x", f.member_qps = "", f.member_burst = "0"; }),
     {},
     {{"--member-qps", ""}, {"--member-burst", ""}, {"--hub-qps", ""}, {"--hub-burst", ""}}},
    {"choices by flag",
     plus([](auto& f) { f.listen = "x", f.log_format = "x", f.log_level = "x", f.refresh_resource_version = "x"; }),
     {},
     {{"--listen", ""}, {"--log-format", ""}, {"--log-level", ""}, {"--refresh-resource-version", ""}}},
    {"URL by variable", {.member_cluster = "m"}, {{"HUB_SERVER_URL", "hub"}}, {{"$HUB_SERVER_URL", "https://"}}},
    {"CA by variable",
     {.member_cluster = "m"},
     {{"HUB_SERVER_URL", "https://h"}, {"HUB_CERTIFICATE_AUTHORITY", "###"}},
     {{"$HUB_CERTIFICATE_AUTHORITY", "base64"}}},
    {"AU26 headers by variable",
     {.member_cluster = "m"},
     {{"HUB_SERVER_URL", "https://h"}, {"HUB_KUBE_HEADER", "User-Agent: x\nnonsense"}},
     {{"$HUB_KUBE_HEADER", "colon"}, {"$HUB_KUBE_HEADER", "already"}}},
  };
  for (const auto& [name, flags, variables, errors] : table) {
    SCOPED_TRACE(name);
    fake_surroundings around = holding("");
    around.variables = variables;
    expect_errors(load_settings(flags, around.get()), errors);
  }
}

TEST(SettingErrors, AFlagForOneMemberNeedsOne) {
  const std::string config = "hub: {kubeconfig: kc}\nmembers: [{name: prod, kubeconfig: kc}, {name: test}]\n";
  const auto load = [&](setting_flags flags) {
    flags.config = "s.yaml";
    return load_settings(flags, holding(config).get());
  };
  expect_errors(load({.member_context = "c", .hub_namespace = "n"}),
                {{"--member-context", "--member-cluster"}, {"--hub-namespace", "--member-cluster"}});
  expect_errors(load({.member_cluster = "pord"}), {{"--member-cluster", "did you mean \"prod\"?"}});
  expect_errors(load({.data_dir = ""}), {{"--data-dir", "empty"}});
  expect_errors(load({.member_qps = "0"}), {{"--member-qps", "more than 0"}}); // once, not per member
}

TEST(SettingErrors, OfAllSourcesAtOnce) {
  fake_surroundings around = holding("listn: x\nmembers: [{name: A, qps: x}]\nhub: {url: h}\nlog: {level: loud}\n");
  around.variables["HUB_KUBE_HEADER"] = "Host: h";
  expect_errors(load_settings({.config = "s.yaml", .listen = "x", .hub_burst = "0"}, around.get()),
                {{"s.yaml:1:1", "listen"},
                 {"s.yaml:2:26", "\"x\""},
                 {"s.yaml:2:18", "\"A\""},
                 {"s.yaml:3:12", "https://"},
                 {"$HUB_KUBE_HEADER", "Host"},
                 {"--hub-burst", "1 or more"},
                 {"--listen", "\"x\""},
                 {"s.yaml:4:14", "known are debug"}});
}

TEST(SettingErrors, ALostFileHidesWhatItMayHaveHeld) {
  expect_errors(load_settings({.config = "s.yaml", .hub_qps = "0"}, holding("members: [").get()),
                {{"s.yaml:1:1", "YAML"}, {"--hub-qps", "more than 0"}});
}

} // namespace
} // namespace sliceferry
