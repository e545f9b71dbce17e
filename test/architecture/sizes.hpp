#pragma once
#include "test/architecture/source_file.hpp"

#include <cstddef>

namespace sliceferry::architecture {

constexpr std::size_t file_lines_max = 350;
constexpr std::size_t function_lines_max = 60;

/// Where a function stands: its first line counts from 1, and the signature and both braces belong to it.
struct extent {
  std::size_t first = 0;
  std::size_t lines = 0;

  bool operator==(const extent&) const = default;
};

/// The functions of a C++, Python, Go or shell file. It goes by braces and indents as this project
/// writes them; functions within functions count as part of the outer one (in Python also alone).
std::vector<extent> functions_of(const source_file& file);

/// Code, tests and scripts, of whatever language, against the two limits.
violations check_sizes(const source_file& file);

} // namespace sliceferry::architecture
