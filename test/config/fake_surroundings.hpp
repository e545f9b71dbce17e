#pragma once
#include "config/load_settings.hpp"

#include <map>
#include <string>

namespace sliceferry {

/// Surroundings that hold exactly these files and variables.
struct fake_surroundings {
  std::map<std::string, std::string> files;
  std::map<std::string, std::string> variables;

  surroundings get() const {
    return {
      [held = variables](const std::string& name) -> std::optional<std::string> {
        const auto found = held.find(name);
        return found == held.end() ? std::nullopt : std::optional<std::string>{found->second};
      },
      [held = files](const std::string& path) -> file_content {
        const auto found = held.find(path);
        return found == held.end() ? file_content{{}, "No such file or directory"} : file_content{found->second, {}};
      }};
  }
};

inline constexpr const char* some_pem = "-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n";

} // namespace sliceferry
