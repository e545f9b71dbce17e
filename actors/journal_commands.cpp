#include "actors/journal_commands.hpp"

#include "actors/journal/history.hpp"
#include "actors/journal/replay.hpp"
#include "actors/memory_desk.hpp"
#include "actors/operator_commands.hpp"
#include "actors/wall_clock.hpp"

#include <optional>
#include <string_view>

namespace sliceferry {

namespace {

const journal::reading_end no_directory{journal::reading_end::kind::failed,
                                        "no data directory is named; give the program's own --data-dir or --config\n"};

/// What the program at this address remembers; nothing if none answers, or not as one.
std::optional<journal::memory_digests> ask_memories(const std::string& listen, const std::string& member) {
  const auto answer = ask_running(listen, "/memories" + (member.empty() ? "" : "?member=" + member));
  return answer.status == 200 ? read_memory_lines(answer.body) : std::nullopt;
}

/// The program goes on while the journal is read. What differs and changed meanwhile proves nothing.
void leave_out_moving(journal::replay_query query, journal::memory_digests& running, const std::string& listen) {
  query.running = &running;
  query.json = true;
  std::string told;
  const auto keep = [&](std::string_view text) {
    told += text;
    return true;
  };
  if (journal::show_replay(query, keep).how != journal::reading_end::kind::differs)
    return;
  const auto now = ask_memories(listen, query.member);
  for (auto& [whose, digest] : running) {
    const auto later = now ? now->find(whose) : journal::memory_digests::const_iterator{};
    if (now && (later == now->end() || later->second != digest))
      digest.reset();
  }
  if (now) // and what is new since
    for (const auto& [whose, digest] : *now)
      running.emplace(whose, std::nullopt);
}

} // namespace

journal::reading_end show_history(const std::string& data_dir, const question& asked, const journal::text_sink& sink) {
  if (data_dir.empty())
    return no_directory;
  journal::history_query query;
  query.directory = data_dir;
  if (!asked.name.empty())
    query.slice = object_key{asked.nspace, asked.name};
  query.member = asked.member;
  if (asked.since)
    query.since = wall_clock_in_milliseconds() - *asked.since;
  query.after = asked.after;
  query.json = asked.json;
  return journal::show_history(query, sink);
}

journal::reading_end show_replay(const std::string& data_dir, const question& asked, const std::string& listen,
                                 const journal::text_sink& sink) {
  if (data_dir.empty())
    return no_directory;
  journal::replay_query query;
  query.directory = data_dir;
  query.member = asked.member;
  query.json = asked.json;
  auto running = ask_memories(listen, asked.member);
  if (running) {
    leave_out_moving(query, *running, listen);
    query.running = &*running;
  }
  auto end = journal::show_replay(query, sink);
  if (!running)
    end.note += "No program that writes this journal answered at " + listen + ": compared with nothing that runs.\n";
  return end;
}

} // namespace sliceferry
