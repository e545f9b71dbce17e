#include "test/architecture/sizes.hpp"

#include "test/architecture/cpp_functions.hpp"

#include <algorithm>

namespace sliceferry::architecture {
namespace {

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

/// Marks the lines that begin inside a text of three quotes, whose indent means nothing.
std::vector<bool> inside_long_texts(const std::vector<std::string_view>& lines) {
  std::vector<bool> out;
  std::string_view open;
  for (std::string_view line : lines) {
    out.push_back(!open.empty());
    while (!line.empty()) {
      const auto hit = open.empty() ? std::min(line.find("\"\"\""), line.find("'''")) : line.find(open);
      if (hit == std::string_view::npos)
        break;
      open = open.empty() ? line.substr(hit, 3) : std::string_view{};
      line.remove_prefix(hit + 3);
    }
  }
  return out;
}

std::vector<extent> python_functions(std::string_view text) {
  const auto lines = lines_of(text);
  const auto inside = inside_long_texts(lines);
  std::vector<extent> out;
  for (std::size_t first = 0; first < lines.size(); ++first) {
    const std::size_t depth = indent_of(lines[first]);
    const std::string_view head = lines[first].substr(depth);
    if (inside[first] || (!head.starts_with("def ") && !head.starts_with("async def ")))
      continue;
    std::size_t last = first;
    for (std::size_t i = first + 1; i < lines.size(); ++i) {
      const std::size_t indent = indent_of(lines[i]);
      if (indent == lines[i].size())
        continue;
      // A signature of several lines closes at the indent of its `def`.
      if (!inside[i] && indent <= depth && lines[i][indent] != ')')
        break;
      last = i;
    }
    out.push_back({first + 1, last - first + 1});
  }
  return out;
}

bool opens_function(std::string_view line, bool is_go) {
  if (is_go)
    return line.starts_with("func ") && line.ends_with('{');
  return !line.empty() && line.front() != ' ' && (line.ends_with("() {") || line.ends_with("(){"));
}

/// Go and shell: from column 0 to the brace in column 0.
std::vector<extent> flush_functions(std::string_view text, bool is_go) {
  const auto lines = lines_of(text);
  std::vector<extent> out;
  for (std::size_t first = 0; first < lines.size(); ++first) {
    if (!opens_function(lines[first], is_go))
      continue;
    const auto close = std::find(lines.begin() + static_cast<std::ptrdiff_t>(first), lines.end(), "}");
    out.push_back({first + 1, static_cast<std::size_t>(close - lines.begin()) - first + 1});
  }
  return out;
}

bool has_shebang(const source_file& file, std::string_view word) {
  return file.text.starts_with("#!") && lines_of(file.text).front().find(word) != std::string_view::npos;
}

bool is_python(const source_file& file) {
  return file.path.ends_with(".py") || has_shebang(file, "python");
}

bool is_shell(const source_file& file) {
  return file.path.ends_with(".sh") || has_shebang(file, "sh");
}

bool is_code(const source_file& file) {
  const bool by_name = file.path.ends_with("CMakeLists.txt") || file.path.ends_with(".cmake") ||
                       file.path.ends_with(".go") || file.path.ends_with(".js") || file.path.ends_with(".css") ||
                       file.path.ends_with(".html");
  return by_name || file.is_cpp() || is_python(file) || is_shell(file);
}

} // namespace

std::vector<extent> functions_of(const source_file& file) {
  if (file.is_cpp())
    return cpp_functions(file.code);
  if (is_python(file))
    return python_functions(file.text);
  if (file.path.ends_with(".go") || is_shell(file))
    return flush_functions(file.text, file.path.ends_with(".go"));
  return {};
}

violations check_sizes(const source_file& file) {
  violations out;
  if (!is_code(file))
    return out;
  if (const std::size_t lines = lines_of(file.text).size(); lines > file_lines_max)
    out.push_back({"file size", file.path, std::to_string(lines) + " lines"});
  for (const auto& [first, lines] : functions_of(file))
    if (lines > function_lines_max)
      out.push_back({"function size", file.path,
                     "line " + std::to_string(first) + ": a function of " + std::to_string(lines) + " lines"});
  return out;
}

} // namespace sliceferry::architecture
