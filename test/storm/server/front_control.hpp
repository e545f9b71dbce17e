#pragma once
#include "test/storm/server/fault_injector.hpp"
#include "test/storm/server/front_host.hpp"
#include "test/storm/server/front_listener.hpp"
#include "test/storm/server/front_site.hpp"
#include "test/storm/server/serve_history.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

/// What was ordered, or why not.
struct fault_reading {
  std::string cluster;
  fault_order order;
  std::string problem;
};

/// Reads {"kind":…,"cluster":…,"lasts_ms":…,"share":…,"amount_ms":…,"seed":…}; only the first two must be there.
fault_reading read_fault(std::string_view body);

/// The port by which a test tells the simulated servers what shall befall them, and asks what they did. Without TLS and
/// tokens, for the loopback.
///
/// `POST /faults`, `DELETE /faults`, `GET /stats`, `POST /clusters/NAME/ACTION`. What it doesn't know it answers with
/// 400 or 404 and a text that names what there is.
class front_control : public front_host {
public:
  using sites = std::vector<std::unique_ptr<front_site>>;

  front_control(boost::asio::io_context& io, sites& all, const serve_history& history);
  ~front_control() override;

  std::uint16_t port() const { return listener_.port(); }

  void asked(front_connection& peer, const http_request& what) override;
  void gone(front_connection& peer) override;

private:
  api_answer route(const http_request& what);
  api_answer begin_fault(std::string_view body);
  api_answer act(std::string_view target);
  std::string stats() const;
  front_site* site_named(std::string_view name) const;
  std::string site_names() const;

  sites& sites_;
  const serve_history& history_;
  std::map<std::uint64_t, std::shared_ptr<front_connection>> peers_;
  std::uint64_t numbers_ = 0;
  front_listener listener_;
};

} // namespace sliceferry::storm
