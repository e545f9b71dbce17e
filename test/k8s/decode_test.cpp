#include "k8s/decode.hpp"

#include "messages/endpoint_slice.hpp"
#include "messages/service_export.hpp"
#include "test/k8s/wire_samples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace sliceferry::k8s {
namespace {

using namespace std::string_literals;

TEST(DecodeSlice, TakesWhatAnExportDependsOn) {
  const auto got = decode_object<endpoint_slice>(samples::slice);
  ASSERT_TRUE(got) << got.error().text;
  endpoint_slice want;
  want.key = {"shop", "web-abc12"};
  want.uid = "u-1";
  want.resource_version = "41";
  want.generation = 3;
  want.address_type = "IPv4";
  want.service = "web";
  want.managed_by = "endpointslice-controller.k8s.io";
  want.ours = {"m1-shop-web-abc12-x", "3", "2026-11-30T10:00:01Z"};
  want.ready = {{{"10.0.0.1", "10.0.0.9"}}, {{"10.0.0.3"}}, {{"10.0.0.4"}}, {{"10.0.0.5"}}};
  want.ports = {{{"http", "TCP", 8080, "kubernetes.io/h2c"}, {"", "UDP", std::nullopt, std::nullopt}, {}}};
  EXPECT_EQ(*got, want) << to_string(*got);
}

TEST(DecodeSlice, KeepsAbsenceApartFromEmptiness) {
  struct row {
    const char* name;
    std::string more;
    port_list ports;
  };
  const row table[] = {
    {"ES13 ports null", R"(,"ports":null)", std::nullopt},
    {"ES13 ports empty", R"(,"ports":[])", std::vector<port>{}},
    {"ES14 a port without a number", R"(,"ports":[{"name":"a"}])", {{{"a", {}, {}, {}}}}},
    {"null entries are nothing", R"(,"ports":[null])", std::vector<port>{}},
  };
  for (const auto& [name, more, ports] : table) {
    SCOPED_TRACE(name);
    const auto got = decode_object<endpoint_slice>(samples::small_slice("a", "1", more));
    ASSERT_TRUE(got) << got.error().text;
    EXPECT_EQ(got->ports, ports);
    EXPECT_TRUE(got->ready.empty()); // ES11
    EXPECT_FALSE(got->service);
    EXPECT_TRUE(got->ours.empty());
  }
}

TEST(DecodeSlice, KeepsWhatServesWhileTerminatingWhereNothingIsReady) {
  using found = std::vector<endpoint>;
  const auto one = [](const char* address, const std::string& conditions) {
    return R"({"addresses":[")" + std::string{address} + R"("],"conditions":{)" + conditions + "}}";
  };
  const std::string down = R"("ready":false)";
  const std::string serves = R"("ready":false,"serving":true,"terminating":true)";
  struct row {
    const char* name;
    std::string endpoints;
    found ready, fallback;
  };
  const row table[] = {
    {"none at all", "", {}, {}},
    {"serving and terminating", one("a", serves), {}, {{{"a"}}}},
    {"serving, not terminating", one("a", down + R"(,"serving":true,"terminating":false)"), {}, {}},
    {"serving, terminating unknown", one("a", down + R"(,"serving":true)"), {}, {}},
    {"terminating, not serving", one("a", down + R"(,"serving":false,"terminating":true)"), {}, {}},
    {"terminating, serving unknown", one("a", down + R"(,"serving":null,"terminating":true)"), {}, {}},
    {"ready absent means ready", one("a", R"("serving":true,"terminating":true)"), {{{"a"}}}, {}},
    {"in order, the others left out",
     one("b", serves) + ',' + one("x", down) + ',' + one("a", serves),
     {},
     {{{"b"}}, {{"a"}}}},
    {"one is ready, before", one("a", R"("ready":true)") + ',' + one("b", serves), {{{"a"}}}, {}},
    {"one is ready, behind", one("b", serves) + ',' + one("a", ""), {{{"a"}}}, {}},
    {"conditions of one don't colour the next", one("a", serves) + ',' + one("b", down), {}, {{{"a"}}}},
    {"no address is no endpoint",
     one("a", serves) + R"(,{"addresses":[],"conditions":{)" + serves + "}}",
     {},
     {{{"a"}}}},
    {"a ready one without address counts for none", one("a", serves) + R"(,{"addresses":[]})", {}, {{{"a"}}}},
  };
  for (const auto& [name, endpoints, ready, fallback] : table) {
    SCOPED_TRACE(name);
    const auto got =
      decode_object<endpoint_slice>(samples::small_slice("a", "1", R"(,"endpoints":[)" + endpoints + "]"));
    ASSERT_TRUE(got) << got.error().text;
    EXPECT_EQ(got->ready, ready);
    EXPECT_EQ(got->fallback, fallback);
  }
}

TEST(DecodeSlice, ReadsEscapesAndUnicode) {
  const std::string text =
    R"({"metadata":{"n\u0061me":"a\"\\\/\b\f\n\r\té€😀\u00e9\ud83d\ude00","namespace":"shop","uid":"u","resourceVersion":"1",)"
    R"("labels":{"kubernetes.io/service-name":""}}})";
  const auto got = decode_object<endpoint_slice>(text);
  ASSERT_TRUE(got) << got.error().text;
  EXPECT_EQ(got->key.name, "a\"\\/\b\f\n\r\té€😀é😀");
  EXPECT_EQ(got->service, ""); // C18: present and empty
}

