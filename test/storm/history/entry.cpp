#include "test/storm/history/entry.hpp"

#include <boost/json.hpp>

#include <array>

namespace sliceferry::storm {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 4> changes{"none", "added", "modified", "deleted"};

void put(json::object& line, std::string_view key, const std::string& text) {
  if (!text.empty())
    line[key] = text;
}

std::string text_of(const json::object& line, std::string_view key) {
  const auto* found = line.if_contains(key);
  return found && found->is_string() ? std::string{found->get_string()} : std::string{};
}

std::int64_t number_of(const json::object& line, std::string_view key) {
  const auto* found = line.if_contains(key);
  return found && found->is_int64() ? found->get_int64() : 0;
}

std::optional<history_entry::change> change_of(const std::string& text) {
  if (text.empty())
    return history_entry::change::none;
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (changes[i] == text)
      return static_cast<history_entry::change>(i);
  return {};
}

} // namespace

std::string format(const history_entry& entry) {
  json::object line;
  line["seq"] = entry.seq;
  line["at"] = entry.at.count();
  line["cluster"] = entry.cluster;
  put(line, "user", entry.user);
  line["verb"] = entry.verb;
  put(line, "resource", entry.resource);
  put(line, "namespace", entry.nspace);
  put(line, "name", entry.name);
  put(line, "subresource", entry.subresource);
  if (entry.code != 0)
    line["code"] = entry.code;
  put(line, "fault", entry.fault);
  put(line, "mark", entry.mark);
  if (entry.what != history_entry::change::none)
    line["change"] = changes[static_cast<std::size_t>(entry.what)];
  std::string out = json::serialize(line);
  if (!entry.object.empty())
    (out += '\t') += entry.object;
  return out;
}

std::optional<history_entry> parse_history_line(std::string_view line) {
  const auto tab = line.find('\t');
  boost::system::error_code bad;
  const auto parsed = json::parse(line.substr(0, tab), bad);
  if (bad || !parsed.is_object())
    return {};
  const auto& fields = parsed.get_object();
  const auto what = change_of(text_of(fields, "change"));
  history_entry out;
  out.verb = text_of(fields, "verb");
  out.cluster = text_of(fields, "cluster");
  if (!what || out.verb.empty() || out.cluster.empty())
    return {};
  out.what = *what;
  out.seq = static_cast<std::uint64_t>(number_of(fields, "seq"));
  out.at = instant{number_of(fields, "at")};
  out.user = text_of(fields, "user");
  out.resource = text_of(fields, "resource");
  out.nspace = text_of(fields, "namespace");
  out.name = text_of(fields, "name");
  out.subresource = text_of(fields, "subresource");
  out.code = static_cast<int>(number_of(fields, "code"));
  out.fault = text_of(fields, "fault");
  out.mark = text_of(fields, "mark");
  if (tab != std::string_view::npos)
    out.object = line.substr(tab + 1);
  return out;
}

} // namespace sliceferry::storm
