#include "config/surroundings.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace sliceferry {

namespace {

file_content read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return {{}, "it is a directory"}; // libstdc++ opens one and reads nothing
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in)
    return {{}, std::generic_category().message(errno)};
  file_content content{{std::istreambuf_iterator<char>(in), {}}, {}};
  if (in.bad())
    content.problem = "reading it failed";
  return content;
}

} // namespace

surroundings process_surroundings() {
  return {[](const std::string& name) -> std::optional<std::string> {
            const char* value = std::getenv(name.c_str());
            return value ? std::optional<std::string>{value} : std::nullopt;
          },
          read_file};
}

} // namespace sliceferry
