#include "test/storm/server/watch_board.hpp"

#include <chrono>

namespace sliceferry::storm {

namespace {

using change = history_entry::change;

constexpr auto bookmark_pause = std::chrono::seconds{1};

std::string_view event_type(change what) {
  switch (what) {
    case change::added:
      return "ADDED";
    case change::modified:
      return "MODIFIED";
    case change::deleted:
      return "DELETED";
    case change::none:
      break;
  }
  return "ERROR";
}

shared_text line_of(change what, const served_kind& as, const revision& object) {
  std::string out;
  out.reserve(object.text.size() + 40);
  out.append(R"({"type":")").append(event_type(what)).append(R"(","object":)");
  append_shown(out, *as.kind, as.version, object);
  out += "}\n";
  return std::make_shared<const std::string>(std::move(out));
}

/// The members that a Go structure of this kind shows though nobody set them.
void append_zero_members(std::string& out, const resource_kind& kind) {
  for (const auto& each : kind.members)
    if (const std::string_view zero = each.keeps_null ? "null" : std::string_view{each.fallback}; !zero.empty())
      out.append(",\"").append(each.name).append("\":").append(zero);
}

/// What a change is to somebody who sees only what a selector keeps.
change seen_as(const logged_event& event, const selector& keeps) {
  if (keeps.is_empty())
    return event.what;
  const auto kept = [&](const shared_revision& object) {
    return object && keeps.matches(event.nspace, event.name, *object);
  };
  const bool was = kept(event.before);
  const bool is = event.what != change::deleted && kept(event.after);
  return was && is ? change::modified : was ? change::deleted : is ? change::added : change::none;
}

} // namespace

std::uint64_t watch_board::open(watch_request asked, cluster::watcher sinks, instant now) {
  auto made = std::make_shared<watcher>();
  made->asked = std::move(asked);
  made->sinks = std::move(sinks);
  made->bookmarked = now;
  open_.emplace(++last_id_, std::move(made));
  return last_id_;
}

void watch_board::close(std::uint64_t watch) {
  const auto found = open_.find(watch);
  if (found == open_.end())
    return;
  found->second->over = true;
  open_.erase(found);
}

void watch_board::begin(std::uint64_t watch, const object_store& store, const event_log& log, std::uint64_t version) {
  const auto found = open_.find(watch);
  if (found == open_.end() || found->second->begun)
    return;
  const shared_watcher to = found->second; // a sink may close it meanwhile
  to->begun = true;
  if (!to->asked.from) {
    to->told = version;
    if (to->asked.starts_with_state)
      deliver_state(*to, store, version);
    return;
  }
  to->told = *to->asked.from;
  if (*to->asked.from < log.floor()) {
    to->sinks.line(std::make_shared<const std::string>(R"({"type":"ERROR","object":)" +
                                                       too_old_status(*to->asked.from, log.floor()) + "}\n"));
    return end(watch);
  }
  for (auto event = log.after(*to->asked.from); event != log.end() && !to->over; ++event) {
    shared_text line;
    deliver(*to, *event, line);
  }
}

void watch_board::deliver_state(watcher& to, const object_store& store, std::uint64_t version) {
  const collection& all = store[to.asked.of.kind->id];
  for (const auto& [nspace, space] : all.all()) {
    if (!to.asked.nspace.empty() && nspace != to.asked.nspace)
      continue;
    for (const auto& [name, object] : space.names())
      if (!to.over && to.asked.keeps.matches(nspace, name, *object))
        to.sinks.line(line_of(change::added, to.asked.of, *object));
  }
  if (to.asked.marks_end_of_state && !to.over)
    bookmark(to, version, true);
}

void watch_board::deliver(watcher& to, const logged_event& event, shared_text& stored_line) {
  const bool other =
    event.kind != to.asked.of.kind->id || (!to.asked.nspace.empty() && to.asked.nspace != event.nspace);
  if (other || event.version() <= to.told)
    return;
  const change what = seen_as(event, to.asked.keeps);
  if (what == change::none)
    return;
  to.told = event.version();
  if (what == event.what && to.asked.of.version == 0) {
    if (!stored_line)
      stored_line = line_of(what, to.asked.of, *event.after);
    return to.sinks.line(stored_line);
  }
  // Who no longer sees the object is shown how it was, at the version of the change.
  if (what == change::deleted && event.before)
    return to.sinks.line(line_of(what, to.asked.of, *with_version(*event.before, event.version())));
  to.sinks.line(line_of(what, to.asked.of, *event.after));
}

void watch_board::publish(const logged_event& event) {
  shared_text line;
  for (auto each = open_.begin(); each != open_.end();) {
    const std::uint64_t id = each->first;
    const shared_watcher to = each->second;
    if (to->begun)
      deliver(*to, event, line);
    each = open_.upper_bound(id); // a sink may have closed any watch
  }
}

void watch_board::bookmark(watcher& to, std::uint64_t version, bool end_of_state) {
  const auto& [kind, at] = to.asked.of;
  std::string out = R"({"type":"BOOKMARK","object":)" + kind->versions[at].head;
  out.append(R"({"resourceVersion":")").append(std::to_string(version)).append("\"");
  if (end_of_state)
    out += R"(,"annotations":{"k8s.io/initial-events-end":"true"})";
  out += "}";
  if (!kind->custom)
    append_zero_members(out, *kind);
  out += "}}\n";
  to.told = version;
  to.sinks.line(std::make_shared<const std::string>(std::move(out)));
}

void watch_board::end(std::uint64_t id) {
  const auto found = open_.find(id);
  if (found == open_.end())
    return;
  const shared_watcher ended = found->second;
  close(id);
  if (ended->sinks.end)
    ended->sinks.end();
}

template <class Pick>
void watch_board::end_where(Pick pick) {
  for (auto each = open_.begin(); each != open_.end();) {
    const std::uint64_t id = each->first;
    if (pick(*each->second))
      end(id);
    each = open_.upper_bound(id);
  }
}

void watch_board::tick(instant now, std::uint64_t version) {
  end_where([&](const watcher& each) { return each.asked.until && *each.asked.until <= now; });
  for (auto each = open_.begin(); each != open_.end();) {
    const std::uint64_t id = each->first;
    const shared_watcher to = each->second;
    if (to->begun && to->asked.bookmarks && to->told < version && now - to->bookmarked >= bookmark_pause) {
      to->bookmarked = now;
      bookmark(*to, version, false);
    }
    each = open_.upper_bound(id);
  }
}

void watch_board::end_all() {
  end_where([](const watcher&) { return true; });
}

void watch_board::end_of_kind(std::size_t kind) {
  end_where([kind](const watcher& each) { return each.asked.of.kind->id == kind; });
}

} // namespace sliceferry::storm
