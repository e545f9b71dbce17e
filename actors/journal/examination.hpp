#pragma once
#include "actors/journal/journal_directory.hpp"
#include "actors/journal/journal_inspection.hpp"

#include <chrono>
#include <optional>
#include <string>

#include <sys/types.h>

namespace sliceferry::journal {

/// Claims a directory and inspects the journal in it, in a child process: whatever the file makes of its reader, and
/// however long the disk takes, the program lives on and needn't wait.
///
/// The journal must not be open in this process. The child uses nothing but files and memory, so that the process may
/// have other threads; it ends with the thread that began it.
class examination {
public:
  /// What is known first: may the program go on here?
  struct admission {
    owned_descriptor lock;
    bool refused = false; ///< `why`, and how to get rid of it
    std::string why;      ///< no lock, yet perhaps later
  };

  /// `why` tells, should that fail; then nothing else may be asked.
  std::string begin(const std::string& directory);
  /// Ends the child if it still runs.
  ~examination();
  examination() = default;
  examination(const examination&) = delete;
  examination& operator=(const examination&) = delete;

  /// Nothing if there is no answer in time. To be asked until there is, before `verdict`.
  std::optional<admission> admitted(std::chrono::milliseconds within);
  /// Nothing if there is none in time. A child that died found the file damaged.
  std::optional<inspection> verdict(std::chrono::milliseconds within);

private:
  bool readable(std::chrono::milliseconds within) const;
  std::string end_of_child();

  owned_descriptor answers_;
  owned_descriptor lock_; ///< until the child admits us
  pid_t child_ = -1;
};

} // namespace sliceferry::journal