TEST(DecodeSlice, LongEscapedStringsComeWhole) {
  std::string raw, escaped;
  for (int i = 0; i < 3000; ++i) {
    raw += "x\n";
    escaped += "x\\n";
  }
  const auto got = decode_object<endpoint_slice>(
    R"({"metadata":{"name":"a","namespace":"b","uid":"u","resourceVersion":"1","annotations":{"skipped":")" + escaped +
    R"(","networking.fleet.azure.com/fleet-unique-name":")" + escaped + R"("}}})");
  ASSERT_TRUE(got) << got.error().text;
  EXPECT_EQ(got->ours.name, raw);
}

struct broken_slice {
  const char* name;
  std::string text;
  object_key key;
  std::string says;
};
std::string with(const std::string& more) {
  return samples::small_slice("a", "1", more);
}

const object_key a{"shop", "a"};
const broken_slice broken_slices[] = {
  {"LW40 a number where a text belongs", with(R"(,"addressType":4)"), a, "addressType has the wrong type"},
  {"an object where a list belongs", with(R"(,"endpoints":{})"), a, "endpoints has the wrong type"},
  {"an element of the wrong type", with(R"(,"endpoints":[{"addresses":[7]}])"), a,
   "an element of addresses has the wrong type"},
  {"an endpoint that is a text", with(R"(,"endpoints":["10.0.0.1"])"), a, "an element of endpoints has the wrong type"},
  {"HT23 generation as a fraction", with(R"(,"metadata":{"generation":1.5})"), a,
   "generation is not an integer of its size"},
  {"HT23 generation beyond int64", with(R"(,"metadata":{"generation":9223372036854775808})"), a,
   "generation is not an integer of its size"},
  {"HT23 a port beyond int32", with(R"(,"ports":[{"port":2147483648}])"), a, "port is out of range"},
  {"ready as a text", with(R"(,"endpoints":[{"conditions":{"ready":"true"}}])"), a, "ready has the wrong type"},
  {"serving as a number", with(R"(,"endpoints":[{"conditions":{"serving":1}}])"), a, "serving has the wrong type"},
  {"the key may follow the damage", R"({"ports":7,"metadata":{"name":"a","namespace":"shop"}})", a,
   "ports has the wrong type"},
  {"no uid", R"({"metadata":{"name":"a","namespace":"shop","resourceVersion":"1"}})", a, "uid is missing"},
  {"an empty uid", R"({"metadata":{"name":"a","namespace":"shop","uid":"","resourceVersion":"1"}})", a,
   "uid is missing"},
  {"no resourceVersion", R"({"metadata":{"name":"a","namespace":"shop","uid":"1"}})", a, "resourceVersion is missing"},
  {"no name", R"({"metadata":{"namespace":"shop"}})", {"shop", ""}, "name is missing"},
  {"metadata null", R"({"metadata":null})", {}, "name is missing"},
  {"no object", "[]", {}, "the object has the wrong type"},
  {"a scalar", "7", {}, "the object has the wrong type"},
  {"null", "null", {}, "name is missing"},
  {"more than one document", with("") + "{}", a, "bytes follow the document"},
};

