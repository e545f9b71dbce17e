#include "test/storm/server/selector.hpp"

#include "test/storm/server/field_error.hpp"
#include "test/storm/server/revision.hpp"

#include <algorithm>

namespace sliceferry::storm {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

/// Splits at commas that aren't within parentheses.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at == text.size() || (text[at] == ',' && depth == 0)) {
      out.push_back(trimmed(text.substr(from, at - from)));
      from = at + 1;
    } else if (text[at] == '(') {
      ++depth;
    } else if (text[at] == ')') {
      --depth;
    }
  }
  return out;
}

/// Position and length of `=`, `==` or `!=`.
std::optional<std::pair<std::size_t, std::size_t>> find_operator(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos)
    return std::nullopt;
  if (equals > 0 && text[equals - 1] == '!')
    return std::pair{equals - 1, std::size_t{2}};
  return std::pair{equals, text.substr(equals).starts_with("==") ? std::size_t{2} : std::size_t{1}};
}

} // namespace

std::string selector::read_condition(std::string_view text) {
  if (text.starts_with('!')) {
    conditions_.push_back({std::string{trimmed(text.substr(1))}, false, {}, true});
    return {};
  }
  if (const auto found = find_operator(text)) {
    const bool negated = text[found->first] == '!';
    const auto value = trimmed(text.substr(found->first + found->second));
    conditions_.push_back(
      {std::string{trimmed(text.substr(0, found->first))}, !negated, {std::string{value}}, negated});
    return {};
  }
  const auto space = text.find(' ');
  if (space == std::string_view::npos) {
    conditions_.push_back({std::string{text}, true, {}, false});
    return {};
  }
  const auto rest = trimmed(text.substr(space));
  const bool negated = rest.starts_with("notin");
  const auto open = rest.find('(');
  if ((!negated && !rest.starts_with("in")) || open == std::string_view::npos || !rest.ends_with(')'))
    return "unable to parse requirement: found '" + std::string{rest.substr(0, rest.find(' '))} +
           "', expected: in, notin, =, ==, !=, gt, lt";
  condition made{std::string{text.substr(0, space)}, !negated, {}, negated};
  for (const auto value : split(rest.substr(open + 1, rest.size() - open - 2)))
    made.values.emplace_back(value);
  conditions_.push_back(std::move(made));
  return {};
}

std::string selector::read_labels(std::string_view text) {
  if (trimmed(text).empty())
    return {};
  for (const auto part : split(text))
    if (auto problem = read_condition(part); !problem.empty())
      return problem;
  return {};
}

std::string selector::read_fields(std::string_view text, bool custom) {
  if (trimmed(text).empty())
    return {};
  for (const auto part : split(text)) {
    const auto found = find_operator(part);
    if (!found)
      return "invalid selector: '" + std::string{text} + "'; can't understand '" + std::string{part} + "'";
    const std::string key{part.substr(0, found->first)};
    if (key != "metadata.name" && key != "metadata.namespace")
      return custom ? "field label not supported: " + key
                    : quoted(key) + " is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
    fields_.push_back(
      {key == "metadata.namespace", part[found->first] == '!', std::string{part.substr(found->first + found->second)}});
  }
  return {};
}

std::optional<std::string> selector::value_of(const revision& object, std::string_view key) {
  // Names and values of labels need no escapes in JSON, so the text can be searched as it is.
  const std::string_view labels = object.labels();
  const std::string wanted = "\"" + std::string{key} + "\":\"";
  for (auto at = labels.find(wanted); at != std::string_view::npos; at = labels.find(wanted, at + 1)) {
    if (at == 0 || (labels[at - 1] != '{' && labels[at - 1] != ','))
      continue;
    const auto from = at + wanted.size();
    return std::string{labels.substr(from, labels.find('"', from) - from)};
  }
  return std::nullopt;
}

bool selector::matches(std::string_view nspace, std::string_view name, const revision& object) const {
  for (const auto& [of_namespace, negated, value] : fields_)
    if (((of_namespace ? nspace : name) == value) == negated)
      return false;
  return std::all_of(conditions_.begin(), conditions_.end(), [&](const condition& each) {
    const auto value = value_of(object, each.key);
    if (each.values.empty())
      return value.has_value() != each.negated;
    if (!value)
      return !each.must_exist;
    const bool listed = std::find(each.values.begin(), each.values.end(), *value) != each.values.end();
    return listed != each.negated;
  });
}

} // namespace sliceferry::storm
