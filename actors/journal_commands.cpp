#include "actors/journal_commands.hpp"

#include "actors/journal/history.hpp"
#include "actors/journal/replay.hpp"
#include "actors/memory_desk.hpp"
#include "actors/operator_commands.hpp"
#include "actors/wall_clock.hpp"

#include <chrono>
#include <future>
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

/// The program goes on while the journal is read, and its newest facts wait for the disk: what differs once proves
/// nothing. What changes meanwhile is left out, the rest is looked at again.
void leave_out_moving(journal::replay_query query, journal::memory_digests& running, const std::string& listen) {
  constexpr int looks_max = 5;
  constexpr std::chrono::milliseconds pause{300};
  query.running = &running;
  query.json = true;
  const auto ignore = [](std::string_view) { return true; };
  for (int look = 0; look < looks_max; ++look) {
    if (look > 0)
      std::promise<void>{}.get_future().wait_for(pause);
    if (journal::show_replay(query, ignore).how != journal::reading_end::kind::differs)
      return;
    const auto now = ask_memories(listen, query.member);
    if (!now)
      return;
    for (auto& [whose, digest] : running)
      if (const auto later = now->find(whose); later == now->end() || later->second != digest)
        digest.reset();
    for (const auto& [whose, digest] : *now) // and what is new since
      running.emplace(whose, std::nullopt);
  }
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
