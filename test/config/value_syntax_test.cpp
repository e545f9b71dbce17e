#include "config/certificate_text.hpp"
#include "config/listen_address.hpp"
#include "config/nearest_name.hpp"
#include "config/request_header.hpp"
#include "config/server_url.hpp"
#include "test/config/fake_surroundings.hpp"

#include <gtest/gtest.h>

namespace sliceferry {
namespace {

TEST(ListenAddress, IsAnIpLiteralAndAPort) {
  const std::pair<const char*, std::optional<listen_address>> table[] = {
    {"127.0.0.1:8080", {{"127.0.0.1", 8080}}},
    {"0.0.0.0:0", {{"0.0.0.0", 0}}},
    {"[::]:80", {{"::", 80}}},
    {"[::1]:65535", {{"::1", 65535}}},
    {"[fe80::1:2]:1", {{"fe80::1:2", 1}}},
    {"[1:2:3:4:5:6:7:8]:1", {{"1:2:3:4:5:6:7:8", 1}}},
    {"", {}},
    {":8080", {}},
    {"8080", {}},
    {"1.2.3.4", {}},
    {"1.2.3.4:", {}},
    {"1.2.3.4:-1", {}},
    {"1.2.3.4:65536", {}},
    {"1.2.3.4:80x", {}},
    {"1.2.3:80", {}},
    {"1.2.3.4.5:80", {}},
    {"1.2.3.256:80", {}},
    {"1..3.4:80", {}},
    {"localhost:80", {}},
    {"::1:80", {}},
    {"[]:80", {}},
    {"[1.2.3.4]:80", {}},
    {"[1:2:3:4:5:6:7]:80", {}},
    {"[1::2::3]:80", {}},
    {"[:::]:80", {}},
    {"[1:2:3:4:5:6:7:8::]:80", {}},
    {"[12345::]:80", {}},
  };
  for (const auto& [text, expected] : table)
    EXPECT_EQ(parse_listen_address(text), expected) << text;
}

TEST(CertificateText, IsPemAsItIsOrInBase64) {
  const std::string pem = some_pem;
  const std::pair<std::string, std::optional<std::string>> table[] = {
    {pem, pem},
    {"# issued for us\n" + pem + "\n\n", "# issued for us\n" + pem},
    {"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tClFVSkQKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=", pem},
    {"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tClFVSkQK\n  LS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=\n", pem},
    {"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tClFVSkQKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo", {}}, // cut
    {"aGVsbG8=", {}},
    {"-----BEGIN PRIVATE KEY-----\n", {}},
    {"=", {}},
    {"a===", {}},
    {"", {}},
  };
  for (const auto& [text, expected] : table)
    EXPECT_EQ(certificate_text(text), expected) << text;
}

TEST(ServerUrl, IsJudged) {
  const std::pair<const char*, bool> table[] = {
    {"https://h", true},      {"https://h:6443/a/b", true}, {"http://127.0.0.1:1", true}, {"https://[::1]:1", true},
    {"h:6443", false},        {"ftp://h", false},           {"https://", false},          {"https:///a", false},
    {"https://h:", false},    {"https://h:0", false},       {"https://h:65536", false},   {"https://h:1x", false},
    {"https://u:p@h", false}, {"https://h?a", false},       {"https://h#a", false},       {"https://h /a", false},
    {"https://[::1", false},  {"https://[]:1", false},      {"https://[::1]1", false},
  };
  for (const auto& [url, good] : table)
    EXPECT_EQ(server_url_problem(url).empty(), good) << url;
}

TEST(ServerUrl, KnowsLoopback) {
  for (const char* url : {"http://127.0.0.1", "http://127.1.2.3:80/x", "http://localhost:1", "http://[::1]:1"})
    EXPECT_TRUE(is_loopback_url(url)) << url;
  for (const char* url : {"http://10.0.0.1", "http://localhost.example.org", "http://[::2]:1", "http://h/127.0.0.1"})
    EXPECT_FALSE(is_loopback_url(url)) << url;
}

TEST(RequestHeader, IsJudged) {
  struct row {
    const char* name;
    const char* value;
    bool good;
  };
  const row table[] = {
    {"X-A", "b", true},
    {"x_a.b", "", true},
    {"X-A", "b\tc", true},
    {"X-A", "caf\xc3\xa9", true},
    {"", "b", false},
    {"X A", "b", false},
    {"X:A", "b", false},
    {"X-\xc3\xa9", "b", false},
    {"X-A", "b\r\nHost: c", false},
    {"Authorization", "b", false},
    {"CONTENT-LENGTH", "1", false},
    {"Transfer-Encoding", "chunked", false},
  };
  for (const auto& [name, value, good] : table)
    EXPECT_EQ(request_header_problem(name, value).empty(), good) << name << ": " << value;
}

TEST(NearestName, IsTheOneWithTheFewestSlips) {
  const std::vector<std::string> known{"kubeconfig", "context", "qps", "burst", "token_file"};
  const std::pair<const char*, const char*> table[] = {
    {"kubeconfg", "did you mean \"kubeconfig\"?"},
    {"kubconfgi", "did you mean \"kubeconfig\"?"},
    {"contexts", "did you mean \"context\"?"},
    {"qsp", "did you mean \"qps\"?"},
    {"tokenFile", "did you mean \"token_file\"?"},
    {"TOKEN-FILE", "did you mean \"token_file\"?"},
    {"kube", "did you mean \"kubeconfig\"?"},
    {"zzzz", "known are kubeconfig, context, qps, burst, token_file"},
    {"", "known are kubeconfig, context, qps, burst, token_file"},
  };
  for (const auto& [wrong, advice] : table)
    EXPECT_EQ(nearest_name_advice(wrong, known), advice) << wrong;
}

} // namespace
} // namespace sliceferry
