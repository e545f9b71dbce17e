#include "config/load_settings.hpp"

#include "test/config/fake_surroundings.hpp"

#include <gtest/gtest.h>

namespace sliceferry {
namespace {

const std::string example = SLICEFERRY_SOURCE_DIR "/config/example/sliceferry.yaml";

TEST(Example, IsAccepted) {
  surroundings around = process_surroundings();
  around.variable = [](const std::string&) { return std::nullopt; };
  around.file = [](const std::string& path) {
    return path == example ? process_surroundings().file(path) : file_content{some_pem, {}};
  };
  const loaded_settings result = load_settings({.config = example}, around);
  if (const auto* errors = std::get_if<setting_errors>(&result)) {
    for (const setting_error& error : *errors)
      ADD_FAILURE() << to_string(error);
    return;
  }
  settings defaults = std::get<settings>(result);
  EXPECT_EQ(defaults.members.size(), 4U);
  EXPECT_EQ(defaults.members[0].hub_nspace, "fleet-member-prod-1");
  defaults.members.clear();
  defaults.hub = {};
  EXPECT_EQ(defaults, settings{}) << "the example says that it shows the defaults";
}

TEST(Example, ShowsEverySetting) {
  const std::string text = process_surroundings().file(example).text;
  for (const char* key : {"members",
                          "name",
                          "kubeconfig",
                          "context",
                          "namespace",
                          "qps",
                          "burst",
                          "url",
                          "token_file",
                          "ca_file",
                          "ca_data",
                          "headers",
                          "insecure_skip_tls_verify",
                          "in_cluster",
                          "hub",
                          "listen",
                          "refresh_resource_version",
                          "imports_namespace",
                          "former_names",
                          "leave",
                          "guard",
                          "share_percent",
                          "count",
                          "window_seconds",
                          "data_dir",
                          "journal",
                          "sync",
                          "retention_hours",
                          "max_mib",
                          "orphan_grace_seconds",
                          "serving_fallback",
                          "shutdown_grace_seconds",
                          "log",
                          "format",
                          "level"})
    EXPECT_NE(text.find(key), std::string::npos) << key;
}

TEST(Example, ItsFilesAreLookedFor) {
  surroundings around = process_surroundings();
  around.variable = [](const std::string&) { return std::nullopt; };
  const loaded_settings result = load_settings({.config = example}, around);
  ASSERT_TRUE(std::holds_alternative<setting_errors>(result));
  EXPECT_EQ(std::get<setting_errors>(result).size(), 4U); // three kubeconfigs, one CA
}

TEST(Surroundings, TellWhyAFileCannotBeRead) {
  const surroundings around = process_surroundings();
  EXPECT_FALSE(around.file("/nowhere/at-all").problem.empty());
  EXPECT_FALSE(around.file(SLICEFERRY_SOURCE_DIR).problem.empty());
  EXPECT_TRUE(around.file(example).problem.empty());
}

} // namespace
} // namespace sliceferry
