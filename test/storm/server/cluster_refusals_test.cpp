#include "test/storm/server/cluster_test_rig.hpp"

namespace sliceferry::storm {
namespace {

struct refusal {
  const char* method;
  std::string target;
  std::string body;
  unsigned status;
  std::string reason;  ///< `null`: none
  std::string message; ///< part of it
  std::string type = "application/json";
};

void expect_refused(cluster_test_rig& rig, const std::vector<refusal>& table) {
  for (const auto& [method, target, body, status, reason, message, type] : table) {
    SCOPED_TRACE(std::string{method} + " " + target + " " + body);
    const auto writes = rig.server.writes();
    const auto got = rig.call(method, target, body, type);
    EXPECT_EQ(got.status, status) << got.text;
    EXPECT_EQ(got.at("kind"), "Status");
    EXPECT_EQ(got.at("code"), std::to_string(status));
    EXPECT_EQ(got.reason(), reason);
    EXPECT_NE(got.at("message").find(message), std::string::npos) << got.text;
    EXPECT_EQ(rig.server.writes(), writes) << "a refusal changes nothing";
  }
}

std::string slice_with(const std::string& members) {
  return R"({"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{"name":"x"},)" + members + "}";
}

TEST(ClusterRefusals, OfSlices) {
  cluster_test_rig rig;
  rig.make_space();
  const std::string slices{rig.slices};
  ASSERT_EQ(rig.call("POST", slices, rig.slice("a")).status, 201U);
  const auto wrong = [&](const std::string& members, const std::string& message) {
    return refusal{"POST", slices, slice_with(members), 422, "Invalid", message};
  };
  const auto addressed = [](const char* type, const char* address) {
    return R"("addressType":")" + std::string{type} + R"(","endpoints":[{"addresses":[")" + address + R"("]}])";
  };
  expect_refused(
    rig,
    {
      {"POST", slices, rig.slice("a"), 409, "AlreadyExists", R"(endpointslices.discovery.k8s.io "a" already exists)"},
      {"POST", slices, rig.slice(""), 422, "Invalid",
       "metadata.name: Required value: name or generateName is required"},
      {"POST", slices, rig.slice("Bad_Name"), 422, "Invalid", "a lowercase RFC 1123 subdomain"},
      {"POST", slices, rig.slice("x", R"(,"namespace":"other")"), 400, "BadRequest", "does not match the namespace"},
      {"POST", slices, rig.slice("x", R"(,"resourceVersion":"5")"), 500, "null", "should not be set on objects"},
      {"POST", slices, rig.slice("x", R"(,"labels":{"a":1})"), 400, "BadRequest", "cannot unmarshal number"},
      {"POST", slices, rig.slice("x", R"(,"labels":{"a b":"c"})"), 422, "Invalid", "metadata.labels"},
      {"POST", slices, rig.slice("x", R"(,"labels":{"a":"b c"})"), 422, "Invalid", "a valid label must be"},
      {"POST", slices, rig.slice("x", R"(,"finalizers":["bare"])"), 422, "Invalid", "nor is it fully qualified"},
      {"POST", slices, "{bad", 400, "BadRequest", "json parse error"},
      {"POST", slices, "", 400, "BadRequest", "unexpected end of JSON input (<empty>)"},
      {"POST", slices, "[]", 400, "BadRequest", "cannot unmarshal array"},
      {"POST", slices, rig.slice("x"), 415, "UnsupportedMediaType", "unknown format", "text/plain"},
      {"POST", slices, R"({"kind":"Pod","apiVersion":"discovery.k8s.io/v1"})", 400, "BadRequest", "no kind \"Pod\""},
      {"POST", slices, R"({"apiVersion":"v1"})", 400, "BadRequest", "for version \"v1\""},
      {"POST", slices, R"({"apiVersion":"discovery.k8s.io/v2"})", 400, "BadRequest", "the API version in the data"},
      {"POST", slices, slice_with(R"("endpoints":"text")"), 400, "BadRequest", "cannot unmarshal string"},
      {"POST", slices, slice_with(R"("addressType":"IPv4","endpoints":{})"), 400, "BadRequest", "unmarshal object"},
      {"POST", slices, rig.slice("x", R"(,"finalizers":["a b"])"), 422, "Invalid", "metadata.finalizers: Invalid"},
      wrong(R"("endpoints":[])", "addressType: Required value"),
      wrong(R"("addressType":"IP")", R"(Unsupported value: "IP": supported values: "FQDN", "IPv4", "IPv6")"),
      wrong(R"("addressType":"IPv4","endpoints":[{}])", "must contain at least 1 address"),
      wrong(addressed("IPv4", "nope"), "endpoints[0].addresses[0]: Invalid value: \"nope\": must be a valid IP"),
      wrong(addressed("IPv6", "10.0.0.1"), "endpoints[0].addresses: Invalid value: \"10.0.0.1\": must be an IPv6"),
      wrong(addressed("FQDN", "single"), "at least two segments"),
      wrong(R"("addressType":"IPv4","ports":[{"port":1},{"port":2}])", "ports[1].name: Duplicate value: \"\""),
      wrong(R"("addressType":"IPv4","ports":[{"protocol":"X"}])", R"(supported values: "SCTP", "TCP", "UDP")"),
      wrong(R"("addressType":"IPv4","ports":[{"name":"A_b"}])", "ports[0].name: Invalid value"),
    });
}

