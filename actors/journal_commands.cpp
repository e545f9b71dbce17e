#include "actors/journal_commands.hpp"

#include "actors/journal/history.hpp"
#include "actors/journal/replay.hpp"
#include "actors/wall_clock.hpp"

namespace sliceferry {

namespace {

const journal::reading_end no_directory{journal::reading_end::kind::failed,
                                        "no data directory is named; give the program's own --data-dir or --config\n"};

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
  (void)listen;
  if (data_dir.empty())
    return no_directory;
  journal::replay_query query;
  query.directory = data_dir;
  query.member = asked.member;
  query.json = asked.json;
  return journal::show_replay(query, sink);
}

} // namespace sliceferry
