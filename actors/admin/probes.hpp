#pragma once
#include "actors/admin/admin_server.hpp"

namespace sliceferry {

class metrics;
class readiness;

/// The pages `/livez`, `/readyz`, `/metrics` and `/`, over a board and figures that outlive them.
///
/// `/livez` says only that the process answers: a probe that fails with a remote server would
/// restart every agent in a hub outage and lose their caches (pitfall CR22).
admin_routes make_probes(const readiness& board, const metrics& figures);

} // namespace sliceferry
