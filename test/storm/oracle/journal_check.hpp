#pragma once
#include "test/storm/oracle/journal_line.hpp"
#include "test/storm/oracle/verdicts.hpp"

#include <boost/json/fwd.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sliceferry::storm {

struct journal_figures {
  std::uint64_t records = 0;
  std::uint64_t unreadable = 0; ///< lines
  std::uint64_t streams = 0;    ///< known now
  std::uint64_t writes = 0;     ///< of the program, judged
  std::uint64_t excused = 0;    ///< of these: unexplained, and the disk's fault
  std::uint64_t interruptions = 0;
  std::chrono::milliseconds interrupted{}; ///< all of them together, by the program's clock
};

/// Whether the program's journal has what the servers saw it do: an event is durable before the command leaves that
/// follows from it, so whatever a server accepted must be explained by what the journal holds, at each moment and
/// whoever is killed when.
///
///  unjournaled   a write was accepted, and nothing in its slice's stream explains it: an annotation patch needs its
///                name, generation and time told; a write of an export its name, and a time told for that generation
///                or an older one (an apply may carry newer content; after a backup of its member was restored, that
///                has any generation); a delete on the hub its withdrawal begun; the clearing of annotations that were
///                ours a stream at all
///  journal gap   positions don't follow each other
///  journal damaged   a record can't be read, though nobody damaged the file
///
/// The program announces when it goes on without its journal: an `interruption` excuses what was written from its
/// begin to its end.
///
/// A round: `observe` the history up to now, `seal`, then read the journal and `record` each line, then `judge`.
class journal_check {
public:
  explicit journal_check(std::string program_user, std::map<std::string, std::string> member_of_hub_nspace)
    : user_{std::move(program_user)}, members_{std::move(member_of_hub_nspace)} {}

  /// Entries of the history, of all clusters, in order.
  void observe(const history_entry& entry);
  /// The writes observed so far are to be judged by the journal as it is read from now on.
  void seal();
  /// Lines in order of position; those at or below `position` are passed over.
  void record(std::string_view line);
  std::uint64_t position() const { return position_; }

  /// `is_final`: the program is dead, and what the journal doesn't have now it never had. Else a write that isn't
  /// explained may wait for the next rounds: where the disk stalled by itself, its stream follows as `remembered`.
  void judge(bool is_final);

  /// What is written within this time may lack its events: the disk was faulty.
  void excuse(instant from, instant until);
  /// The journal was damaged or set aside: what it told no longer counts, nor do the writes so far, sealed or not.
  void forget();

  const verdicts& found() const { return found_; }
  journal_figures figures() const;

private:
  struct write {
    enum class kind { annotate, clear, apply, withdraw };

    kind is = kind::annotate;
    instant at{};
    std::string member, slice_uid, object; ///< object: for people
    std::string export_name;
    dated_generation dated;
    std::string hub_uid;
    unsigned rounds = 0; ///< that it waited
  };
  struct stream {
    std::deque<std::string> names;
    std::deque<dated_generation> dated;
    bool exported = false;          ///< as the servers saw it
    bool known = false;             ///< to the journal
    std::uint64_t patched_over = 0; ///< position of the newest record that stands in for what could not be written
    unsigned rounds_gone = 0;       ///< since the slice was gone, counted from 1; 0: it isn't
  };
  using stream_id = std::pair<std::string, std::string>; ///< member, slice UID

  static write begin(const history_entry& entry, const std::string& member);
  void observe_slice(const history_entry& entry, const boost::json::value& object);
  void observe_export(const history_entry& entry, const std::string& member, const boost::json::value& object);
  void take(const journal_line& line);
  /// What is missing for this write, or an empty text.
  std::string missing(const write& made) const;
  bool is_excused(const write& made) const;
  void accuse(const write& made, const std::string& lack);
  void prune();

  std::string user_;
  std::map<std::string, std::string> members_; ///< by hub namespace
  std::map<stream_id, stream> streams_;
  std::set<std::pair<std::string, std::string>> withdrawn_; ///< member, hub UID
  std::deque<std::pair<std::string, std::string>> withdrawn_order_;
  std::set<std::string> restored_; ///< clusters whose backup was restored
  std::vector<write> fresh_, sealed_;
  std::vector<std::pair<instant, instant>> excuses_;
  std::uint64_t position_ = 0;
  std::uint64_t interrupted_at_ = 0; ///< position of the newest interruption
  std::uint64_t round_began_ = 0;    ///< the position then
  bool was_damaged_ = false;
  instant counted_until_{}; ///< time of the newest record that is in the figures
  verdicts found_;
  journal_figures figures_;
};

} // namespace sliceferry::storm
