#include "test/storm/server/list_options.hpp"

#include "test/storm/server/api_path.hpp"

#include <charconv>

namespace sliceferry::storm {

namespace {

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number out{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
  return code == std::errc{} && end == text.data() + text.size() ? std::optional{out} : std::nullopt;
}

/// As a server reads a flag: whatever isn't clearly false is true.
bool flag_in(std::string_view text) {
  return text != "0" && text != "false" && text != "False" && text != "FALSE" && text != "f" && text != "F";
}

std::string bad_number(std::string_view text) {
  return "strconv.ParseInt: parsing " + quoted(text) + ": invalid syntax";
}

/// What doesn't go together; the same for lists and watches but for initial events.
field_errors contradictions(const list_options& options) {
  field_errors out;
  const auto match = [&](std::string_view why) { out.push_back(forbidden("resourceVersionMatch", why)); };
  if (options.watches) {
    if (options.initial_events && options.match != "NotOlderThan")
      match("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    else if (!options.match.empty() && !options.initial_events)
      match("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    return out;
  }
  if (!options.match.empty()) {
    if (options.version.empty())
      match("resourceVersionMatch is forbidden unless resourceVersion is provided");
    if (!options.continues.empty())
      match("resourceVersionMatch is forbidden when continue is provided");
    if (options.match != "Exact" && options.match != "NotOlderThan")
      out.push_back(not_supported("resourceVersionMatch", quoted(options.match), {"Exact", "NotOlderThan", ""}));
    if (options.match == "Exact" && options.version == "0")
      match("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
  }
  if (options.initial_events)
    out.push_back(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  return out;
}

/// Reads what the selectors say; the answer where they can't be read.
std::optional<api_answer> read_selectors(const query_values& values, const resource_kind& kind, selector& into) {
  for (const bool labels : {true, false}) {
    const auto found = values.find(labels ? "labelSelector" : "fieldSelector");
    if (found == values.end())
      continue;
    const auto problem = labels ? into.read_labels(found->second) : into.read_fields(found->second, kind.custom);
    if (!problem.empty())
      return bad_request(problem);
  }
  return std::nullopt;
}

} // namespace

std::optional<std::uint64_t> version_number(std::string_view text) {
  return number_in<std::uint64_t>(text);
}

std::string bad_version(std::string_view text) {
  return "resourceVersion: Invalid value: " + quoted(text) + ": strconv.ParseUint: parsing " + quoted(text) +
         ": invalid syntax";
}

list_options read_list_options(std::string_view query, const resource_kind& kind) {
  list_options out;
  const query_values values = read_query(query);
  const auto text = [&](std::string_view name) {
    const auto found = values.find(name);
    return found == values.end() ? std::string{} : found->second;
  };
  const auto number = [&](std::string_view name) -> std::optional<std::int64_t> {
    const std::string said = text(name);
    if (said.empty())
      return std::nullopt;
    const auto read = number_in<std::int64_t>(said);
    if (!read)
      out.refusal = bad_request(bad_number(said));
    return read;
  };
  out.limit = static_cast<std::uint64_t>(std::max<std::int64_t>(0, number("limit").value_or(0)));
  out.timeout_s = number("timeoutSeconds");
  if (!out.refusal)
    out.refusal = read_selectors(values, kind, out.keeps);
  if (out.refusal)
    return out;
  out.continues = text("continue");
  out.version = text("resourceVersion");
  out.match = text("resourceVersionMatch");
  out.watches = values.contains("watch") && flag_in(text("watch"));
  out.bookmarks = values.contains("allowWatchBookmarks") && flag_in(text("allowWatchBookmarks"));
  if (values.contains("sendInitialEvents"))
    out.initial_events = flag_in(text("sendInitialEvents"));
  if (const auto wrong = contradictions(out); !wrong.empty())
    out.refusal = options_invalid("ListOptions", wrong);
  return out;
}

} // namespace sliceferry::storm
