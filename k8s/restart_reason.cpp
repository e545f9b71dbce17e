#include "k8s/restart_reason.hpp"

namespace sliceferry::k8s {

std::string_view to_string(restart_reason why) {
  switch (why) {
    case restart_reason::none:
      return "none";
    case restart_reason::clean_end:
      return "clean_end";
    case restart_reason::idle:
      return "idle";
    case restart_reason::expired:
      return "expired";
    case restart_reason::error:
      return "error";
    case restart_reason::short_watches:
      return "short_watches";
    case restart_reason::restored_backup:
      return "restored_backup";
    case restart_reason::asked:
      return "asked";
    case restart_reason::new_credentials:
      return "new_credentials";
  }
  return "unknown";
}

} // namespace sliceferry::k8s
