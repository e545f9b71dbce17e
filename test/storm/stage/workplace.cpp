#include "test/storm/stage/workplace.hpp"

#include <cstdlib>
#include <string>

namespace sliceferry::storm {

workplace::workplace() {
  std::string pattern = (std::filesystem::temp_directory_path() / "sliceferry-storm-XXXXXX").string();
  if (::mkdtemp(pattern.data()))
    folder_ = pattern;
}

workplace::~workplace() {
  std::error_code ignored;
  if (!folder_.empty())
    std::filesystem::remove_all(folder_, ignored);
}

} // namespace sliceferry::storm