TEST(ClusterRefusals, OfAddressesThatNoPodHas) {
  cluster_test_rig rig;
  rig.make_space();
  std::vector<refusal> table;
  for (const auto& [type, address, problem] : {std::tuple{"IPv4", "0.0.0.0", "may not be unspecified (0.0.0.0)"},
                                               {"IPv4", "127.1.2.3", "may not be in the loopback range"},
                                               {"IPv4", "169.254.1.1", "may not be in the link-local range"},
                                               {"IPv4", "224.0.0.1", "may not be in the link-local multicast range"},
                                               {"IPv6", "::", "may not be unspecified (::)"},
                                               {"IPv6", "::1", "may not be in the loopback range"},
                                               {"IPv6", "fe80::1", "may not be in the link-local range"},
                                               {"IPv6", "ff02::1", "may not be in the link-local multicast range"}})
    table.push_back(
      {"POST", std::string{rig.slices},
       slice_with(R"("addressType":")" + std::string{type} + R"(","endpoints":[{"addresses":[")" + address + R"("]}])"),
       422, "Invalid", "endpoints[0].addresses[0]: Invalid value: \"" + std::string{address} + "\": " + problem});
  expect_refused(rig, table);
}

TEST(ClusterRefusals, OfWhatIsTooLarge) {
  cluster_test_rig rig;
  rig.make_space();
  ASSERT_EQ(rig.call("POST", rig.exports, rig.slice_export("e")).status, 201U);
  const auto text = [](std::size_t bytes) { return '"' + std::string(bytes, 'x') + '"'; };
  const std::string huge = R"("endpoints":[{"addresses":[)" + text(1600 * 1024) + "]}],";
  expect_refused(rig,
                 {
                   {"POST", std::string{rig.slices}, rig.slice("x", R"(,"annotations":{"a":)" + text(262144) + "}"),
                    422, "Invalid", "metadata.annotations: Too long: may not be more than 262144 bytes"},
                   {"POST", std::string{rig.exports}, rig.slice_export("x", "", huge), 500, "null",
                    "etcdserver: request is too large"},
                   {"PATCH", rig.path(rig.exports, "e"), R"({"spec":{)" + huge.substr(0, huge.size() - 1) + "}}", 500,
                    "null", "etcdserver: request is too large", std::string{rig.merge}},
                 });
}

