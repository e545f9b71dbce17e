#include "actors/journal_commands.hpp"

#include "actors/journal/history.hpp"
#include "actors/journal/journal_directory.hpp"
#include "actors/journal/replay.hpp"
#include "actors/memory_desk.hpp"
#include "actors/operator_commands.hpp"
#include "actors/running_memories.hpp"
#include "actors/wall_clock.hpp"
#include "k8s/resource.hpp"

#include <chrono>
#include <future>
#include <optional>
#include <string_view>
#include <utility>

namespace sliceferry {

namespace {

/// A program that may write the journal, and what it was asked.
class asked_program {
public:
  asked_program(std::string listen, const std::string& member, std::chrono::milliseconds patience)
    : listen_(std::move(listen)),
      target_("/memories" + (member.empty() ? "" : "?member=" + k8s::percent_encoded(member))), patience_(patience) {}

  /// Nothing if none answers, or not as one that keeps a journal: `why` tells.
  std::optional<running_memories> ask() {
    const auto answer = ask_running(listen_, target_, patience_);
    status_ = answer.status;
    body_ = answer.body.substr(0, answer.body.find('\n'));
    auto told = answer.status == 200 ? read_memories(answer.body) : std::nullopt;
    keeps_none_ = told && !told->keeps_journal;
    return keeps_none_ ? std::nullopt : std::move(told);
  }

  /// The reason why there is nothing to compare with, as a line.
  std::string why(const std::string& directory, const std::string& member) const {
    const std::string end = ": compared with nothing that runs.\n";
    if (keeps_none_)
      return "The program at " + listen_ + " keeps no journal" + end;
    if (status_ == 503 || status_ == 504)
      return "The program at " + listen_ + " can't be asked now (" + body_ + ')' + end;
    if (status_ == 404 && !member.empty() && body_ == no_such_member_here)
      return "The program at " + listen_ + " serves no member " + member + end;
    const auto writer = journal::living_writer(directory);
    if (writer.empty())
      return "No program that writes this journal answered at " + listen_ + end;
    return writer + " holds the journal but doesn't answer at " + listen_ + end;
  }

private:
  std::string listen_;
  std::string target_;
  std::chrono::milliseconds patience_;
  unsigned status_ = 0;
  std::string body_; ///< its first line
  bool keeps_none_ = false;
};

/// The program goes on while the journal is read, and its newest facts wait for the disk: what differs once proves
/// nothing. What changes meanwhile is left out, the rest is looked at again.
void leave_out_moving(journal::replay_query query, running_memories& running, asked_program& program) {
  constexpr int looks_max = 5;
  constexpr std::chrono::milliseconds pause{300};
  query.running = &running.digests;
  query.degraded = running.degraded;
  query.json = true;
  const auto ignore = [](std::string_view) { return true; };
  for (int look = 0; look < looks_max; ++look) {
    if (look > 0)
      std::promise<void>{}.get_future().wait_for(pause);
    if (journal::show_replay(query, ignore).how != journal::reading_end::kind::differs)
      return;
    const auto told = program.ask();
    if (!told)
      return;
    if (told->degraded)
      query.degraded = running.degraded = told->degraded;
    const auto& now = told->digests;
    for (auto& [whose, digest] : running.digests)
      if (const auto later = now.find(whose); later == now.end() || later->second != digest)
        digest.reset();
    for (const auto& [whose, digest] : now) // and what is new since
      running.digests.emplace(whose, std::nullopt);
  }
}

} // namespace

journal::reading_end show_history(const std::string& data_dir, const question& asked, const journal::text_sink& sink) {
  journal::history_query query;
  query.directory = data_dir;
  if (!asked.name.empty())
    query.slice = object_key{asked.nspace, asked.name};
  query.member = asked.member;
  if (asked.since)
    query.since = wall_clock_in_milliseconds() - *asked.since;
  if (asked.since_time)
    query.since = *asked.since_time;
  query.after = asked.after;
  query.json = asked.json;
  return journal::show_history(query, sink);
}

journal::reading_end show_replay(const std::string& data_dir, const question& asked, const std::string& listen,
                                 const journal::text_sink& sink, std::chrono::milliseconds patience) {
  journal::replay_query query;
  query.directory = data_dir;
  query.member = asked.member;
  query.json = asked.json;
  asked_program program{listen, asked.member, patience};
  auto running = program.ask();
  const std::string why = running ? std::string{} : program.why(data_dir, asked.member);
  if (running) {
    leave_out_moving(query, *running, program);
    query.running = &running->digests;
    query.degraded = running->degraded;
  }
  auto end = journal::show_replay(query, sink);
  if (end.how != journal::reading_end::kind::misasked)
    end.note += why;
  return end;
}

} // namespace sliceferry
