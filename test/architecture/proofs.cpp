#include "test/architecture/proofs.hpp"

#include <algorithm>
#include <set>

namespace sliceferry::architecture {
namespace {

/// The names that stand behind each occurrence of `before`, up to `end`.
void collect(std::string_view text, std::string_view before, char end, std::set<std::string>& into) {
  for (auto at = text.find(before); at != std::string_view::npos; at = text.find(before, at)) {
    at += before.size();
    const auto stop = text.find(end, at);
    if (stop != std::string_view::npos)
      into.emplace(text.substr(at, stop - at));
  }
}

/// `Suite, Name` becomes `Suite.Name`.
std::string dotted(const std::string& arguments) {
  const auto comma = arguments.find(", ");
  return comma == std::string::npos ? arguments : arguments.substr(0, comma) + '.' + arguments.substr(comma + 2);
}

std::set<std::string> tests_of(const source_tree& tree) {
  std::set<std::string> out;
  for (const auto& file : tree) {
    std::set<std::string> found;
    if (!file.is_below("test/"))
      continue;
    if (file.path.ends_with("_test.cpp")) {
      collect(file.code, "\nTEST(", ')', found);
      collect(file.code, "\nTEST_F(", ')', found);
    } else if (file.is_below("test/e2e/test_")) {
      collect(file.text, "    def ", '(', found);
    } else if (file.path == "test/storm/weather/scenario.cpp") {
      collect(file.text, "portable(\"", '"', found);
      collect(file.text, "simulated(\"", '"', found);
    }
    for (const auto& each : found)
      out.insert(dotted(each));
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::vector<std::string_view> cells_of(std::string_view row) {
  std::vector<std::string_view> out;
  row.remove_prefix(1);
  for (auto bar = row.find('|'); bar != std::string_view::npos; bar = row.find('|')) {
    out.push_back(trimmed(row.substr(0, bar)));
    row.remove_prefix(bar + 1);
  }
  return out;
}

std::vector<std::string> in_backticks(std::string_view cell) {
  std::vector<std::string> out;
  for (auto open = cell.find('`'); open != std::string_view::npos; open = cell.find('`')) {
    const auto close = cell.find('`', open + 1);
    if (close == std::string_view::npos)
      break;
    out.emplace_back(cell.substr(open + 1, close - open - 1));
    cell.remove_prefix(close + 1);
  }
  return out;
}

/// The rows of the section's tables, without heads and rules. Empty if there is no such section.
std::vector<std::string_view> rows_of(const source_file& page) {
  std::vector<std::string_view> out;
  const std::string_view text = page.text;
  const auto begin = text.find(proofs_heading + '\n');
  if (begin == std::string_view::npos)
    return out;
  const auto end = text.find("\n## ", begin + 1);
  for (const auto line : lines_of(text.substr(begin, end - begin)))
    if (line.starts_with("| ") && !line.starts_with("| label |"))
      out.push_back(line);
  return out;
}

} // namespace

violations check_proofs(const source_tree& tree) {
  violations out;
  const auto page = std::ranges::find(tree, "CONTRIBUTING.md", &source_file::path);
  const auto rows = page == tree.end() ? std::vector<std::string_view>{} : rows_of(*page);
  if (rows.empty())
    return {{"proof", "CONTRIBUTING.md", "no rows below " + proofs_heading}};
  const auto complain = [&](std::string_view row, const std::string& what) {
    out.push_back({"proof", "CONTRIBUTING.md", std::string{row.substr(0, row.find('|', 2))} + "|: " + what});
  };
  const auto known = tests_of(tree);
  std::set<std::string_view> labels;
  for (const auto row : rows) {
    const auto cells = cells_of(row);
    if (cells.size() != 3 || cells[0].empty() || cells[1].empty()) {
      complain(row, "not a label, words and tests");
      continue;
    }
    if (!labels.insert(cells[0]).second)
      complain(row, "a second row of this label");
    const auto named = in_backticks(cells[2]);
    if (named.empty() && !cells[2].starts_with("can't happen"))
      complain(row, "no test");
    for (const auto& each : named)
      if (!known.contains(each))
        complain(row, "no such test: " + each);
  }
  return out;
}

} // namespace sliceferry::architecture