TEST(ClusterRefusals, OfPatchesAndPuts) {
  cluster_test_rig rig;
  rig.make_space();
  const std::string a = rig.path(rig.slices, "a");
  const std::string e = rig.path(rig.exports, "e");
  ASSERT_EQ(rig.call("POST", rig.slices, rig.slice("a")).status, 201U);
  ASSERT_EQ(rig.call("POST", rig.exports, rig.slice_export("e")).status, 201U);
  const std::string merge{rig.merge};
  const auto patch = [&](const std::string& target, const char* body, unsigned status, const char* reason,
                         const char* message) {
    return refusal{"PATCH", target, body, status, reason, message, merge};
  };
  expect_refused(
    rig,
    {
      patch(a, R"({"metadata":{"name":"b"}})", 400, "BadRequest", "(b) does not match the name on the URL (a)"),
      patch(a, R"({"metadata":{"namespace":"b"}})", 400, "BadRequest", "does not match the namespace"),
      patch(a, R"({"metadata":null})", 400, "BadRequest", "was undeterminable"),
      patch(a, R"({"kind":"Pod"})", 422, "Invalid", "no kind \"Pod\""),
      patch(e, R"({"kind":"Pod"})", 422, "Invalid", "must be EndpointSliceExport"),
      patch(a, R"({"addressType":"IPv6"})", 422, "Invalid", "field is immutable"),
      patch(a, R"({"metadata":{"deletionTimestamp":"2020-01-01T00:00:00Z"}})", 422, "Invalid", "is immutable"),
      patch(a, "{bad", 400, "BadRequest", "error decoding patch"),
      patch(a, "[]", 400, "BadRequest", "cannot unmarshal array"),
      patch(a, "", 400, "BadRequest", "unexpected end of JSON input"),
      patch(a, R"({"endpoints":{"a":1}})", 422, "Invalid", "cannot unmarshal object"),
      patch(e, R"({"spec":{"endpoints":null}})", 422, "Invalid", "spec.endpoints: Required value"),
      patch(e, R"({"spec":null})", 422, "Invalid", "spec: Required value"),
      {"PATCH", a, "{}", 415, "UnsupportedMediaType", "", "text/plain"},
      {"PUT", a, rig.slice("b"), 400, "BadRequest", "(b) does not match the name on the URL (a)"},
      {"PUT", a, rig.slice(""), 400, "BadRequest", "was undeterminable"},
      {"PUT", a, rig.slice("a", R"(,"resourceVersion":"1")"), 409, "Conflict", "the object has been modified"},
      {"PUT", a, rig.slice("a", R"(,"uid":"b")"), 409, "Conflict", "UID in precondition: b"},
      {"PUT", a + "-no", rig.slice("a-no"), 404, "NotFound", R"(endpointslices.discovery.k8s.io "a-no" not found)"},
      {"PUT", e, rig.slice_export("e"), 422, "Invalid",
       "metadata.resourceVersion: Invalid value: 0: must be specified"},
      {"DELETE", a, R"({"preconditions":{"uid":"b"}})", 409, "Conflict", "the UID in the precondition (b) does not"},
      {"DELETE", a, R"({"propagationPolicy":"No"})", 422, "Invalid", R"("Foreground", "Background", "Orphan")"},
      {"DELETE", a, "{bad", 400, "BadRequest", "json parse error"},
    });
}

