#include "test/architecture/cpp_functions.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace sliceferry::architecture {
namespace {

enum class block { scope, function, inner, initialiser };

bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

/// The text without a leading `template <…>`.
std::string_view without_template(std::string_view head) {
  while (head.starts_with("template")) {
    std::size_t depth = 0;
    std::size_t at = head.find('<');
    for (; at < head.size(); ++at) {
      depth += head[at] == '<' ? 1U : 0U;
      if (head[at] == '>' && --depth == 0)
        break;
    }
    head.remove_prefix(std::min(at + 1, head.size()));
    head.remove_prefix(std::min(head.find_first_not_of(" \n"), head.size()));
  }
  return head;
}

bool opens_scope(std::string_view head) {
  static const std::set<std::string_view> scopes{"namespace", "struct", "class", "union", "enum", "extern"};
  static const std::set<std::string_view> before{"inline", "typedef", "static", "const", "constexpr"};
  head = without_template(head);
  while (!head.empty()) {
    const auto end = std::min(head.find_first_of(" \n"), head.size());
    const std::string_view word = head.substr(0, end);
    if (scopes.count(word) != 0)
      return true;
    if (before.count(word) == 0)
      return false;
    head.remove_prefix(std::min(end + 1, head.size()));
  }
  return false;
}

/// Reads code from the left and keeps the text since the last block or statement: the head of
/// whatever comes next.
class function_finder {
public:
  explicit function_finder(std::string_view code) : code_(code) {}

  std::vector<extent> run() {
    for (; at_ < code_.size(); ++at_) {
      const char c = code_[at_];
      if (c == '\n')
        ++line_;
      if (c == '#' && starts_line())
        skip_directive();
      else if (c == '{')
        open();
      else if (c == '}')
        close();
      else if (c == ';' && !within_initialiser())
        head_.clear();
      else if (c == ':' && (head_ == "public" || head_ == "private" || head_ == "protected"))
        head_.clear();
      else
        extend(c);
    }
    return out_;
  }

private:
  bool within_initialiser() const { return !open_.empty() && open_.back().first == block::initialiser; }

  bool starts_line() const {
    const auto end = code_.substr(0, at_).find_last_not_of(' ');
    return at_ == 0 || end == std::string_view::npos || code_[end] == '\n';
  }

  void skip_directive() {
    while (at_ + 1 < code_.size() && (code_[at_ + 1] != '\n' || code_[at_] == '\\'))
      line_ += code_[++at_] == '\n' ? 1U : 0U;
  }

  void extend(char c) {
    if (head_.empty() && is_blank(c))
      return;
    if (head_.empty())
      head_line_ = line_;
    head_ += c;
  }

  block judge() const {
    if (std::any_of(open_.begin(), open_.end(), [](const auto& each) { return each.first == block::function; }))
      return block::inner;
    if (within_initialiser())
      return block::initialiser;
    const auto last = head_.find_last_not_of(" \n");
    if (last == std::string::npos)
      return block::inner;
    const bool detached = is_blank(code_[at_ - 1]);
    if (opens_scope(head_) && head_[last] != ')')
      return block::scope;
    if (!detached || std::string_view{"=,({[<?&|"}.find(head_[last]) != std::string_view::npos)
      return block::initialiser;
    return head_.find('(') != std::string::npos ? block::function : block::initialiser;
  }

  void open() {
    const block kind = judge();
    open_.emplace_back(kind, head_line_);
    if (kind == block::initialiser)
      extend('{');
    else
      head_.clear();
  }

  void close() {
    if (open_.empty())
      return;
    const auto [kind, first] = open_.back();
    open_.pop_back();
    if (kind == block::function)
      out_.push_back({first, line_ - first + 1});
    if (kind == block::initialiser)
      extend('}');
    else
      head_.clear();
  }

  std::string_view code_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::string head_;
  std::size_t head_line_ = 1;
  std::vector<std::pair<block, std::size_t>> open_; ///< each with the first line of its head
  std::vector<extent> out_;
};

} // namespace

std::vector<extent> cpp_functions(std::string_view code) {
  return function_finder{code}.run();
}

} // namespace sliceferry::architecture
