#pragma once
#include "test/storm/oracle/journal_check.hpp"

#include <filesystem>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace sliceferry::storm {

/// Where a program's journal is and how it is read: by the program's own commands, from beside it.
struct watched_journal {
  std::filesystem::path binary;
  std::filesystem::path data_dir;
  std::filesystem::path folder; ///< for what the commands say
  std::string program_user;
  std::map<std::string, std::string> member_of_hub_nspace;
};

/// Reads the program's journal now and then, and has the oracle compare it with what the servers saw.
///
/// Thread-safe: the history comes on its own thread. Reading takes time; a round that is begun goes on in the
/// background, one at a time.
class journal_watch {
public:
  explicit journal_watch(watched_journal where);
  ~journal_watch();

  void observe(const history_entry& entry);
  /// While the program runs: compares what was observed so far, in the background. Nothing if a round is under way.
  void begin_round();
  /// The program is dead and all that the servers saw of it was observed: compares everything. A text that tells why
  /// the journal couldn't be read, or nothing.
  std::string final_round();
  /// Folds it anew by the program's own `replay`; what that complains of, or nothing.
  std::string replay();

  void excuse(instant from, instant until);
  /// It was damaged. Until it can be read again, because the program has cut it or set it aside, nobody can say what it
  /// holds: rounds say nothing, and what was written is excused.
  void forget();

  std::vector<violation> violations() const;
  std::map<std::string, std::uint64_t> counts() const;
  journal_figures figures() const;
  /// What went wrong in rounds in the background, or nothing.
  std::string broken() const;

private:
  std::string round(bool is_final);
  void finish_round();
  /// Runs the program with these words and the data directory; what went wrong, or nothing.
  std::string run(const std::vector<std::string>& words, const std::filesystem::path& output) const;

  watched_journal where_;
  mutable std::mutex mutex_;
  journal_check check_;     ///< under the mutex
  std::string broken_;      ///< under the mutex
  bool is_damaged_ = false; ///< under the mutex
  std::future<std::string> round_;
};

} // namespace sliceferry::storm