TEST(ClusterRefusals, OfExports) {
  cluster_test_rig rig;
  rig.make_space();
  const std::string exports{rig.exports};
  const auto spec = [&](const std::string& members, const std::string& message) {
    return refusal{"POST", exports, rig.slice_export("x", "", members), 422, "Invalid", message};
  };
  expect_refused(
    rig, {
           spec(R"("addressType":"IPv6","endpoints":[],)", R"(Unsupported value: "IPv6": supported values: "IPv4")"),
           spec("", "spec.endpoints: Required value"),
           spec(R"("endpoints":[{}],)", "spec.endpoints[0].addresses: Required value"),
           spec(R"("endpoints":[{"addresses":[5]}],)", "in body must be of type string: \"integer\""),
           spec(R"("endpoints":[],"ports":[{"port":"x"}],)", "spec.ports[0].port in body must be of type integer"),
           spec(R"("endpoints":[],"ports":[{"port":3000000000}],)", "integer with format int32 in spec.ports[0].port"),
           spec(R"("endpoints":{},)", "spec.endpoints in body must be of type array: \"object\""),
           {"POST", exports,
            R"({"apiVersion":"networking.fleet.azure.com/v1alpha1","kind":"EndpointSliceExport",)"
            R"("metadata":{"name":"x"},"spec":"text"})",
            422, "Invalid", "spec in body must be of type object"},
           {"POST", exports, R"({"apiVersion":"v1","kind":"EndpointSliceExport"})", 400, "BadRequest",
            "(v1) does not match"},
         });
}

TEST(ClusterRefusals, OfConditions) {
  cluster_test_rig rig;
  rig.make_space();
  const std::string status = rig.path(rig.consents, "web/status");
  ASSERT_EQ(rig.call("POST", rig.consents, rig.consent("web")).status, 201U);
  const auto condition = [&](const std::string& members, const std::string& message) {
    return refusal{"PATCH",
                   status,
                   R"({"status":{"conditions":[)" + members + "]}}",
                   422,
                   "Invalid",
                   message,
                   std::string{rig.merge}};
  };
  const std::string good = R"({"type":"Valid","status":"True","lastTransitionTime":"2024-01-01T00:00:00Z",)"
                           R"("reason":"R","message":"m"})";
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string out = good;
    return out.replace(out.find(from), from.size(), to);
  };
  expect_refused(rig, {
                        condition(R"({"type":"Valid"})", "status.conditions[0].lastTransitionTime: Required value"),
                        condition(with("True", "Maybe"), R"(supported values: "True", "False", "Unknown")"),
                        condition(with("2024", "x"), "must be of type date-time"),
                        condition(with("\"R\"", "\"\""), "should be at least 1 chars long"),
                        condition(with("\"R\"", "\"R \""), "in body should match"),
                        condition(with("\"Valid\"", "\"a b\""), "in body should match"),
                        condition(good + "," + good, R"(Duplicate value: {"type":"Valid"})"),
                      });
  EXPECT_EQ(rig.patch(status, R"({"status":{"conditions":[)" + good + "]}}").status, 200U);
}

TEST(ClusterRefusals, OfPathsAndMethods) {
  cluster_test_rig rig;
  rig.make_space();
  struct row {
    const char* method;
    std::string target;
    unsigned status;
    const char* said; ///< part of the body
  };
  const std::string slices{rig.slices};
  const char* no_resource = "the server could not find the requested resource";
  const char* no_page = "404 page not found\n";
  const row table[] = {
    {"GET", "/nope", 404, no_page},
    {"GET", "/apis/nope/v1/things", 404, no_page},
    {"GET", "/apis/discovery.k8s.io/v1/nope", 404, no_resource},
    {"GET", "/apis/discovery.k8s.io/v2", 404, no_resource},
    {"GET", "/api/v1/nope", 404, no_resource},
    {"GET", "/apis/networking.fleet.azure.com/v1alpha1/nope", 404, no_page},
    {"GET", "/apis/networking.fleet.azure.com/v1beta1/endpointsliceexports", 404, no_page},
    {"GET", slices + "/a/status", 404, no_resource},
    {"GET", slices + "/a/b/c", 404, no_resource},
    {"POST", slices + "/a", 405, "MethodNotAllowed"},
    {"POST", std::string{rig.all_slices}, 405, "MethodNotAllowed"},
    {"PUT", slices, 405, "MethodNotAllowed"},
    {"BREW", slices, 405, "MethodNotAllowed"},
    {"PATCH", std::string{rig.exports}, 400, "name must be provided"},
    {"DELETE", std::string{rig.spaces}, 405, "MethodNotAllowed"},
    {"GET", std::string{rig.spaces} + "/shop/finalize", 405, "MethodNotAllowed"},
    {"DELETE", std::string{rig.spaces} + "/default", 403, "this namespace may not be deleted"},
    {"GET", "/readyz", 200, "ok"},
    {"GET", "/version", 200, "gitVersion"},
    {"GET", "/api", 200, R"("versions":["v1"])"},
    {"GET", "/apis", 200,
     R"("name":"networking.fleet.azure.com","versions":[{"groupVersion":"networking.fleet.azure.com/v1beta1")"},
    {"GET", "/apis/discovery.k8s.io/v1", 200, R"({"name":"endpointslices","singularName":"endpointslice",)"},
    {"GET", "/apis/networking.fleet.azure.com/v1alpha1", 200, R"("name":"endpointsliceexports/status")"},
    {"GET", "/apis/networking.fleet.azure.com", 200,
     R"("preferredVersion":{"groupVersion":"networking.fleet.azure.com/v1beta1")"},
  };
  for (const auto& [method, target, status, said] : table) {
    SCOPED_TRACE(std::string{method} + " " + target);
    const auto got = rig.call(method, target);
    EXPECT_EQ(got.status, status);
    EXPECT_NE(got.text.find(said), std::string::npos) << got.text;
  }
}

