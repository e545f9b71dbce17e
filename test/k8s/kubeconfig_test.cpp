#include "k8s/kubeconfig.hpp"

#include "k8s/in_cluster.hpp"
#include "test/k8s/client_fixture.hpp"

namespace sliceferry::k8s::test {

namespace {

const identity ca = make_certificate({"ca", {}, true, false});
const identity user = make_certificate({"user", {}, false, false}, &ca);
const identity stranger = make_certificate({"stranger", {}, false, false}, &ca);

/// A kubeconfig of one context; `cluster` and `user` are lines of their bodies, indented by four.
std::string config(const std::string& cluster_lines, const std::string& user_lines) {
  return "apiVersion: v1\nkind: Config\ncurrent-context: main\ncontexts:\n- name: main\n  context:\n    cluster: c\n   "
         " user: u\n"
         "clusters:\n- name: c\n  cluster:\n" +
         cluster_lines + "users:\n- name: u\n  user:\n" + user_lines;
}

std::string all(const access_or_errors& got) {
  std::string out;
  for (const auto& error : got.errors)
    out += error + "\n";
  return out;
}

TEST(Kubeconfig, ReadsEveryKindOfCredential) {
  temporary_folder folder;
  folder.write("pki/ca.crt", ca.certificate);
  folder.write("pki/user.crt", user.certificate);
  folder.write("pki/user.key", user.key);
  const auto file = folder.write(
    "config",
    config("    server: https://api.example:6443\n    tls-server-name: api\n    certificate-authority: pki/ca.crt\n",
           "    client-certificate: pki/user.crt\n    client-key: pki/user.key\n    tokenFile: token\n"));
  const auto got = load_kubeconfig({{file}, ""});
  ASSERT_TRUE(got) << all(got);
  EXPECT_EQ(got.access->server, "https://api.example:6443");
  EXPECT_EQ(got.access->tls_server_name, "api");
  EXPECT_EQ(got.access->ca_file, folder.path("pki/ca.crt")) << "AU14";
  EXPECT_EQ(got.access->client_certificate_file, folder.path("pki/user.crt"));
  EXPECT_EQ(got.access->client_key_file, folder.path("pki/user.key"));
  EXPECT_EQ(got.access->token_file, folder.path("token")) << "AU03 it may come later";

  const auto inline_file = folder.write(
    "inline",
    config("    server: https://api.example\n    certificate-authority: missing\n    certificate-authority-data: " +
             base64(ca.certificate) + "\n",
           "    token: abc\n    client-certificate-data: " + base64(user.certificate) +
             "\n    client-key-data: " + base64(user.key) + "\n"));
  const auto direct = load_kubeconfig({{inline_file}, "main"});
  ASSERT_TRUE(direct) << all(direct);
  EXPECT_EQ(direct.access->ca_data, ca.certificate) << "AU13";
  EXPECT_EQ(direct.access->client_certificate_data, user.certificate);
  EXPECT_EQ(direct.access->client_key_data, user.key);
  EXPECT_EQ(direct.access->token, "abc");
}

TEST(Kubeconfig, ToleratesWhatIsLegal) {
  struct row {
    const char* name;
    std::string text;
  };
  const row table[] = {
    {"AU21 no user",
     "current-context: a\ncontexts: [{name: a, context: {cluster: c}}]\nclusters: [{name: c, cluster: {server: "
     "'https://x'}}]\n"},
    {"AU21 empty user", "current-context: a\ncontexts: [{name: a, context: {cluster: c, user: ''}}]\nclusters: [{name: "
                        "c, cluster: {server: "
                        "'https://x'}}]\nusers: null\n"},
    {"JSON", R"({"current-context":"a","contexts":[{"name":"a","context":{"cluster":"c"}}],)"
             R"("clusters":[{"name":"c","cluster":{"server":"https://x","certificate-authority-data":null}}]})"},
    {"insecure", config("    server: https://x\n    insecure-skip-tls-verify: true\n", "    token: t\n")},
    {"AU18 a token over loopback", config("    server: http://127.0.0.1:8001\n", "    token: t\n")},
    {"AU18 and over IPv6 loopback", config("    server: http://[::1]:8001\n", "    token: t\n")},
    {"keys that are new to us", config("    server: https://x\n    newer: 1\n", "    token: t\n    newer: 1\n")},
    {"a bare host is HTTPS", config("    server: x:6443\n", "    token: t\n")},
  };
  temporary_folder folder;
  for (const auto& [name, text] : table) {
    SCOPED_TRACE(name);
    const auto got = load_kubeconfig({{folder.write("config", text)}, ""});
    EXPECT_TRUE(got) << all(got);
  }
}

const std::string at_x = "    server: https://x\n";
const std::string token = "    token: t\n";

/// A kubeconfig that is refused, and a part of each error, in order.
struct refusal {
  const char* name;
  std::string text;
  std::vector<std::string> parts;
};

void expect_refused(const temporary_folder& folder, const std::vector<refusal>& table) {
  for (const auto& [name, text, parts] : table) {
    SCOPED_TRACE(name);
    const auto file = folder.write("config", text);
    const auto got = load_kubeconfig({{file}, ""});
    EXPECT_FALSE(got);
    ASSERT_EQ(got.errors.size(), parts.size()) << all(got);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      EXPECT_NE(got.errors[i].find(parts[i]), std::string::npos) << got.errors[i];
      EXPECT_EQ(got.errors[i].find(file), 0U) << got.errors[i];
    }
  }
}

TEST(Kubeconfig, SaysWhatIsWrongAndWhere) {
  expect_refused(
    temporary_folder{},
    {
      {"no YAML", "a: [", {"config, line"}},
      {"a list", "- a\n", {"is no kubeconfig"}},
      {"no context chosen", "contexts: [{name: a, context: {cluster: c}}]\n", {"choose one of \"a\""}},
      {"unknown context",
       "current-context: prodd\ncontexts: [{name: staging, context: {}}, {name: prod, context: {}}]\n",
       {"no context is named \"prodd\"; did you mean \"prod\", \"staging\"?"}},
      {"unknown cluster and user",
       "current-context: a\ncontexts:\n- name: a\n  context:\n    cluster: c\n    user: u\n",
       {"line 5: no cluster is named \"c\"; none is defined", "line 5: no user is named \"u\""}},
      {"not supported yet, all at once",
       config(
         at_x + "    proxy-url: http://p\n",
         "    exec: {command: aws}\n    auth-provider: {name: gcp}\n    username: a\n    password: b\n    as: root\n"),
       {"line 13: proxy-url isn't supported yet", "line 17: exec isn't", "line 18: auth-provider isn't",
        "line 19: username isn't", "line 20: password isn't", "line 21: as isn't"}},
      {"text that isn't", config("    server: [a]\n", token), {"line 12: server must be text"}},
    });
}

TEST(Kubeconfig, SaysWhichServerOrCredentialIsUnusable) {
  temporary_folder folder;
  folder.write("garbage", "no PEM");
  folder.write("user.crt", user.certificate);
  folder.write("stranger.key", stranger.key);
  expect_refused(
    folder,
    {
      {"AU15 insecure beside a CA",
       config(at_x + "    insecure-skip-tls-verify: true\n    certificate-authority-data: " + base64(ca.certificate) +
                "\n",
              token),
       {"insecure-skip-tls-verify is set beside a CA"}},
      {"AU18 a token in the clear", config("    server: http://10.0.0.1\n", token), {"in the clear; use https://"}},
      {"no server",
       config("    tls-server-name: x\n    disable-compression: true\n", token),
       {"line 12: the cluster \"c\" has no server"}},
      {"no such scheme", config("    server: ftp://x\n", token), {"must begin with https://"}},
      {"no such port", config("    server: https://x:0\n", token), {"no valid port"}},
      {"IPv6 without brackets", config("    server: https://fd00::1:443\n", token), {"no valid host"}},
      {"a password in the URL", config("    server: https://a:b@x\n", token), {"must not hold a user"}},
      {"no base64",
       config(at_x + "    certificate-authority-data: '***'\n", token),
       {"line 13: certificate-authority-data is not valid base64"}},
      {"several broken files at once",
       config(at_x + "    certificate-authority: garbage\n",
              "    client-certificate: missing.crt\n    client-key: garbage\n"),
       {"garbage) holds no PEM certificate", "missing.crt: No such file", "garbage) holds no PEM private key"}},
      {"a stranger's key",
       config(at_x, "    client-certificate: user.crt\n    client-key: stranger.key\n"),
       {"don't belong together"}},
      {"a certificate without its key", config(at_x, "    client-certificate: user.crt\n"), {"without its key"}},
    });
}

TEST(Kubeconfig, SaysWhichKeyIsMisspelt) {
  const std::string clusters = "clusters: [{name: c, cluster: {server: 'https://x'}}]\n";
  expect_refused(
    temporary_folder{},
    {
      {"in a cluster",
       config("    certificate-authority: ca.crt\n    serve: https://x\n", token),
       {"line 12: the cluster \"c\" has no server; \"serve\" is no key of it, did you mean \"server\"?"}},
      {"in a user, who would be anonymous",
       config(at_x, "    tokn: t\n"),
       {"line 16: the user \"u\" has no credentials; \"tokn\" is no key of it, did you mean \"token\"?"}},
      {"in a context",
       "current-context: a\ncontexts:\n- name: a\n  context:\n    clutser: c\n" + clusters,
       {"line 5: the context \"a\" names no cluster; \"clutser\" is no key of it, did you mean \"cluster\"?"}},
      {"in a context, whose user would be anonymous",
       "current-context: a\ncontexts:\n- name: a\n  context:\n    cluster: c\n    usr: u\n" + clusters,
       {"line 5: the context \"a\" names no user; \"usr\" is no key of it, did you mean \"user\"?"}},
    });
}

TEST(Kubeconfig, MergesSeveralFilesFirstWins) {
  temporary_folder folder;
  const auto first =
    folder.write("a/config", "current-context: main\nclusters:\n- name: c\n  cluster: {server: 'https://first', "
                             "certificate-authority: ca.crt}\n");
  folder.write("a/ca.crt", ca.certificate);
  const auto second = folder.write("b/config", config("    server: https://second\n", "    tokenFile: token\n"));
  const auto got = load_kubeconfig({{first, folder.path("missing"), second}, ""});
  ASSERT_TRUE(got) << all(got);
  EXPECT_EQ(got.access->server, "https://first") << "AU22";
  EXPECT_EQ(got.access->ca_file, folder.path("a/ca.crt"));
  EXPECT_EQ(got.access->token_file, folder.path("b/token")) << "AU14 each against its own file";
}

TEST(Kubeconfig, AFileThatIsMissingIsSaidSo) {
  temporary_folder folder;
  const auto alone = load_kubeconfig({{folder.path("missing")}, ""});
  ASSERT_EQ(alone.errors.size(), 1U);
  EXPECT_NE(alone.errors[0].find(folder.path("missing")), std::string::npos) << alone.errors[0];
  const auto several = load_kubeconfig({{folder.path("m1"), folder.path("m2")}, ""});
  ASSERT_EQ(several.errors.size(), 1U);
  EXPECT_NE(several.errors[0].find("m1"), std::string::npos);
  EXPECT_EQ(load_kubeconfig({{}, ""}).errors.size(), 1U);
}

TEST(InCluster, ReadsWhatEveryPodIsGiven) {
  struct row {
    const char* name;
    std::map<std::string, std::string> env;
    bool with_ca;
    std::string server; ///< empty: an error
  };
  const row table[] = {
    {"IPv4",
     {{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}, {"KUBERNETES_SERVICE_PORT", "443"}},
     true,
     "https://10.0.0.1:443"},
    {"AU20 IPv6",
     {{"KUBERNETES_SERVICE_HOST", "fd00::1"}, {"KUBERNETES_SERVICE_PORT", "6443"}},
     true,
     "https://[fd00::1]:6443"},
    {"a name",
     {{"KUBERNETES_SERVICE_HOST", "kube.svc"}, {"KUBERNETES_SERVICE_PORT", "443"}},
     true,
     "https://kube.svc:443"},
    {"no pod", {}, true, ""},
    {"no port", {{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}}, true, ""},
    {"no CA", {{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}, {"KUBERNETES_SERVICE_PORT", "443"}}, false, ""},
  };
  for (const auto& [name, env, with_ca, server] : table) {
    SCOPED_TRACE(name);
    temporary_folder folder;
    if (with_ca)
      folder.write("var/run/secrets/kubernetes.io/serviceaccount/ca.crt", ca.certificate);
    const auto lookup = [&vars = env](const std::string& key) -> std::optional<std::string> {
      const auto at = vars.find(key);
      return at != vars.end() ? std::optional{at->second} : std::nullopt;
    };
    const auto got = load_in_cluster(lookup, folder.path(""));
    ASSERT_EQ(static_cast<bool>(got), !server.empty()) << all(got);
    if (!got) {
      EXPECT_EQ(got.errors.size(), 1U);
      continue;
    }
    EXPECT_EQ(got.access->server, server);
    EXPECT_NE(got.access->token_file.find("serviceaccount/token"), std::string::npos) << "AU03 it may come later";
  }
}

} // namespace

} // namespace sliceferry::k8s::test
