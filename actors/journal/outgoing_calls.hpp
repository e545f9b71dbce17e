#pragma once
#include <mutex>
#include <shared_mutex>

namespace sliceferry::journal {

/// The journal's threads may outlive it where a disk holds them; what they would call may not. Through here nothing is
/// called any more once `end` has returned.
class outgoing_calls {
public:
  template <class Call>
  void make(const Call& call) {
    const std::shared_lock lock(mutex_);
    if (!ended_)
      call();
  }
  /// Waits for calls that are being made; must not be called by one.
  void end() {
    const std::unique_lock lock(mutex_);
    ended_ = true;
  }

private:
  std::shared_mutex mutex_;
  bool ended_ = false;
};

} // namespace sliceferry::journal
