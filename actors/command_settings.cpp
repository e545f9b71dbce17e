#include "actors/command_settings.hpp"

#include "config/listen_address.hpp"
#include "config/load_settings.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

namespace sliceferry {

std::variant<std::string, setting_errors> address_of_running(const setting_flags& flags) {
  if (!flags.config) {
    const auto listen = flags.listen.value_or(settings{}.listen);
    if (parse_listen_address(listen))
      return listen;
    return setting_errors{{"--listen", '"' + listen + "\" is not an IP address and a port", "write 127.0.0.1:8080"}};
  }
  const auto loaded = load_settings(flags, process_surroundings());
  if (const auto* errors = std::get_if<setting_errors>(&loaded))
    return *errors;
  return std::get<settings>(loaded).listen;
}

std::variant<settings, setting_errors> settings_of_reader(const setting_flags& flags) {
  settings out;
  if (flags.config) {
    auto loaded = load_settings(flags, process_surroundings());
    if (auto* errors = std::get_if<setting_errors>(&loaded))
      return std::move(*errors);
    out = std::move(std::get<settings>(loaded));
  } else {
    out.journal.data_dir = flags.data_dir.value_or("");
    out.listen = flags.listen.value_or(out.listen);
  }
  const auto& directory = out.journal.data_dir;
  if (directory.empty())
    return setting_errors{
      {"--data-dir", "no data directory is named", "give the program's own --data-dir, or its --config"}};
  std::error_code failed;
  const auto status = std::filesystem::status(directory, failed);
  if (std::filesystem::exists(status) && std::filesystem::is_directory(status))
    return out;
  const bool is_missing = status.type() == std::filesystem::file_type::not_found;
  return setting_errors{{flags.data_dir || !flags.config ? "--data-dir" : *flags.config,
                         "the data directory " + directory +
                           (is_missing                        ? " isn't there"
                            : std::filesystem::exists(status) ? " is a file"
                                                              : " can't be looked at: " + failed.message()),
                         "name the one in which the program keeps its journal"}};
}

} // namespace sliceferry
