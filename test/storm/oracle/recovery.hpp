#pragma once
#include "test/storm/oracle/life.hpp"

#include <optional>
#include <string>
#include <unordered_set>

namespace sliceferry::storm {

/// How the program catches up after an outage of the hub: all that was owed when it came back must have been right at
/// least once within the time that the limiter needs for it, and five seconds.
class recovery {
public:
  static constexpr std::chrono::seconds outage_min{5}; ///< shorter ones aren't judged
  static constexpr std::chrono::seconds grace{5};

  explicit recovery(double qps) : qps_(qps) {}

  void stopped(instant at) { down_since_ = down_since_ ? down_since_ : std::optional{at}; }
  /// True where the outage was long enough: then `owe` is told of each life that is owed something.
  bool started(instant at) {
    const bool counts = down_since_ && at >= *down_since_ + outage_min;
    down_since_.reset();
    if (!counts)
      return false;
    back_ = at;
    left_.clear();
    owed_ = 0;
    took_.reset();
    return true;
  }
  void owe(const std::string& uid) { owed_ += left_.insert(uid).second ? 1U : 0U; }

  /// `find` gives a life by its UID, or null. Once in a while; true when it has taken too long just now.
  template <class Find>
  bool look(instant now, Find find) {
    if (!back_ || took_ || owed_ == 0)
      return false;
    std::erase_if(left_, [&](const std::string& uid) {
      const life* found = find(uid);
      return !found || found->righted >= *back_;
    });
    const bool was_late = late_;
    late_ = now > *back_ + limit();
    if (left_.empty())
      took_ = now - *back_;
    return late_ && !was_late && !left_.empty();
  }

  std::size_t owed() const { return owed_; }
  std::optional<instant> took() const { return took_; }
  instant limit() const { return grace + instant{static_cast<std::int64_t>(1e6 * static_cast<double>(owed_) / qps_)}; }

private:
  double qps_;
  std::optional<instant> down_since_, back_, took_;
  std::unordered_set<std::string> left_;
  std::size_t owed_ = 0;
  bool late_ = false;
};

} // namespace sliceferry::storm
