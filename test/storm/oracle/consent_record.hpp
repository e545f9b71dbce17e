#pragma once
#include "test/storm/oracle/run_clock.hpp"
#include "test/storm/oracle/seen_consent.hpp"

#include <string>

namespace sliceferry::storm {

/// Whether the member's objects call for an export. `maybe`: what the program knows from before decides, and it may or
/// may not have seen that.
enum class call { no, maybe, yes };

/// What the ServiceExport of one service says, with its past: a verdict on an older generation leaves it as it was.
class consent_record {
public:
  void see(const seen_consent& seen, moment now, run_time lag);
  void vanish(moment now);
  /// A new process has no memory of what was before an outdated verdict.
  void forget() { unsure_ = unsure_ || outdated_; }

  call says() const;
  /// No object, and nothing that one left behind.
  bool empty() const { return uid_.empty(); }
  bool outdated() const { return outdated_; }
  const std::string& resource_version() const { return resource_version_; }

private:
  std::string uid_; ///< empty: no object
  std::string resource_version_;
  bool granted_ = false;
  bool outdated_ = false;
  bool unsure_ = false; ///< whether the program saw what was before
  run_time since_ = long_ago;
};

} // namespace sliceferry::storm
