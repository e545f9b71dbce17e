#include "test/storm/stage/audit_feed.hpp"

#include "test/storm/oracle/audit_line.hpp"
#include "test/storm/stage/audit_order.hpp"

#include <algorithm>
#include <chrono>
#include <poll.h>
#include <utility>

namespace sliceferry::storm {
namespace {

constexpr std::chrono::milliseconds held_back_min{2'000};
constexpr std::chrono::milliseconds held_back_max{30'000}; ///< markers are waited for twice as long
constexpr int pause_ms = 20;

instant now() {
  return std::chrono::duration_cast<instant>(std::chrono::system_clock::now().time_since_epoch());
}

} // namespace

audit_feed::audit_feed(std::vector<log> logs, std::function<void(const history_entry&)> take) : take_{std::move(take)} {
  for (auto& each : logs) {
    std::ifstream file{each.path, std::ios::binary};
    file.seekg(0, std::ios::end); // what happened before the run isn't judged
    followers_.push_back({std::move(each), std::move(file), {}});
  }
  thread_ = std::thread{[this] { run(); }};
}

audit_feed::~audit_feed() {
  stop_ = true;
  thread_.join();
}

void audit_feed::run() {
  while (!stop_) {
    for (auto& each : followers_)
      read(each);
    // A few times the longest delay of late: when servers slow down, the next ones come later still.
    pass_on(now() - std::clamp<instant>(delay_ * 3, held_back_min, held_back_max));
    ::poll(nullptr, 0, pause_ms);
  }
}

void audit_feed::read(follower& from) {
  for (std::string line; std::getline(from.file, line);) {
    from.rest += line;
    if (from.file.eof())
      break; // its end isn't written yet
    auto entries = read_audit_line(from.rest, from.of.cluster);
    for (auto& entry : entries) {
      // A watch is logged when it ends. Delays are forgotten after some thousands of prompt answers.
      const instant delay = entry.verb == "watch" ? instant{} : now() - entry.at;
      delay_ = std::max(delay, delay_ - delay_ / 1'000);
      held_.push_back(std::move(entry));
    }
    from.rest.clear();
  }
  from.file.clear();
}

void audit_feed::pass_on(instant until) {
  for (auto& each : take_ordered(held_, until)) {
    each.at = latest_ = std::max(each.at, latest_); // one that the server took too long to log
    each.seq = ++passed_;
    take_(each);
  }
}

} // namespace sliceferry::storm
