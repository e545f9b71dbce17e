#include "messages/outcome.hpp"

namespace sliceferry {

std::string_view to_string(verdict how) {
  switch (how) {
    case verdict::done:
      return "done";
    case verdict::missing:
      return "missing";
    case verdict::other_uid:
      return "other_uid";
    case verdict::conflict:
      return "conflict";
    case verdict::already_exists:
      return "already_exists";
    case verdict::ambiguous:
      return "ambiguous";
    case verdict::namespace_missing:
      return "namespace_missing";
    case verdict::refused:
      return "refused";
    case verdict::superseded:
      return "superseded";
    case verdict::taken_back:
      return "taken_back";
    case verdict::too_late:
      return "too_late";
  }
  return "?";
}

std::string to_string(const outcome& end) {
  std::string out = "#" + std::to_string(end.ticket) + ' ';
  out += to_string(end.how);
  if (end.how == verdict::refused)
    out += " (" + to_string(end.why) + ')';
  if (end.read && !end.exported && !end.slice_answered)
    out += ", read: not there";
  if (end.exported)
    out += ", hub holds " + to_string(*end.exported);
  if (end.slice_answered)
    out += ", slice answered";
  return out;
}

} // namespace sliceferry
