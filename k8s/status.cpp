#include "k8s/status.hpp"

#include <algorithm>

namespace sliceferry::k8s {

namespace {

constexpr std::size_t text_bytes_max = 300;

/// The answer as the rules below look at it; `said` has empty fields where there was no Status.
struct answer {
  unsigned status;
  bool has_status;
  const api_status& said;
  call_kind what;

  bool is_write() const { return what == call_kind::create || what == call_kind::patch || what == call_kind::del; }
  bool says(std::string_view words) const { return said.message.find(words) != std::string::npos; }
  bool has_cause(std::string_view reason) const {
    return std::any_of(said.causes.begin(), said.causes.end(), [&](const auto& x) { return x.reason == reason; });
  }
  bool blames(std::string_view field) const {
    return std::any_of(said.causes.begin(), said.causes.end(), [&](const auto& x) { return x.field == field; });
  }
};

errc of_404(const answer& a) {
  if (a.said.kind == "namespaces")
    return errc::namespace_missing;
  if (a.what == call_kind::create || a.what == call_kind::read_collection || !a.has_status)
    return errc::kind_missing;
  // Written by proxies and clients on a server's behalf when the path itself is unknown.
  return a.says("could not find the requested resource") ? errc::kind_missing : errc::missing;
}

errc of_409(const answer& a) {
  // The registry's words before it deletes, and the storage's where the object changed meanwhile.
  if (a.says("UID in the precondition") || a.says("Precondition failed: UID"))
    return errc::other_uid;
  // A create may also meet a Conflict proper, e.g. of a quota's own bookkeeping.
  return a.what == call_kind::create && a.said.reason != "Conflict" ? errc::already_exists : errc::conflict;
}

errc of_403(const answer& a) {
  if (a.has_cause("NamespaceTerminating") || a.says("because it is being terminated"))
    return errc::namespace_terminating;
  return a.says("exceeded quota") ? errc::quota : errc::forbidden;
}

errc of_5xx(const answer& a) {
  if (a.what == call_kind::read_collection &&
      (a.has_cause("ResourceVersionTooLarge") || a.says("Too large resource version")))
    return errc::expired; // LW05: another replica's cache is behind; a list without a version heals it
  if (a.says("request is too large"))
    return errc::invalid; // etcd's limit comes as a 500 (WR27)
  return a.is_write() && a.status != 503 ? errc::ambiguous : errc::unavailable;
}

errc code_of(const answer& a) {
  const bool denied = a.says("denied the request") || a.says("denied request");
  if (denied && a.status >= 400 && a.status < 500 && a.status != 429)
    return errc::invalid; // a webhook or an admission policy; it picks the status itself
  switch (a.status) {
    case 401:
      return errc::unauthorized;
    case 403:
      return of_403(a);
    case 404:
      return of_404(a);
    case 405:
      return errc::kind_missing; // creates while the CRD is being deleted
    case 408:
      return a.is_write() ? errc::ambiguous : errc::unavailable;
    case 409:
      return of_409(a);
    case 410:
      return errc::expired;
    case 422:
      return a.blames("metadata.uid") ? errc::other_uid : errc::invalid;
    case 429:
      return errc::throttled;
    default:
      break;
  }
  if (a.status >= 500)
    return of_5xx(a);
  if (a.status >= 400)
    return errc::invalid;
  return a.status >= 300 ? errc::unavailable : errc::malformed; // redirects are not followed (HT15)
}

std::string text_of(unsigned status, std::string text) {
  if (status == 401) // all that API servers say is "Unauthorized"
    text = "the server rejects our credentials (" + (text.empty() ? "HTTP 401" : text) + ")";
  if (text.empty())
    return "HTTP " + std::to_string(status);
  if (text.size() <= text_bytes_max)
    return text;
  std::size_t end = text_bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end; // never inside a character
  text.resize(end);
  return text;
}

} // namespace

failure failure_of(unsigned status, const std::optional<api_status>& said,
                   std::optional<std::chrono::seconds> retry_after, call_kind what) {
  const api_status none;
  const api_status& known = said ? *said : none;
  auto wish = retry_after ? retry_after : known.retry_after;
  if (wish)
    wish = std::clamp(*wish, std::chrono::seconds{0}, std::chrono::seconds{60}); // HT13
  return {code_of({status, said.has_value(), known, what}), text_of(status, known.message), wish, status};
}

failure failure_of(unsigned status, std::string_view body, std::optional<std::chrono::seconds> retry_after,
                   call_kind what) {
  return failure_of(status, decode_status(body), retry_after, what);
}

} // namespace sliceferry::k8s
