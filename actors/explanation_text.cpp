#include "actors/explanation_report.hpp"
#include "actors/explanation_words.hpp"
#include "actors/log_line.hpp"
#include "messages/rfc3339.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry {

namespace {

using cells = std::vector<std::string>;

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

/// A line of the first section: a label and what it says.
std::string line(const std::string& label, const std::string& text) {
  return padded(label + ':', 16) + log::to_text(text, {}) + '\n';
}

/// Columns as wide as they need be; the last one is never padded.
std::string columns(const std::vector<cells>& rows) {
  std::vector<std::size_t> widths;
  std::vector<cells> shown;
  for (const auto& row : rows) {
    auto& out = shown.emplace_back();
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      out.push_back(log::to_text(row[i], {}));
      widths[i] = std::max(widths[i], out.back().size());
    }
  }
  std::string text;
  for (const auto& row : shown) {
    for (std::size_t i = 0; i < row.size(); ++i)
      text += (i == 0 ? "  " : "   ") + (i + 1 < row.size() ? padded(row[i], widths[i]) : row[i]);
    text += '\n';
  }
  return text;
}

std::string rules(const core::explanation& told) {
  std::vector<cells> rows;
  for (const auto& each : told.rules)
    rows.push_back({words_of(each.is), words_of(each.rule), each.evidence.empty() ? "-" : each.evidence});
  return "Rules:\n" + columns(rows);
}

std::string exports(const core::explanation& told) {
  if (told.exports.empty())
    return line("Hub exports", "none");
  std::vector<cells> rows{{"NAME", "UID", "VERSION", "GENERATION", "EXPORTED SINCE", "OF", "STATE"}};
  for (const auto& each : told.exports) {
    std::string state = each.terminating ? "terminating" : "there";
    if (each.equivalent)
      state += *each.equivalent ? ", as it ought to be" : ", differs from the slice";
    rows.push_back({each.name, each.uid, each.resource_version, std::to_string(each.generation),
                    each.since ? format_rfc3339(*each.since) : "-", words_of(each.whose), state});
  }
  return "Hub exports:\n" + columns(rows);
}

void add_wishes(std::vector<cells>& rows, const core::queue_tale& tale, const std::string& writer) {
  for (const auto& each : tale.wishes) {
    auto text = words_of(each.is);
    if (each.only_reads)
      text += ", to read whether it was done: its answer was lost";
    if (each.failures != 0)
      text += each.is == core::wish_state::parked ? ", refused " + times(each.failures)
                                                  : ", failed " + times(each.failures) + " in a row";
    text += ", asked " + seconds_of(each.age) + " ago";
    if (each.next_try)
      text +=
        *each.next_try > std::chrono::nanoseconds{0} ? ", next try in " + seconds_of(*each.next_try) : ", next try now";
    rows.push_back({writer, said(each.what), text});
    if (each.last_error)
      rows.push_back({"", "last error", to_string(*each.last_error)});
  }
}

/// What the exporter has handed over and no writer knows of: it is on its way there or back.
bool is_elsewhere(const core::activity& runs) {
  const auto is_out = [&](const core::wish_tale& each) { return said(each.what) == said(*runs.out); };
  return runs.out && std::ranges::none_of(runs.member.wishes, is_out) && std::ranges::none_of(runs.hub.wishes, is_out);
}

std::string work(const core::explanation& told) {
  const auto& runs = *told.runs;
  std::vector<cells> rows;
  add_wishes(rows, runs.member, "member");
  add_wishes(rows, runs.hub, "hub");
  if (is_elsewhere(runs))
    rows.push_back(
      {"-", said(*runs.out), "handed to its writer and not known there: it is on its way, or has just ended"});
  std::string out = rows.empty() ? line("Writes", "none waits or is in flight") : "Writes:\n" + columns(rows);
  if (told.owed && !runs.awake)
    out += line("Exporter", "asleep: it waits for its turn to be woken");
  if (runs.undone != 0)
    out += line("Undone", "somebody else undid this export " + times(runs.undone) + " lately");
  return out;
}

} // namespace

std::string to_text(const core::explanation& told) {
  std::string out = log::to_text(to_string(told.slice) + ": " + told.conclusion, {}) + "\n\n";
  out += line("Member", told.member);
  out += line("UID", told.uid.empty() ? "-" : told.uid);
  out += line("Status", words_of(told.stands));
  if (!told.runs)
    out += line("Answered by", "the clusters alone; what only a running program knows is unknown");
  if (told.why)
    out += line("Proof", std::string{to_string(*told.why)});
  if (told.name)
    out +=
      line("Export name", (told.name->name.empty() ? "a new one" : told.name->name) + " (" + told.name->evidence + ')');
  if (told.since) {
    const auto generation = "generation " + std::to_string(told.since->generation);
    out += line("Exported since", format_rfc3339(told.since->since) + ", " + generation);
    out += line("Last seen", told.since->evidence);
  }
  out += line("Owed", told.owed   ? said(*told.owed, told.name_is_made_up)
                      : told.runs ? "nothing"
                                  : "unknown; a program that starts now would have nothing to do");
  out += rules(told) + exports(told);
  if (told.runs)
    out += work(told);
  return out;
}

} // namespace sliceferry
