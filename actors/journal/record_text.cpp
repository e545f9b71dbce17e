#include "actors/journal/record_text.hpp"

#include "actors/journal/json_line.hpp"
#include "messages/overloaded.hpp"
#include "messages/rfc3339.hpp"

#include <algorithm>

namespace sliceferry::journal {
namespace {

constexpr std::size_t event_width = 20; // "withdrawal cancelled"
constexpr std::size_t short_uid = 8;
constexpr std::string_view of_snapshot = "as of the snapshot      "; // as wide as a time

void add(json_line& out, const adopted& x) {
  out.add("export", x.name).add("generation", x.generation).add("since", format_rfc3339(x.since));
  out.add("hub_uids", x.hub_uids).add("digest", std::to_string(x.digest));
}
void add(json_line& out, const generation_seen& x) {
  out.add("generation", x.generation).add("since", format_rfc3339(x.since));
}
void add(json_line& out, const name_chosen& x) {
  out.add("export", x.name);
}
void add(json_line& out, const annotated& x) {
  out.add("generation", x.generation);
}
void add(json_line& out, const export_applied& x) {
  out.add("export", x.name).add("hub_uid", x.hub_uid);
  out.add("digest", std::to_string(x.digest)).add("accepted", std::to_string(x.accepted));
}
void add(json_line& out, const withdrawal_begun& x) {
  out.add("export", x.name).add("hub_uid", x.hub_uid).add("why", to_string(x.why));
}
void add(json_line&, const withdrawal_cancelled&) {}
void add(json_line& out, const export_withdrawn& x) {
  out.add("hub_uid", x.hub_uid);
}
void add(json_line&, const annotations_cleared&) {}
void add(json_line& out, const refused& x) {
  out.add("command", x.command).add("reason", x.reason);
}
void add(json_line& out, const drift_repaired& x) {
  out.add("what", x.what);
}
void add(json_line& out, const contradiction& x) {
  out.add("what", x.what);
}
void add(json_line&, const slice_gone&) {}

void add(json_line& out, const event& told) {
  out.add("event", name_of(told));
  std::visit([&](const auto& x) { add(out, x); }, told);
}

void add(json_line& out, const remembered& whole) {
  const auto& held = whole.held;
  out.add("event", "remembered");
  if (held == core::memory{}) {
    out.add("blank", true);
    return;
  }
  std::vector<json_line> withdrawals;
  for (const auto& each : held.withdrawals)
    withdrawals.push_back(json_line{}
                            .add("export", each.name)
                            .add("hub_uid", each.hub_uid)
                            .add("why", to_string(each.why))
                            .add("done", each.done));
  out.add("export", held.name).add("generation", held.generation).add("since", format_rfc3339(held.since));
  out.add("hub_uids", held.hub_uids).add("digest", std::to_string(held.digest));
  out.add("accepted", std::to_string(held.accepted)).add("withdrawals", withdrawals);
  out.add("names_chosen", std::uint64_t{held.names_chosen});
  out.add("annotated_in_row", std::uint64_t{held.annotated_in_row});
  for (const auto& [is, field] : {std::pair{held.name_pending, "name_pending"},
                                  {held.annotate_owed, "annotate_owed"},
                                  {held.annotate_refused, "annotate_refused"},
                                  {held.apply_owed, "apply_owed"},
                                  {held.over, "over"}})
    if (is)
      out.add(field, true);
}

void add(json_line& out, const interruption& x) {
  out.add("event", "interruption").add("from", format_moment(x.from)).add("reason", x.why);
}

const char* why_unreadable(bool newer) {
  return newer ? "newer" : "damaged";
}

/// Name and details, apart, so that the names can form a column.
struct telling {
  std::string name;
  std::string details;
};

telling telling_of(const event& told) {
  const std::string name{name_of(told)};
  const std::string whole = to_string(told);
  return {name, whole.size() > name.size() ? whole.substr(name.size() + 1) : ""};
}

telling telling_of(const remembered& whole) {
  const auto& held = whole.held;
  if (held == core::memory{})
    return {"remembered", "nothing: here begins what is known of this slice"};
  const std::string text = to_string(held);
  return {"remembered", text.substr(text.find('{') + 1, text.size() - text.find('{') - 2)};
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width)
    text.append(width - text.size(), ' ');
  return text;
}

/// No text from outside may bring a line or a terminal's command into a line.
std::string tame(std::string text) {
  std::replace_if(
    text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; }, ' ');
  return text;
}

} // namespace

std::string format_moment(moment at) {
  const auto second = std::chrono::floor<std::chrono::seconds>(at);
  const auto rest = std::to_string(1000 + (at - second).count());
  std::string out = format_rfc3339(second);
  out.insert(out.size() - 1, '.' + rest.substr(1));
  return out;
}

std::string to_json(const journal_record& what) {
  json_line out;
  out.add("position", what.position).add("time", format_moment(what.at));
  if (!std::holds_alternative<interruption>(what.what)) {
    out.add("member", what.whose.member).add("namespace", what.slice.nspace).add("name", what.slice.name);
    out.add("uid", what.whose.slice_uid);
  }
  std::visit([&](const auto& x) { add(out, x); }, what.what);
  return out.text();
}

std::string to_json(const kept_memory& kept) {
  json_line out;
  out.add("position", kept.covers).add("member", kept.whose.member).add("namespace", kept.slice.nspace);
  out.add("name", kept.slice.name).add("uid", kept.whose.slice_uid).add("snapshot", true);
  add(out, remembered{kept.held});
  return out.text();
}

std::string unreadable_to_json(std::uint64_t position, bool newer) {
  return json_line{}.add("position", position).add("event", "unreadable").add("why", why_unreadable(newer)).text();
}

std::string record_lines::line(const journal_record& what) {
  if (const auto* gap = std::get_if<interruption>(&what.what))
    return format_moment(what.at) + "  not recorded: from " + format_moment(gap->from) + " to " +
           format_moment(what.at) + ": " + tame(gap->why) + '\n';
  const telling told = std::visit(overloaded{
                                    [](const event& x) { return telling_of(x); },
                                    [](const remembered& x) { return telling_of(x); },
                                    [](const interruption&) { return telling{}; },
                                  },
                                  what.what);
  return columns(format_moment(what.at), what.whose, what.slice, padded(told.name, event_width) + "  " + told.details);
}

std::string record_lines::line(const kept_memory& kept) {
  const telling told = telling_of(remembered{kept.held});
  return columns(std::string{of_snapshot}, kept.whose, kept.slice,
                 padded(told.name, event_width) + "  " + told.details);
}

std::string record_lines::columns(std::string when, const stream_id& whose, const object_key& where, std::string what) {
  const std::string slice = to_string(where);
  member_width_ = std::max(member_width_, whose.member.size());
  slice_width_ = std::max(slice_width_, slice.size());
  std::string out = std::move(when) + "  " + padded(whose.member, member_width_) + "  " + padded(slice, slice_width_) +
                    "  " + padded(whose.slice_uid.substr(0, short_uid), short_uid) + "  " + std::move(what);
  out = tame(std::move(out));
  out.erase(out.find_last_not_of(' ') + 1);
  return out + '\n';
}

std::string unreadable_to_line(std::uint64_t position, bool newer) {
  return "record " + std::to_string(position) + " can't be read: it is " +
         (newer ? "of a later version of this program\n" : "damaged\n");
}

} // namespace sliceferry::journal
