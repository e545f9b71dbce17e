#pragma once
#include <functional>
#include <optional>
#include <string>

namespace sliceferry {

/// A file's content, or why it can't be read.
struct file_content {
  std::string text;
  std::string problem; ///< empty: it was read
};

/// All of the process's surroundings that settings depend on; handed in, so that they are values.
struct surroundings {
  std::function<std::optional<std::string>(const std::string& name)> variable;
  std::function<file_content(const std::string& path)> file;
};

/// The real ones.
surroundings process_surroundings();

} // namespace sliceferry
