#include "k8s/status.hpp"

#include <gtest/gtest.h>

namespace sliceferry::k8s {
namespace {

std::string body(int code, const std::string& reason, const std::string& message, const std::string& details = "null") {
  return R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":")" + message +
         R"(","reason":")" + reason + R"(","details":)" + details + R"(,"code":)" + std::to_string(code) + "}\n";
}

constexpr auto create = call_kind::create;
constexpr auto patch = call_kind::patch;
constexpr auto del = call_kind::del;
constexpr auto object = call_kind::read_object;
constexpr auto collection = call_kind::read_collection;

struct answer {
  const char* name;
  unsigned status;
  std::string body;
  call_kind what;
  errc want;
};
const std::string ours = R"({"name":"x","group":"networking.fleet.azure.com","kind":"endpointsliceexports"})";
const std::string immutable =
  R"({"name":"x","kind":"endpointslices","causes":[{"reason":"FieldValueInvalid","message":"Invalid value: \"u\": field is immutable","field":"metadata.uid"}]})";
const answer answers[] = {
  {"WR20 PATCH with a wrong uid", 422, body(422, "Invalid", "metadata.uid: Invalid value", immutable), patch,
   errc::other_uid},
  {"PATCH with a stale resourceVersion", 409, body(409, "Conflict", "the object has been modified", ours), patch,
   errc::conflict},
  {"PATCH of a missing object", 404, body(404, "NotFound", "x not found", ours), patch, errc::missing},
  {"number as an annotation", 422, body(422, "Invalid", "cannot unmarshal number"), patch, errc::invalid},
  {"strategic patch on a custom resource", 415, body(415, "UnsupportedMediaType", "no"), patch, errc::invalid},
  {"WR06 DELETE with a wrong uid", 409,
   body(409, "Conflict", "Precondition failed: UID in precondition: a, UID in object meta: b", ours), del,
   errc::other_uid},
  {"WR06 the same as the registry says it", 409,
   body(409, "Conflict", "the UID in the precondition (h-1) does not match the UID in record (h-2).", ours), del,
   errc::other_uid},
  {"DELETE meets a passing conflict", 409, body(409, "Conflict", "the object has been modified", ours), del,
   errc::conflict},
  {"DELETE of a missing object", 404, body(404, "NotFound", "x not found", ours), del, errc::missing},
  {"WR03 POST onto an object", 409, body(409, "AlreadyExists", "x already exists", ours), create, errc::already_exists},
  {"WR04 POST onto a terminating object", 409, body(409, "AlreadyExists", "object is being deleted: x", ours), create,
   errc::already_exists},
  {"POST meets a quota's conflict", 409, body(409, "Conflict", "Operation cannot be fulfilled on resourcequotas"),
   create, errc::conflict},
  {"WR13 POST into a missing namespace", 404,
   body(404, "NotFound", "namespaces not found", R"({"name":"n","kind":"namespaces"})"), create,
   errc::namespace_missing},
  {"WR12 POST into a terminating namespace", 403,
   body(403, "Forbidden", "forbidden: unable to create new content",
        R"({"kind":"x","causes":[{"reason":"NamespaceTerminating","message":"m","field":"metadata.namespace"}]})"),
   create, errc::namespace_terminating},
  {"the same without its cause", 403, body(403, "Forbidden", "in namespace n because it is being terminated"), create,
   errc::namespace_terminating},
  {"POST without kind", 400, body(400, "BadRequest", "Kind must be set"), create, errc::invalid},
  {"schema", 422,
   body(422, "Invalid", "spec.addressType: Unsupported value",
        R"({"causes":[{"reason":"FieldValueNotSupported","field":"spec.addressType"}]})"),
   create, errc::invalid},
  {"WR11 quota", 403, body(403, "Forbidden", "exceeded quota: q, requested: 1"), create, errc::quota},
  {"a missing right", 403, body(403, "Forbidden", "cannot create resource"), create, errc::forbidden},
  {"WR15 a webhook's denial as 403", 403, body(403, "Forbidden", R"(admission webhook \"w\" denied the request: no)"),
   create, errc::invalid},
  {"WR15 a webhook's denial as 400", 400, body(400, "BadRequest", R"(admission webhook \"w\" denied the request: no)"),
   patch, errc::invalid},
  {"WR15 a webhook's denial as 404", 404, body(404, "NotFound", R"(admission webhook \"w\" denied the request: no)"),
   patch, errc::invalid},
  {"a policy's denial", 422, body(422, "Invalid", "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no"),
   create, errc::invalid},
  {"WR15 a webhook is down", 500, body(500, "InternalError", "failed calling webhook"), create, errc::ambiguous},
  {"WR27 too large", 413, "", create, errc::invalid},
  {"WR27 too large for etcd", 500, body(500, "", "etcdserver: request is too large"), patch, errc::invalid},
  {"401", 401, body(401, "Unauthorized", "Unauthorized"), patch, errc::unauthorized},
  {"LW02 410 of a list's page", 410, body(410, "Expired", "The provided continue parameter is too old"), collection,
   errc::expired},
  {"LW05 ResourceVersionTooLarge", 504,
   body(504, "Timeout", "m", R"({"causes":[{"reason":"ResourceVersionTooLarge","message":"m"}]})"), collection,
   errc::expired},
  {"LW05 of an older server", 504, body(504, "Timeout", "Too large resource version: 9, current: 8"), collection,
   errc::expired},
  {"504 of a list", 504, body(504, "Timeout", "m"), collection, errc::unavailable},
  {"429", 429, body(429, "TooManyRequests", "m"), create, errc::throttled},
  {"500 of a write", 500, body(500, "InternalError", "m"), patch, errc::ambiguous},
  {"500 of a read", 500, body(500, "InternalError", "m"), object, errc::unavailable},
  {"WR09 504 of a write", 504, "", create, errc::ambiguous},
  {"502 of a write", 502, "<html>bad gateway</html>", del, errc::ambiguous},
  {"502 of a read", 502, "<html>bad gateway</html>", object, errc::unavailable},
  {"408 of a write", 408, "", patch, errc::ambiguous},
  {"503 of a write", 503, "<html></html>", create, errc::unavailable},
  {"503 of a read", 503, body(503, "ServiceUnavailable", "m"), collection, errc::unavailable},
  {"LW42 the kind is not served", 404, "404 page not found\n", collection, errc::kind_missing},
  {"LW42 the same as a Status", 404, body(404, "NotFound", "the server could not find the requested resource"),
   collection, errc::kind_missing},
  {"WR08 a bare 404 proves no object missing", 404, "404 page not found\n", object, errc::kind_missing},
  {"WR08 nor when it comes as a Status", 404, body(404, "NotFound", "the server could not find the requested resource"),
   del, errc::kind_missing},
  {"WR08 POST of a kind that is not served", 404, "404 page not found\n", create, errc::kind_missing},
  {"POST while the CRD goes", 405,
   body(405, "MethodNotAllowed", "create not allowed while custom resource definition is terminating"), create,
   errc::kind_missing},
  {"GET of a missing object", 404, body(404, "NotFound", "x not found", ours), object, errc::missing},
  {"HT28 409 without a Status on a create", 409, "<html></html>", create, errc::already_exists},
  {"HT28 409 without a Status on a patch", 409, "", patch, errc::conflict},
  {"HT28 422 without a Status", 422, "", patch, errc::invalid},
  {"HT15 a redirect", 302, "", object, errc::unavailable},
  {"a teapot", 418, "", object, errc::invalid},
};

