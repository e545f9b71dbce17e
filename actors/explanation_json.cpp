#include "actors/explanation_report.hpp"
#include "actors/explanation_words.hpp"
#include "actors/journal/json_line.hpp"
#include "actors/log_line.hpp"
#include "messages/rfc3339.hpp"

#include <chrono>

namespace sliceferry {

namespace {

using journal::json_line;

std::int64_t milliseconds(std::chrono::nanoseconds duration) {
  return std::chrono::ceil<std::chrono::milliseconds>(duration).count();
}

std::vector<json_line> rules(const core::explanation& told) {
  std::vector<json_line> out;
  for (const auto& each : told.rules) {
    auto& line = out.emplace_back().add("rule", to_string(each.rule)).add("verdict", to_string(each.is));
    if (!each.evidence.empty())
      line.add("evidence", each.evidence);
  }
  return out;
}

std::vector<json_line> exports(const core::explanation& told) {
  std::vector<json_line> out;
  for (const auto& each : told.exports) {
    auto& line = out.emplace_back();
    line.add("name", each.name).add("uid", each.uid).add("resource_version", each.resource_version);
    line.add("generation", each.generation);
    if (each.since)
      line.add("exported_since", format_rfc3339(*each.since));
    line.add("owner", to_string(each.whose)).add("terminating", each.terminating);
    if (each.equivalent)
      line.add("equivalent", *each.equivalent);
  }
  return out;
}

void add_work(std::vector<json_line>& out, const core::queue_tale& tale, const char* writer) {
  for (const auto& each : tale.wishes) {
    auto& line = out.emplace_back().add("writer", writer).add("command", name_of(each.what));
    line.add("text", said(each.what)).add("state", to_string(each.is)).add("only_reads", each.only_reads);
    line.add("failures", std::uint64_t{each.failures}).add("age_ms", milliseconds(each.age));
    if (each.next_try)
      line.add("next_try_ms", milliseconds(*each.next_try));
    if (each.last_error)
      line.add("last_error", log::redact(to_string(*each.last_error)));
  }
}

void add_activity(json_line& out, const core::activity& runs) {
  out.add("awake", runs.awake);
  if (runs.out)
    out.add("out", name_of(*runs.out)).add("out_text", said(*runs.out));
  out.add("undone", std::uint64_t{runs.undone});
  std::vector<json_line> work;
  add_work(work, runs.member, "member");
  add_work(work, runs.hub, "hub");
  out.add("work", work);
}

json_line to_line(const core::explanation& told) {
  json_line out;
  out.add("namespace", told.slice.nspace).add("name", told.slice.name).add("member", told.member);
  out.add("uid", told.uid).add("status", to_string(told.stands)).add("conclusion", told.conclusion);
  out.add("decided_by", to_string(told.by));
  if (told.why)
    out.add("proof", to_string(*told.why));
  out.add("rules", rules(told));
  if (told.name) {
    if (!told.name->name.empty())
      out.add("export_name", told.name->name);
    out.add("name_rule", to_string(told.name->by)).add("name_evidence", told.name->evidence);
  }
  if (told.since)
    out.add("generation", told.since->generation)
      .add("exported_since", format_rfc3339(told.since->since))
      .add("since_evidence", told.since->evidence);
  if (told.owed)
    out.add("owed", name_of(*told.owed)).add("owed_text", said(*told.owed, told.name_is_made_up));
  else if (!told.runs)
    out.add("owed", "unknown");
  out.add("exports", exports(told));
  if (told.runs)
    add_activity(out, *told.runs);
  return out;
}

std::vector<json_line> members(const std::vector<member_told>& told) {
  std::vector<json_line> out;
  for (const auto& each : told) {
    std::vector<std::string> near;
    for (const auto& key : each.near)
      near.push_back(to_string(key));
    auto& line = out.emplace_back().add("member", each.member);
    if (each.slices)
      line.add("slices", std::uint64_t{*each.slices});
    line.add("slices_synced", each.slices_synced).add("exports_synced", each.exports_synced).add("near", near);
  }
  return out;
}

std::string joined(const std::vector<std::string>& all) {
  std::string out;
  for (const auto& each : all)
    out += (out.empty() ? "" : ", ") + each;
  return out;
}

/// What was looked at by a member that knows no such slice.
std::string of_nothing_found(const member_told& told) {
  std::string out = "member " + told.member + ": ";
  if (told.is_busy)
    return out + "its slices were searched a moment ago, ask again in some seconds\n";
  if (!told.slices)
    return log::to_text(out + "it holds no such slice, and no export on the hub tells of one", {}) + '\n';
  out += "no such slice among " + std::to_string(*told.slices);
  if (!told.slices_synced)
    out += "; the list of slices is not complete yet";
  if (!told.exports_synced)
    out += "; the list of exports is not complete yet";
  std::string near;
  for (const auto& key : told.near)
    near += (near.empty() ? "; did you mean " : ", ") + to_string(key);
  return log::to_text(out + near, {}) + '\n';
}

std::string text_report(const object_key& slice, const std::vector<member_told>& told,
                        const std::vector<std::string>& silent, bool is_found) {
  std::string out;
  const auto name = to_string(slice);
  if (!is_found) // those who gave no answer may know it
    out = log::to_text(
            (silent.empty() ? "nothing is known of a slice " : "no member that answered knows a slice ") + name, {}) +
          '\n';
  for (const auto& each : told) {
    for (const auto& one : each.found)
      out += (out.empty() ? "" : "\n") + to_text(one);
    if (!is_found)
      out += of_nothing_found(each);
  }
  if (!silent.empty())
    out += log::to_text("no answer came from " + joined(silent) + ", ask again", {}) + '\n';
  if (!is_found && silent.empty())
    out += log::to_text("where a journal is kept it may tell of an earlier one: sliceferry history " + name, {}) + '\n';
  return out;
}

} // namespace

std::string to_json(const core::explanation& told) {
  return to_line(told).text();
}

admin_answer report(const object_key& slice, const std::vector<member_told>& told,
                    const std::vector<std::string>& silent, bool as_json, answerer by) {
  std::vector<json_line> found;
  bool is_unsure = !silent.empty();
  for (const auto& each : told) {
    is_unsure = is_unsure || each.is_busy;
    for (const auto& one : each.found)
      found.push_back(to_line(one));
  }
  admin_answer out;
  out.status = !found.empty() ? 200 : is_unsure ? 503 : 404;
  if (!as_json) {
    out.body = text_report(slice, told, silent, !found.empty());
    return out;
  }
  out.content_type = "application/json";
  json_line line;
  line.add("answered_by", by == answerer::running_program ? "the running program" : "the clusters alone");
  line.add("namespace", slice.nspace).add("name", slice.name).add("found", found).add("members", members(told));
  out.body = line.add("silent", silent).text();
  return out;
}

} // namespace sliceferry
