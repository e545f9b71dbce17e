#pragma once
#include "actors/journal/journal_record.hpp"
#include "actors/journal/reading_end.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace sliceferry::journal {

class journal_reader;

/// The running program's memories, each as its `digest_of`; of nothing is known where it is being changed just now.
/// Members that don't occur aren't compared.
using memory_digests = std::map<stream_id, std::optional<std::uint64_t>>;

/// The running program doesn't write its journal: what it remembers may differ, and that is no fault.
struct degradation {
  std::string since; ///< as `format_moment` forms it
  std::string why;
};

struct replay_query {
  std::string directory{};
  std::string member{}; ///< empty: all members
  bool json = false;
  /// What the journal's memories are compared with; null: with nothing. The program goes on meanwhile, so a stream may
  /// be ahead of what was read or behind: whoever asks in earnest asks twice about those that differ.
  const memory_digests* running = nullptr;
  std::optional<degradation> degraded{}; ///< the running program's journal; then differences from it are only counted
  std::size_t streams_max = 200'000;     ///< folded at once; more are folded in several passes over the log
};

/// Folds every stream of the journal anew, from the log's beginning and as a restart does, and tells where the two
/// disagree (see `stream_folds`), which records are damaged or missing, and what the running program remembers
/// otherwise; then counts. Sends no command and writes nothing. The end is `differs` if anything was told but counts,
/// and `misasked` if neither the journal nor the running program knows the member.
///
/// As JSON, one object per line: "disagreement" (a sentence) with member, uid, namespace, name, position and `fields`;
/// "fault" (a sentence) with position, 0 for one in the snapshot; "running" (a sentence) with member and uid; and last
/// "replayed": true with the counts first, last (positions), records, snapshot_covers, snapshot_streams, streams,
/// from_start, from_snapshot, checked_snapshot, checked_end, compared_running, disagreements, faults,
/// differing_running, unwritten_running (differences from a program whose journal is degraded, which count as none;
/// then degraded_since and degraded_why, too). At most a thousand of each kind are told, and all are counted.
reading_end show_replay(const replay_query& asked, const text_sink& sink);

/// The same in this process: a damaged file may end it.
reading_end replay(journal_reader& from, const replay_query& asked, const text_sink& sink);

} // namespace sliceferry::journal