TEST(DecodeSlice, NamesWhatIsWrongAndWhere) {
  for (const auto& [name, text, key, says] : broken_slices) {
    SCOPED_TRACE(name);
    const auto got = decode_item<endpoint_slice>(text);
    ASSERT_TRUE(std::holds_alternative<malformed>(got));
    EXPECT_EQ(std::get<malformed>(got), (malformed{key, says}));
    const auto alone = decode_object<endpoint_slice>(text);
    ASSERT_FALSE(alone);
    EXPECT_EQ(alone.error().code, errc::malformed);
  }
}

TEST(DecodeSlice, RefusesWhatIsNoJson) {
  struct row {
    const char* name;
    std::string text;
  };
  const row table[] = {
    {"HT24 invalid UTF-8", samples::small_slice("a", "1", ",\"x\":\"\xff\"")},
    {"HT24 a lone surrogate", samples::small_slice("a", "1", R"(,"x":"\ud800")")},
    {"a bare word", samples::small_slice("a", "1", ",\"x\":yes")},
    {"a trailing comma", samples::small_slice("a", "1", ",")},
    {"nothing", ""},
    {"blanks", " \n"},
    {"HT28 a proxy's page", "<html>502</html>"},
    {"HT22 nested deeper than 256",
     samples::small_slice("a", "1", ",\"x\":" + std::string(300, '[') + std::string(300, ']'))},
  };
  for (const auto& [name, text] : table) {
    SCOPED_TRACE(name);
    EXPECT_FALSE(decode_object<endpoint_slice>(text));
  }
  EXPECT_TRUE(decode_object<endpoint_slice>(
    samples::small_slice("a", "1", ",\"x\":" + std::string(200, '[') + std::string(200, ']'))))
    << "HT22 nested deeper than Boost.JSON's default of 32";
}

TEST(DecodeSlice, EachPrefixIsMalformed) {
  for (std::size_t end = 0; end < samples::slice.size(); ++end)
    ASSERT_FALSE(decode_object<endpoint_slice>(std::string_view{samples::slice}.substr(0, end))) << end;
}

TEST(DecodeServiceExport, ReadsConditions) {
  const auto got = decode_object<service_export>(samples::consent);
  ASSERT_TRUE(got) << got.error().text;
  service_export want;
  want.key = {"shop", "web"};
  want.uid = "e-1";
  want.resource_version = "50";
  want.generation = 2;
  want.valid = condition{condition::status::yes, 2};
  want.conflict = condition{condition::status::no, std::nullopt};
  EXPECT_EQ(*got, want);
}

TEST(DecodeServiceExport, TellsStatesApart) {
  struct row {
    const char* name;
    std::string status;
    std::optional<condition> valid;
  };
  const row table[] = {
    {"MC19 no status", "", {}},
    {"status null", R"(,"status":null)", {}},
    {"conditions null", R"(,"status":{"conditions":null})", {}},
    {"Unknown", R"(,"status":{"conditions":[{"type":"Valid","status":"Unknown"}]})",
     condition{condition::status::unknown, {}}},
    {"a status that the API doesn't know", R"(,"status":{"conditions":[{"type":"Valid","status":"true"}]})",
     condition{condition::status::unknown, {}}},
    {"order within the condition doesn't matter",
     R"(,"status":{"conditions":[{"status":"True","observedGeneration":1,"type":"Valid"}]})",
     condition{condition::status::yes, 1}},
  };
  for (const auto& [name, status, valid] : table) {
    SCOPED_TRACE(name);
    const auto got = decode_object<service_export>(
      R"({"metadata":{"name":"a","namespace":"b","uid":"c","resourceVersion":"1"})" + status + "}");
    ASSERT_TRUE(got) << got.error().text;
    EXPECT_EQ(got->valid, valid);
    EXPECT_FALSE(got->conflict);
    EXPECT_FALSE(got->deleting);
  }
}

