#pragma once
#include "actors/core/work.hpp"
#include "messages/failure.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry::core {

/// How a writer's queue stands, as far as troubles depend on it.
struct queue_state {
  bool server_open = false;                   ///< the server's breaker lets probes through only
  std::vector<std::string> namespaces_open{}; ///< members whose hub namespace takes no creates
  bool idle = false;                          ///< nothing waits and nothing is in flight
  bool has_parked = false;                    ///< some refused content waits
};

/// What stands in the way of a writer, for readiness: a server that is away, a hub namespace that
/// is missing, a right that is lost. One failure is none of it; the queue's breakers tell.
///
/// A trouble ends when something proves it wrong, and also when nothing is left that it could be
/// in the way of: otherwise nobody would ever find out that it has passed.
class write_troubles {
public:
  explicit write_troubles(std::string server) : server_(std::move(server)) {}

  /// A trouble began or changed (`why`), or has ended (nothing).
  struct change {
    std::string subject;
    std::optional<std::string> why;

    bool operator==(const change&) const = default;
  };

  /// A write failed and time or an operator must heal it. `hub_nspace` is its member's.
  std::optional<change> failed(const work& asked, const std::string& hub_nspace, const failure& why,
                               const queue_state& queue);

  /// A write went through.
  std::vector<change> succeeded(const work& asked);

  /// What has ended, as the queue now stands.
  std::vector<change> review(const queue_state& queue);

  bool empty() const { return standing_.empty(); }

private:
  enum class kind { server, hub_namespace, right };
  struct trouble {
    kind what;
    std::string member;
    std::string command; ///< of a right
  };

  bool stands(const trouble& held, const queue_state& queue) const;

  std::string server_;
  std::map<std::string, trouble> standing_; ///< by subject
};

} // namespace sliceferry::core
