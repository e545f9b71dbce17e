#pragma once
#include "k8s/credentials.hpp"
#include "k8s/http_client.hpp"
#include "k8s/io_loop.hpp"
#include "test/storm/weather/user_request.hpp"

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace sliceferry::storm {

/// Carries out what the users of the clusters do: each request once, those of a lane in order, lanes side by side.
///
/// A server that can't answer now is asked again until it can. Where the answer to a write got lost, the repeat may
/// find it done: a POST that already exists, a DELETE of what is gone.
class user_driver {
public:
  struct figures {
    std::uint64_t done = 0;
    std::uint64_t repeated = 0;
    std::uint64_t refused = 0; ///< answered in a way that the plan doesn't allow for
    std::size_t waiting = 0;   ///< queued or on their way
  };

  /// `clusters`: how a user reaches each.
  /// `seen`: the export of a slice as it stands on the hub, in JSON, or nothing; called on the loop.
  user_driver(k8s::io_loop& loop, const std::map<std::string, k8s::cluster_access>& clusters,
              std::function<std::string(const export_wish&)> seen = {});
  ~user_driver();
  user_driver(const user_driver&) = delete;
  user_driver& operator=(const user_driver&) = delete;

  /// From any thread.
  void submit(user_request request);
  figures now() const;
  /// The first few refusals, as text.
  std::vector<std::string> refusals() const;

private:
  struct lane {
    std::deque<user_request> waiting;
    bool busy = false;
    unsigned attempts = 0; ///< of the first one waiting
  };

  void send(const std::string& key);
  /// What the first of the lane becomes, now that its turn came; false where there is nothing to do.
  bool resolve(lane& on);
  void answered(const std::string& key, const k8s::result<k8s::http_response>& answer);
  void ended(const std::string& key);
  void again(const std::string& key);
  bool is_done(const lane& on, unsigned status) const;

  k8s::io_loop& loop_;
  std::function<std::string(const export_wish&)> seen_;
  std::map<std::string, std::unique_ptr<k8s::http_client>> clients_;
  std::unordered_map<std::string, lane> lanes_;                 ///< on the loop
  std::unordered_map<std::string, k8s::io_loop::timer> timers_; ///< on the loop
  std::atomic<std::uint64_t> done_{0}, repeated_{0}, refused_{0};
  std::atomic<std::size_t> waiting_{0};
  mutable std::mutex mutex_;
  std::vector<std::string> refusals_;
};

} // namespace sliceferry::storm
