#pragma once
#include "test/storm/history/entry.hpp"

#include <atomic>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace sliceferry::storm {

/// Follows the audit logs of real API servers, which grow as files, on a thread of its own, and passes their entries on
/// in the order in which they were carried out. Each is held back for a while, since another server's log may be
/// written later.
class audit_feed {
public:
  struct log {
    std::string cluster;
    std::string path;
  };

  audit_feed(std::vector<log> logs, std::function<void(const history_entry&)> take);
  ~audit_feed();
  audit_feed(const audit_feed&) = delete;
  audit_feed& operator=(const audit_feed&) = delete;

private:
  struct follower {
    log of;
    std::ifstream file;
    std::string rest; ///< of a line that isn't complete yet
  };

  void run();
  void read(follower& from);
  void pass_on(instant until);

  std::vector<follower> followers_;
  std::function<void(const history_entry&)> take_;
  std::vector<history_entry> held_;
  std::uint64_t passed_ = 0;
  instant latest_{};
  instant delay_{}; ///< between a request's time and its line in the log; the most of late
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

} // namespace sliceferry::storm