TEST(Status, NamesTheReaction) {
  for (const auto& [name, status, text, what, want] : answers) {
    SCOPED_TRACE(name);
    const failure got = failure_of(status, text, std::nullopt, what);
    EXPECT_EQ(to_string(got.code), to_string(want));
    EXPECT_EQ(got.status, status);
    EXPECT_FALSE(got.text.empty());
  }
}

TEST(Status, PassesOnTheWishToWait) {
  using std::chrono::seconds;
  struct row {
    const char* name;
    std::optional<seconds> header;
    std::string details;
    std::optional<seconds> want;
  };
  const row table[] = {
    {"none", {}, "{}", {}},
    {"HT10 the header", seconds{7}, "{}", seconds{7}},
    {"WR23 the Status", {}, R"({"retryAfterSeconds":5})", seconds{5}},
    {"the header first", seconds{7}, R"({"retryAfterSeconds":5})", seconds{7}},
    {"HT13 huge", {}, R"({"retryAfterSeconds":86400})", seconds{60}},
    {"HT13 negative", {}, R"({"retryAfterSeconds":-5})", seconds{0}},
  };
  for (const auto& [name, header, details, want] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(failure_of(429, body(429, "TooManyRequests", "m", details), header, create).retry_after, want);
  }
}

TEST(Status, TextIsTheServersAndShort) {
  EXPECT_EQ(failure_of(403, body(403, "Forbidden", "why"), std::nullopt, create).text, "why");
  EXPECT_EQ(failure_of(401, body(401, "Unauthorized", "Unauthorized"), std::nullopt, create).text,
            "the server rejects our credentials (Unauthorized)");
  EXPECT_EQ(failure_of(502, "<html></html>", std::nullopt, create).text, "HTTP 502");
  EXPECT_EQ(failure_of(403, body(403, "Forbidden", std::string(1000, 'x')), std::nullopt, create).text,
            std::string(300, 'x'));
  const std::string cut =
    failure_of(403, body(403, "Forbidden", std::string(299, 'x') + "€"), std::nullopt, create).text;
  EXPECT_EQ(cut, std::string(299, 'x')) << "never half a character";
}

} // namespace
} // namespace sliceferry::k8s
