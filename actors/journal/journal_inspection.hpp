#pragma once
#include <cstdint>
#include <string>

namespace sliceferry::journal {

/// What a journal's file is, as far as that can be told without believing it anything.
struct inspection {
  enum class verdict {
    absent,     ///< not there, or empty
    sound,      ///< each page, record and snapshot is what was written
    cut,        ///< as sound, but for records from `first_bad` on
    damaged,    ///< `why` says where
    foreign,    ///< not of this program
    newer,      ///< of a later version of this program
    unreadable, ///< the system doesn't let us see it; it may be sound
  };
  verdict what = verdict::damaged;
  std::string why;
  std::uint64_t first_bad = 0; ///< position; behind all that the snapshot covers
};

/// Whether a version may go on with the file: `absent`, `foreign`, `newer` or `damaged` at first sight; else `sound`,
/// which is only said of its beginning.
inspection look_at_version(const std::string& path);

/// Reads the whole file. It may end the process if the disk fails or the file is cut short meanwhile.
inspection inspect(const std::string& path);

} // namespace sliceferry::journal