TEST(ClusterRefusals, OfUsers) {
  cluster_test_rig rig;
  rig.make_space();
  const auto nobody = rig.call("GET", rig.slices, {}, {}, {});
  EXPECT_EQ(nobody.status, 401U);
  EXPECT_EQ(nobody.reason(), "Unauthorized");
  rig.server.forbid("tester", rig.now);
  struct row {
    const char* method;
    std::string target;
    const char* message;
  };
  const row table[] = {
    {"GET", std::string{rig.slices} + "/a",
     R"(endpointslices.discovery.k8s.io "a" is forbidden: User "tester" cannot get resource "endpointslices" in API group "discovery.k8s.io" in the namespace "shop")"},
    {"GET", std::string{rig.all_slices},
     R"(endpointslices.discovery.k8s.io is forbidden: User "tester" cannot list resource "endpointslices" in API group "discovery.k8s.io" at the cluster scope)"},
    {"POST", std::string{rig.slices},
     R"(endpointslices.discovery.k8s.io is forbidden: User "tester" cannot create resource "endpointslices" in API group "discovery.k8s.io" in the namespace "shop")"},
    {"PATCH", std::string{rig.exports} + "/e/status",
     R"(endpointsliceexports.networking.fleet.azure.com "e" is forbidden: User "tester" cannot patch resource "endpointsliceexports/status" in API group "networking.fleet.azure.com" in the namespace "shop")"},
    {"GET", std::string{rig.spaces} + "/shop",
     R"(namespaces "shop" is forbidden: User "tester" cannot get resource "namespaces" in API group "" in the namespace "shop")"},
    {"GET", "/nope", R"(forbidden: User "tester" cannot get path "/nope")"},
  };
  for (const auto& [method, target, message] : table) {
    SCOPED_TRACE(target);
    const auto got = rig.call(method, target, "{}");
    EXPECT_EQ(got.status, 403U);
    EXPECT_EQ(got.reason(), "Forbidden");
    EXPECT_EQ(got.at("message"), message);
  }
  cluster_test_rig::watched none;
  EXPECT_EQ(std::get<api_answer>(rig.try_watch(std::string{rig.slices} + "?watch=1", none)).status, 403U);
  EXPECT_EQ(rig.call("GET", rig.slices, {}, {}, "other").status, 200U);
  rig.server.allow("tester", rig.now);
  EXPECT_EQ(rig.call("GET", rig.slices).status, 200U);
}

} // namespace
} // namespace sliceferry::storm
