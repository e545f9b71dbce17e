#pragma once
#include "k8s/deadline.hpp"
#include "k8s/pooled_connection.hpp"

#include <deque>
#include <memory>
#include <vector>

namespace sliceferry::k8s {

/// The keep-alive connections for short calls, and the calls that wait for one.
///
/// The connection used last is used next, so that the others may age and go. An unreachable server
/// fails every call that no standing connection could serve: being unreachable is the server's
/// property, and a queue of calls must not find it out one connect deadline after the other.
/// On the loop's thread only. A callback may destroy the pool.
class call_pool {
public:
  call_pool(loop_core& loop, client_identity& identity, const http_options& options);
  ~call_pool();

  void start(pending_call call);

  /// Closes connections that idled too long or hold a replaced certificate.
  void tidy();

  /// Closes everything and fails what is pending.
  void stop();

  // What its connections report; each may destroy the one that reports.
  void release(pooled_connection& free);
  void serve(pooled_connection& free, pending_call call);
  void answered(pooled_connection& by, bool reusable, pending_call call, result<http_response> answer);
  void failed(pooled_connection& by, failure why);
  void retry(pooled_connection& stale);
  void lost(pooled_connection& idle);
  void unreachable(pooled_connection& closed, const std::string& text);

private:
  void drop(pooled_connection& gone);
  void open(std::optional<pending_call> first);
  void open_as_needed();
  std::chrono::milliseconds patience() const;
  void expire_waiting();
  bool outdated(const pooled_connection& one) const;
  void fail_later(pending_call call, failure why);
  void fail_all(std::deque<pending_call> calls, const std::string& text);

  loop_core& loop_;
  client_identity& identity_;
  const http_options& options_;
  std::vector<std::unique_ptr<pooled_connection>> all_;
  std::vector<pooled_connection*> idle_; ///< the one used last at the back
  std::deque<pending_call> waiting_;
  deadline waiting_deadline_;
  std::shared_ptr<const bool> alive_ = std::make_shared<bool>(true); ///< expired: the pool is gone
};

} // namespace sliceferry::k8s
