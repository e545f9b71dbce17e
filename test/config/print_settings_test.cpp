#include "config/print_settings.hpp"

#include "config/load_settings.hpp"
#include "test/config/fake_surroundings.hpp"

#include <gtest/gtest.h>

#include <random>

namespace sliceferry {
namespace {

settings reread(const std::string& text) {
  fake_surroundings around{{{"s.yaml", text}, {"/ca.crt", some_pem}, {"/kc", ""}, {"/other: kc", ""}}, {}};
  const loaded_settings result = load_settings({.config = "s.yaml"}, around.get());
  if (const auto* errors = std::get_if<setting_errors>(&result)) {
    for (const setting_error& error : *errors)
      ADD_FAILURE() << to_string(error) << "\n" << text;
    return {};
  }
  return std::get<settings>(result);
}

class any_settings {
public:
  explicit any_settings(unsigned seed) : random_(seed) {}

  settings make() {
    settings out;
    const int members = 1 + pick(3);
    for (int i = 0; i < members; ++i) {
      member_settings& member = out.members.emplace_back();
      member.name = (pick(2) ? "1" : "null") + std::to_string(i); // reads like a number, or nearly like nothing
      member.hub_nspace = pick(2) ? "fleet-member-" + member.name : "ns" + std::to_string(i);
      member.server = server(i == 0 ? pick(3) : pick(2));
      member.server.context += member.server.kubeconfig.empty() ? "" : std::to_string(i);
      member.server.url += member.server.url.empty() ? "" : std::to_string(i);
    }
    for (int i = 0; i < pick(3); ++i)
      out.members[0].former_names.push_back(
        {"old" + std::to_string(i), pick(2) ? "attic" + std::to_string(i) : "fleet-member-old" + std::to_string(i)});
    out.members[0].leave = pick(2);
    out.guard = {static_cast<unsigned>(pick(101)), static_cast<unsigned>(pick(1000)),
                 std::chrono::seconds{1 + pick(100)}};
    out.journal = {pick(2) ? "" : "/var/lib/true", pick(2) ? journal_sync::durable : journal_sync::relaxed,
                   std::chrono::hours{pick(1000)}, static_cast<std::uint64_t>(64 + pick(1000))};
    out.orphan_grace = std::chrono::seconds{pick(100)};
    out.serving_fallback = pick(2);
    out.hub = server(pick(3));
    out.listen = pick(2) ? "[::1]:0" : "0.0.0.0:80";
    out.format = std::array{log_format::automatic, log_format::text, log_format::json}.at(index(3));
    out.level = std::array{log_level::debug, log_level::info, log_level::warning, log_level::error}.at(index(4));
    out.refresh_resource_version_always = pick(2);
    out.imports_nspace = pick(2) ? "true" : "fleet-system"; // text that YAML might take for something else
    out.shutdown_grace = std::chrono::seconds{pick(600)};
    return out;
  }

private:
  server_settings server(int way) {
    server_settings out;
    out.qps = pick(2) ? 200 : 0.1 + pick(1000) / 3.0;
    out.burst = 1 + pick(1000) / 7.0;
    if (way == 0) {
      out.kubeconfig = "/kc";
      out.context = std::array{"c", "# c", "a: b", "\"q\"", " blank "}.at(index(5));
    } else if (way == 1) {
      out.url = "https://[::1]:6443/clusters/c";
      out.token_file = pick(2) ? "/token" : "";
      if (pick(2)) {
        out.ca_data = some_pem;
        out.ca_file = "/ca.crt";
      } else {
        out.insecure_skip_tls_verify = pick(2);
      }
    } else {
      out.in_cluster = true;
    }
    return out;
  }

  int pick(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  std::size_t index(int bound) { return static_cast<std::size_t>(pick(bound)); }

  std::mt19937 random_;
};

TEST(PrintSettings, CanBeReadAgain) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const settings some = any_settings(seed).make();
    const std::string text = print_settings(some);
    ASSERT_EQ(reread(text), some) << text;
  }
}

TEST(PrintSettings, HidesHeaders) { // AU28
  settings some = any_settings(1).make();
  some.hub = {};
  some.hub.url = "https://hub";
  some.hub.headers = {{"X-Key", "s3cret"}};
  const std::string text = print_settings(some);
  EXPECT_EQ(text.find("s3cret"), std::string::npos);
  some.hub.headers["X-Key"] = "<hidden>";
  EXPECT_EQ(reread(text), some);
}

} // namespace
} // namespace sliceferry
