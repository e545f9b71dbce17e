#pragma once
#include "actors/admin/admin_server.hpp"

namespace sliceferry {

class heartbeat;
class metrics;
class readiness;

/// The pages `/livez` (also as `/healthz`), `/readyz`, `/metrics` and `/`, over a board, figures and a pulse that
/// outlive them.
///
/// `/livez` says only whether the process's own threads turn: a probe that fails with a remote server
/// would restart every agent in a hub outage and lose their caches (pitfall CR22).
admin_routes make_probes(const readiness& board, const metrics& figures, const heartbeat& pulse);

} // namespace sliceferry
