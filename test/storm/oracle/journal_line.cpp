#include "test/storm/oracle/journal_line.hpp"

#include "test/storm/oracle/json_fields.hpp"
#include "test/storm/oracle/syntax.hpp"

#include <boost/json.hpp>

#include <algorithm>

namespace sliceferry::storm {
namespace {

namespace json = boost::json;

/// What the journal calls the things that explain a write; all other events are told, and explain none.
constexpr std::string_view adopted = "adopted";
constexpr std::string_view generation_seen = "generation seen";
constexpr std::string_view name_chosen = "name chosen";
constexpr std::string_view withdrawal_begun = "withdrawal begun";
constexpr std::string_view slice_gone = "slice gone";
constexpr std::string_view remembered = "remembered";
constexpr std::string_view interruption = "interruption";
constexpr std::string_view unreadable = "unreadable";

std::optional<dated_generation> dating_of(const json::object& line) {
  const auto generation = number_at(line, "generation");
  const auto since = read_time(text_or_empty(line, "since"));
  if (!generation || !since)
    return {};
  return dated_generation{*generation, std::chrono::floor<std::chrono::seconds>(*since).count()};
}

std::vector<std::string> withdrawals_of(const json::object& memory) {
  std::vector<std::string> out;
  if (const auto* all = array_at(memory, "withdrawals"))
    for (const auto& each : *all)
      if (const auto* one = each.if_object())
        out.emplace_back(text_or_empty(*one, "hub_uid"));
  return out;
}

void read_event(std::string_view event, const json::object& line, journal_line& out) {
  if (event == adopted || event == name_chosen)
    out.export_name = text_or_empty(line, "export");
  if (event == adopted || event == generation_seen)
    out.dated = dating_of(line);
  if (event == withdrawal_begun)
    out.withdrawn.emplace_back(text_or_empty(line, "hub_uid"));
  if (event == slice_gone)
    out.is = journal_line::kind::gone;
}

} // namespace

std::optional<journal_line> read_journal_line(std::string_view text) {
  boost::system::error_code bad;
  const auto parsed = json::parse(text, bad);
  const auto* line = bad ? nullptr : parsed.if_object();
  if (!line)
    return {};
  const auto event = text_or_empty(*line, "event");
  const auto at = read_time(text_or_empty(*line, "time"));
  journal_line out;
  out.position = static_cast<std::uint64_t>(number_at(*line, "position").value_or(0));
  out.is = event == unreadable ? journal_line::kind::unreadable : journal_line::kind::told;
  if (out.is == journal_line::kind::unreadable && out.position != 0)
    return out;
  if (event.empty() || !at || out.position == 0)
    return {};
  out.at = *at;
  if (event == interruption) {
    out.is = journal_line::kind::interruption;
    out.from = read_time(text_or_empty(*line, "from")).value_or(out.at);
    return out;
  }
  out.member = text_or_empty(*line, "member");
  out.slice_uid = text_or_empty(*line, "uid");
  if (out.member.empty() || out.slice_uid.empty())
    return {};
  if (event != remembered) {
    read_event(event, *line, out);
    return out;
  }
  out.export_name = text_or_empty(*line, "export");
  out.withdrawn = withdrawals_of(*line);
  out.dated = dating_of(*line);
  const auto* blank = field_of(*line, "blank");
  out.is = blank && *blank == true ? journal_line::kind::blank : journal_line::kind::remembered;
  return out;
}

} // namespace sliceferry::storm
