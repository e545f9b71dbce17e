#pragma once
#include "test/storm/server/cluster.hpp"
#include "test/storm/server/fault_injector.hpp"
#include "test/storm/server/front_connection.hpp"
#include "test/storm/server/front_counts.hpp"
#include "test/storm/server/front_host.hpp"
#include "test/storm/server/front_listener.hpp"
#include "test/storm/server/front_tokens.hpp"
#include "test/storm/server/serve_history.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry::storm {

struct front_site_options {
  cluster_options cluster;
  std::string export_kind;          ///< the resource that `remove_crd` takes away
  bool brings_objects_back = false; ///< with that kind
  const front_tokens* tokens = nullptr;
  std::vector<std::string> faulty_users;
  const http_tls* tls = nullptr; ///< none: plain HTTP
  std::function<instant()> clock;
};

/// One simulated cluster on its own port, with the faults that befall it.
///
/// An entry of the history carries the fault that refused its request, or kept back or spoiled its answer. Requests
/// that never reached the cluster are noted with the status that the fault answered, 0 for none.
class front_site : public front_host {
public:
  /// The options' pointers must outlive it.
  front_site(boost::asio::io_context& io, front_site_options options, serve_history& history);
  ~front_site() override;

  void asked(front_connection& peer, const http_request& what) override;
  void gone(front_connection& peer) override;

  /// To be called about every 20 ms: faults begin and end with such precision.
  void tick();
  void begin_fault(const fault_order& order);
  void end_faults();

  const std::string& name() const { return options_.cluster.name; }
  std::uint16_t port() const { return listener_.port(); }
  cluster& state() { return state_; }
  const cluster& state() const { return state_; }
  instant now() const { return options_.clock(); }
  const front_counts& counts() const { return counts_; }
  std::size_t watches() const;
  /// Writes a mark.
  void mark(std::string_view what, std::string_view fault = {});

private:
  using shared_peer = std::shared_ptr<front_connection>;

  void welcome(front_listener::tcp::socket socket);
  void open_watch(front_connection& asker, const api_request& asked, const treatment& how);
  void record(history_entry entry);
  void plan_pump(front_connection& asker);
  void pump_waiting();

  // front_site_faults.cpp
  std::vector<shared_peer> faulty_peers() const;
  void freeze_peers(const fault_order& order);
  void cut_watches(const fault_order& order);
  void expire_watches(const fault_order& order);
  void mute_watches(const fault_order& order);
  void close_where(const std::function<bool(front_connection&)>& meant);
  void go_down(std::chrono::milliseconds time);
  void come_up();
  void end_fault(const fault_order& order);
  void allow_or_forbid(bool allowed, rights what);
  void thin_lists(double share);

  boost::asio::io_context& io_;
  front_site_options options_;
  serve_history& history_;
  front_counts counts_;
  std::string_view met_;      ///< the fault that the request at hand met
  std::string_view met_user_; ///< whose it is
  fault_injector injector_;
  std::map<std::uint64_t, shared_peer> peers_;
  std::vector<shared_peer> waiting_; ///< with lines to send
  std::uint64_t numbers_ = 0;
  std::optional<fault_injector::instant> up_at_;
  std::optional<fault_injector::instant> restore_at_;
  std::optional<fault_injector::instant> remake_at_; ///< what `emptied` took
  cluster state_;
  front_listener listener_;
};

} // namespace sliceferry::storm
