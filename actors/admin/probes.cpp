#include "actors/admin/probes.hpp"

#include "actors/admin/heartbeat.hpp"
#include "actors/admin/metrics.hpp"
#include "actors/admin/readiness.hpp"

#include <utility>

namespace sliceferry {

admin_routes make_probes(const readiness& board, const metrics& figures, const heartbeat& pulse) {
  admin_routes routes;
  routes["/"] = [] {
    return admin_answer{.body = "sliceferry\n\n"
                                "/livez                   does the process answer; also /healthz\n"
                                "/readyz                  is every input synced, what is wrong\n"
                                "/metrics                 figures for Prometheus\n"
                                "/explain/NAMESPACE/NAME  why a slice is exported or not; ?member=M, &output=json\n"
                                "/guard                   which withdrawals are held back\n"
                                "/leave/MEMBER            how far a member that leaves has come\n"
                                "/memories                digests of what is remembered, for replay; ?member=M\n"};
  };
  routes["/livez"] = [&pulse] {
    const auto silent = pulse.silent(std::chrono::steady_clock::now());
    if (silent.empty())
      return admin_answer{.body = "ok\n"};
    std::string lines;
    for (const auto& part : silent)
      lines += "[-]" + part + " does not move\n";
    return admin_answer{.status = 503, .body = lines};
  };
  routes["/healthz"] = routes["/livez"];
  routes["/readyz"] = [&board] {
    auto [ready, lines] = board.tell();
    return admin_answer{.status = ready ? 200U : 503U, .body = std::move(lines)};
  };
  routes["/metrics"] = [&figures] {
    return admin_answer{.content_type = "text/plain; version=0.0.4; charset=utf-8", .body = figures.text()};
  };
  return routes;
}

} // namespace sliceferry
