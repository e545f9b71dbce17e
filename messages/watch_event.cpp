#include "messages/watch_event.hpp"

namespace sliceferry {

std::string_view to_string(watch_change change) {
  switch (change) {
    case watch_change::init:
      return "init";
    case watch_change::applied:
      return "applied";
    case watch_change::deleted:
      return "deleted";
    case watch_change::init_done:
      return "init_done";
  }
  return "?";
}

} // namespace sliceferry
