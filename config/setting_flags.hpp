#pragma once
#include <optional>
#include <span>
#include <string>

namespace sliceferry {

/// What the command line says about settings, unjudged: `load_settings` judges all sources together.
struct setting_flags {
  std::optional<std::string> config{};
  std::optional<std::string> member_cluster{};
  std::optional<std::string> member_kubeconfig{};
  std::optional<std::string> member_context{};
  std::optional<std::string> hub_kubeconfig{};
  std::optional<std::string> hub_context{};
  std::optional<std::string> hub_namespace{};
  std::optional<std::string> listen{};
  std::optional<std::string> data_dir{};
  std::optional<std::string> hub_qps{};
  std::optional<std::string> hub_burst{};
  std::optional<std::string> member_qps{};
  std::optional<std::string> member_burst{};
  std::optional<std::string> refresh_resource_version{};
  std::optional<std::string> log_format{};
  std::optional<std::string> log_level{};

  bool operator==(const setting_flags&) const = default;
};

/// A flag as the command line knows it and the help shows it.
struct flag {
  const char* name;  ///< with its dashes
  const char* value; ///< what stands for the value in the help
  const char* what;
  std::optional<std::string> setting_flags::*field;
};

/// Every flag that sets something, in the order of the help.
std::span<const flag> known_flags();

} // namespace sliceferry
