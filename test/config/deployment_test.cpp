#include "config/command_line.hpp"
#include "config/load_settings.hpp"
#include "test/config/fake_surroundings.hpp"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

namespace sliceferry {
namespace {

TEST(Deployment, ItsArgumentsAndVariablesAreSettings) {
  const YAML::Node deployment = YAML::LoadFile(SLICEFERRY_SOURCE_DIR "/config/manifests/deployment.yaml");
  const YAML::Node container = deployment["spec"]["template"]["spec"]["containers"][0];
  const auto parsed = parse_command_line(container["args"].as<std::vector<std::string>>());
  ASSERT_TRUE(std::holds_alternative<command_line>(parsed));
  const auto& told = std::get<command_line>(parsed);
  EXPECT_EQ(told.what, verb::run);

  const std::map<std::string, std::string> secret{{"server", "https://hub:6443"}, {"ca.crt", some_pem}};
  fake_surroundings pod;
  for (const YAML::Node& variable : container["env"])
    pod.variables[variable["name"].as<std::string>()] =
      variable["value"] ? variable["value"].as<std::string>()
                        : secret.at(variable["valueFrom"]["secretKeyRef"]["key"].as<std::string>());
  const loaded_settings result = load_settings(told.flags, pod.get());
  ASSERT_TRUE(std::holds_alternative<settings>(result)) << to_string(std::get<setting_errors>(result).front());
  const auto& got = std::get<settings>(result);
  ASSERT_EQ(got.members.size(), 1U);
  EXPECT_TRUE(got.members[0].server.in_cluster);
  EXPECT_EQ(got.hub.url, "https://hub:6443");
  EXPECT_EQ(got.hub.ca_data, some_pem);
  const std::string mounted = container["volumeMounts"][0]["mountPath"].as<std::string>();
  EXPECT_EQ(got.hub.token_file, mounted + "/token");
  EXPECT_EQ(got.journal.data_dir, container["volumeMounts"][1]["mountPath"].as<std::string>());
}

} // namespace
} // namespace sliceferry
