#include "messages/failure.hpp"

namespace sliceferry {

std::string_view to_string(errc code) {
  switch (code) {
    case errc::expired:
      return "expired";
    case errc::conflict:
      return "conflict";
    case errc::already_exists:
      return "already_exists";
    case errc::other_uid:
      return "other_uid";
    case errc::missing:
      return "missing";
    case errc::kind_missing:
      return "kind_missing";
    case errc::namespace_missing:
      return "namespace_missing";
    case errc::namespace_terminating:
      return "namespace_terminating";
    case errc::throttled:
      return "throttled";
    case errc::unauthorized:
      return "unauthorized";
    case errc::forbidden:
      return "forbidden";
    case errc::quota:
      return "quota";
    case errc::invalid:
      return "invalid";
    case errc::ambiguous:
      return "ambiguous";
    case errc::unavailable:
      return "unavailable";
    case errc::malformed:
      return "malformed";
  }
  return "?";
}

std::string to_string(const failure& what) {
  std::string out{to_string(what.code)};
  if (what.status != 0)
    out += " (HTTP " + std::to_string(what.status) + ')';
  if (!what.text.empty())
    out += ": " + what.text;
  if (what.retry_after)
    out += "; retry after " + std::to_string(what.retry_after->count()) + " s";
  return out;
}

} // namespace sliceferry
