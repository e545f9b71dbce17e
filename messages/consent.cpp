#include "messages/consent.hpp"

namespace sliceferry {

std::string_view to_string(consent says) {
  switch (says) {
    case consent::absent:
      return "absent";
    case consent::invalid:
      return "invalid";
    case consent::conflicted:
      return "conflicted";
    case consent::deleting:
      return "deleting";
    case consent::pending:
      return "pending";
    case consent::granted:
      return "granted";
  }
  return "?";
}

} // namespace sliceferry
