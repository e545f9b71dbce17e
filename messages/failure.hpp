#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace sliceferry {

/// What can go wrong between us and an API server; each value names one reaction.
enum class errc {
  expired = 1,           ///< 410: the resourceVersion is too old; list again.
  conflict,              ///< 409: the object changed since it was read; read again.
  already_exists,        ///< 409 on a create: read the object, then judge whose it is.
  other_uid,             ///< 422 naming metadata.uid, 409 on a precondition: not that object any more.
  missing,               ///< 404 of one object.
  kind_missing,          ///< 404 of a collection: the kind is not served; retry slowly, conclude nothing.
  namespace_missing,     ///< 404 whose details name a namespace: retry slowly.
  namespace_terminating, ///< 403 with that cause: nothing can be created there; retry slowly.
  throttled,             ///< 429: the server asks to slow down; honour Retry-After.
  unauthorized,          ///< 401: read the credentials again, then retry.
  forbidden,             ///< 403 without a cause: a right is missing; name it, retry slowly.
  quota,                 ///< 403 of a quota: refused until someone makes room.
  invalid,               ///< 400, 413, 415, 422, or a webhook's denial: refused until the content changes.
  ambiguous,             ///< A write was sent and its answer never came (or was a 500/504): read, then judge.
  unavailable,           ///< 503, refused connection, failed handshake: nothing was done; back off and retry.
  malformed,             ///< The body does not match the schema; drop and count.
};

std::string_view to_string(errc code);

/// A failed call: the reaction it asks for, a sentence for people, and the server's wish to wait.
/// `text` never holds credentials.
struct failure {
  errc code = errc::unavailable;
  std::string text;
  std::optional<std::chrono::seconds> retry_after;
  unsigned status = 0; ///< HTTP status, 0 when no answer came

  bool operator==(const failure&) const = default;
};

std::string to_string(const failure& what);

} // namespace sliceferry
