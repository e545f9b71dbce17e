#include "actors/diff_report.hpp"

#include "actors/journal/json_line.hpp"
#include "actors/log_line.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace sliceferry {

namespace {

using core::difference;
using groups = std::map<core::difference_kind, std::vector<const difference*>>;

constexpr std::size_t lines_max = 20;  // of one kind
constexpr std::size_t value_max = 160; // bytes of what is or should be in one field

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

std::string cut(const std::string& text) {
  return text.size() <= value_max ? text : text.substr(0, value_max) + "…";
}

std::string details(const difference& each) {
  std::string out;
  for (const auto& field : each.fields)
    out += (out.empty() ? "" : "; ") + field.field + " is " + cut(field.is) + ", should be " + cut(field.should_be);
  if (!each.why.empty())
    out += (out.empty() ? "" : "; ") + each.why;
  return out;
}

std::string slice_of(const difference& each) {
  return each.slice.name.empty() ? "-" : to_string(each.slice);
}

/// Texts of the clusters may hold anything, and a terminal would obey some of it.
std::string line_of(const difference& each) {
  const auto text = slice_of(each) + "  " + (each.export_name.empty() ? "-" : each.export_name) + "  " + details(each);
  return "  " + log::to_text(text, {}) + '\n';
}

void append_group(std::string& out, core::difference_kind kind, const std::vector<const difference*>& of) {
  out += '\n' + std::string{to_string(kind)} + ": " + std::to_string(of.size()) + '\n';
  for (std::size_t i = 0; i < std::min(lines_max, of.size()); ++i)
    out += line_of(*of[i]);
  if (of.size() > lines_max)
    out += "  and " + std::to_string(of.size() - lines_max) + " more; -o json shows all\n";
}

std::string overview(const core::comparison& told) {
  return counted(told.slices, "slice", "slices") + ", " + std::to_string(told.wanted) + " to be exported; " +
         counted(told.exports, "export", "exports") + " on the hub, " + std::to_string(told.foreign) +
         " of them foreign";
}

std::string harmless_of(const groups& by_kind) {
  std::string out;
  for (const auto& [kind, of] : by_kind)
    if (is_harmless(kind))
      out += (out.empty() ? "harmless: " : ", ") + std::to_string(of.size()) + ' ' + std::string{to_string(kind)};
  return out.empty() ? out : out + '\n';
}

std::size_t slices_in(const std::vector<difference>& found) {
  std::set<std::pair<object_key, std::string>> of;
  for (const auto& each : found)
    if (!is_harmless(each.kind))
      of.emplace(each.slice, each.slice.name.empty() ? each.export_name : std::string{});
  return of.size();
}

journal::json_line json_of(const difference& each) {
  journal::json_line out;
  out.add("kind", to_string(each.kind))
    .add("namespace", each.slice.nspace)
    .add("name", each.slice.name)
    .add("uid", each.slice_uid)
    .add("export", each.export_name)
    .add("why", each.why);
  std::vector<journal::json_line> fields;
  for (const auto& field : each.fields)
    fields.emplace_back().add("field", field.field).add("is", field.is).add("should_be", field.should_be);
  return out.add("fields", fields);
}

} // namespace

std::string text_of(const std::string& member, const core::comparison& told) {
  groups by_kind;
  for (const auto& each : told.found)
    by_kind[each.kind].push_back(&each);
  std::size_t differences = 0;
  std::string counts;
  for (const auto& [kind, of] : by_kind)
    if (!is_harmless(kind)) {
      differences += of.size();
      counts += (counts.empty() ? "" : ", ") + std::to_string(of.size()) + ' ' + std::string{to_string(kind)};
    }
  if (differences == 0)
    return harmless_of(by_kind) + "in sync: member " + member + ": " + overview(told) + '\n';
  std::string out = "member " + member + ": " + overview(told) + '\n' + counts + '\n';
  for (const auto& [kind, of] : by_kind)
    if (!is_harmless(kind))
      append_group(out, kind, of);
  return out + '\n' + harmless_of(by_kind) + counted(differences, "difference", "differences") + " in " +
         counted(slices_in(told.found), "slice", "slices") + " of member " + member + '\n';
}

std::string json_of(const std::string& member, const core::comparison& told) {
  std::vector<journal::json_line> differences;
  std::vector<journal::json_line> harmless;
  for (const auto& each : told.found)
    (is_harmless(each.kind) ? harmless : differences).push_back(json_of(each));
  return journal::json_line{}
    .add("member", member)
    .add("in_sync", differences.empty())
    .add("slices", std::uint64_t{told.slices})
    .add("wanted", std::uint64_t{told.wanted})
    .add("exports", std::uint64_t{told.exports})
    .add("foreign", std::uint64_t{told.foreign})
    .add("differences", differences)
    .add("harmless", harmless)
    .text();
}

std::string json_of_failures(const std::string& member, const std::vector<std::string>& failures) {
  return journal::json_line{}.add("member", member).add("failures", failures).text();
}

} // namespace sliceferry
