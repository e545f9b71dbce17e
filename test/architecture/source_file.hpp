#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::architecture {

/// A file of the tree. `code` is `text` with comments and the insides of literals blanked out, so
/// that lines and columns stay where they are; for other languages than C++ the two are equal.
struct source_file {
  std::string path; ///< from the root, with slashes
  std::string text;
  std::string code;

  bool is_cpp() const { return path.ends_with(".cpp") || is_header(); }
  bool is_header() const { return path.ends_with(".hpp"); }
  bool is_below(std::string_view folder) const { return path.starts_with(folder); }
};

using source_tree = std::vector<source_file>;

/// Something that must not be: which check found it, where, and what it is.
struct violation {
  std::string check;
  std::string path;
  std::string detail;
};

using violations = std::vector<violation>;

source_file make_source(std::string path, std::string text);

/// Every text file below the root that belongs to the project: build trees, caches and what git
/// keeps for itself are left out.
source_tree read_tree(const std::filesystem::path& root);

std::vector<std::string_view> lines_of(std::string_view text);

/// `messages/command.hpp` or `<vector>`, in the order of the file; C++ only.
struct inclusion {
  std::string target;
  bool quoted = false;
};
std::vector<inclusion> inclusions_of(const source_file& file);

} // namespace sliceferry::architecture
