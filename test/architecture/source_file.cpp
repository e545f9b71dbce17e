#include "test/architecture/source_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

namespace sliceferry::architecture {
namespace {

/// Blanks comments and the insides of literals.
class blanker {
public:
  explicit blanker(std::string text) : text_(std::move(text)) {}

  std::string run() {
    while (at_ < text_.size()) {
      if (starts("//"))
        blank_to(text_.find('\n', at_));
      else if (starts("/*"))
        blank_to(after("*/", at_ + 2));
      else if (starts("R\"") && !is_word(before()))
        raw_string();
      else if (text_[at_] == '"' || (text_[at_] == '\'' && !is_word(before()))) // 1'000 is no character
        literal(text_[at_]);
      else
        ++at_;
    }
    return std::move(text_);
  }

private:
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
  char before() const { return at_ > 0 ? text_[at_ - 1] : ' '; }
  bool starts(std::string_view what) const { return std::string_view{text_}.substr(at_).starts_with(what); }
  std::size_t after(std::string_view what, std::size_t from) const {
    const auto found = text_.find(what, from);
    return found == std::string::npos ? found : found + what.size();
  }

  void blank_to(std::size_t end) {
    for (end = std::min(end, text_.size()); at_ < end; ++at_)
      if (text_[at_] != '\n')
        text_[at_] = ' ';
  }

  void raw_string() {
    const auto open = text_.find('(', at_);
    if (open == std::string::npos)
      return blank_to(open);
    const std::string close = ')' + text_.substr(at_ + 2, open - at_ - 2) + '"';
    blank_to(after(close, open));
  }

  void literal(char quote) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n')
      end += text_[end] == '\\' ? 2 : 1;
    ++at_;
    blank_to(end);
    at_ = std::min(at_ + 1, text_.size());
  }

  std::string text_;
  std::size_t at_ = 0;
};

bool is_left_out(const std::filesystem::directory_entry& folder) {
  static const std::set<std::string> names{".git", ".cache", "__pycache__", "build", ".venv"};
  return names.count(folder.path().filename().string()) != 0 ||
         std::filesystem::exists(folder.path() / "CMakeCache.txt");
}

} // namespace

source_file make_source(std::string path, std::string text) {
  source_file out{std::move(path), std::move(text), {}};
  out.code = out.is_cpp() ? blanker{out.text}.run() : out.text;
  return out;
}

source_tree read_tree(const std::filesystem::path& root) {
  source_tree out;
  for (std::filesystem::recursive_directory_iterator each{root}, end; each != end; ++each) {
    if (is_left_out(*each)) { // in a worktree .git is a file
      if (each->is_directory())
        each.disable_recursion_pending();
      continue;
    }
    if (each->is_directory())
      continue;
    std::ifstream file{each->path(), std::ios::binary};
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (each->is_regular_file() && text.find('\0') == std::string::npos)
      out.push_back(make_source(std::filesystem::relative(each->path(), root).generic_string(), std::move(text)));
  }
  std::sort(out.begin(), out.end(), [](const auto& left, const auto& right) { return left.path < right.path; });
  return out;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::vector<inclusion> inclusions_of(const source_file& file) {
  std::vector<inclusion> out;
  if (!file.is_cpp())
    return out;
  const auto code = lines_of(file.code);
  const auto text = lines_of(file.text);
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!code[i].starts_with("#include"))
      continue;
    const auto open = text[i].find_first_of("<\"");
    const auto close = text[i].find_last_of(">\"");
    if (open != std::string_view::npos && close > open)
      out.push_back({std::string{text[i].substr(open + 1, close - open - 1)}, text[i][open] == '"'});
  }
  return out;
}

} // namespace sliceferry::architecture