TEST(DecodeWatchLine, TellsTheKindsOfLinesApart) {
  const auto kind = [](const std::string& line) { return decode_watch_line<endpoint_slice>(line); };
  const std::string one = samples::small_slice("a", "9");

  const auto added = kind(samples::event("ADDED", one));
  ASSERT_TRUE(std::holds_alternative<watch_event<endpoint_slice>>(added));
  EXPECT_EQ(std::get<0>(added).change, watch_change::applied);
  EXPECT_EQ(std::get<0>(added).object.resource_version, "9");
  EXPECT_EQ(std::get<0>(kind(samples::event("MODIFIED", one))).change, watch_change::applied);
  EXPECT_EQ(std::get<0>(kind(samples::event("DELETED", one))).change, watch_change::deleted);

  EXPECT_EQ(std::get<0>(kind(R"({ "object": )" + one + R"( , "more":1, "type" : "DELETED" })")).change,
            watch_change::deleted)
    << "order and spacing of another server";
  EXPECT_EQ(std::get<bookmark>(kind(samples::bookmark("12"))).resource_version, "12"); // LW15
}

TEST(DecodeWatchLine, ReadsInStreamErrors) {
  struct row {
    const char* name;
    std::string line;
    errc code;
  };
  const row table[] = {
    {"LW01 Expired", samples::error(410, "Expired"), errc::expired},
    {"LW01 Gone", samples::error(410, "Gone"), errc::expired},
    {"LW03 too many requests", samples::error(429, "TooManyRequests"), errc::throttled},
    {"LW03 internal error", samples::error(500, "InternalError"), errc::unavailable},
    {"LW04 no Status", samples::event("ERROR", R"({"kind":"EndpointSlice"})"), errc::malformed},
    {"LW04 a text", samples::event("ERROR", R"("oops")"), errc::malformed},
    {"LW04 null", samples::event("ERROR", "null"), errc::malformed},
    {"LW04 no code", samples::event("ERROR", R"({"kind":"Status"})"), errc::malformed},
  };
  for (const auto& [name, line, code] : table) {
    SCOPED_TRACE(name);
    const auto got = decode_watch_line<endpoint_slice>(line);
    ASSERT_TRUE(std::holds_alternative<failure>(got));
    EXPECT_EQ(std::get<failure>(got).code, code);
  }
}

TEST(DecodeWatchLine, IsolatesBrokenLines) {
  struct row {
    const char* name;
    std::string line;
    object_key key;
  };
  const row table[] = {
    {"wrong type", samples::event("ADDED", samples::small_slice("a", "1", R"(,"ports":7)")), {"shop", "a"}},
    {"unknown event", samples::event("MOVED", samples::small_slice("a", "1")), {"shop", "a"}},
    {"no event type", R"({"object":)" + samples::small_slice("a", "1") + "}", {"shop", "a"}},
    {"cut", R"({"type":"ADDED","object":{"metadata":{"name":"a","namespace":"shop")", {"shop", "a"}},
    {"no JSON", "nonsense", {}},
    {"a bookmark without a version", samples::event("BOOKMARK", R"({"metadata":{}})"), {}},
  };
  for (const auto& [name, line, key] : table) {
    SCOPED_TRACE(name);
    const auto got = decode_watch_line<endpoint_slice>(line);
    ASSERT_TRUE(std::holds_alternative<malformed>(got));
    EXPECT_EQ(std::get<malformed>(got).key, key);
    EXPECT_FALSE(std::get<malformed>(got).text.empty());
  }
}

TEST(DecodeLife, TellsWhetherAnObjectIsOnItsWayOut) {
  struct row {
    const char* name;
    const char* json;
    std::optional<object_life> life;
  };
  const row table[] = {
    {"a namespace", R"({"kind":"Namespace","metadata":{"name":"shop","uid":"u1"},"status":{"phase":"Active"}})",
     object_life{"shop", "u1"}},
    {"one that goes", R"({"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z","name":"shop"}})",
     object_life{"shop", "", true}},
    {"null is absence", R"({"metadata":{"name":"shop","deletionTimestamp":null}})", object_life{"shop", ""}},
    {"no object", R"({"kind":"Status"})", std::nullopt},
    {"a page of a proxy", "<html>", std::nullopt},
  };
  for (const auto& [name, json, life] : table) {
    SCOPED_TRACE(name);
    const auto got = decode_life(json);
    EXPECT_EQ(got ? std::optional{*got} : std::nullopt, life);
  }
}

} // namespace
} // namespace sliceferry::k8s
