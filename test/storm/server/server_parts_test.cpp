#include "test/storm/server/api_path.hpp"
#include "test/storm/server/canonical_writer.hpp"
#include "test/storm/server/continue_token.hpp"
#include "test/storm/server/json_text.hpp"
#include "test/storm/server/object_names.hpp"
#include "test/storm/server/revision.hpp"
#include "test/storm/server/rfc3339_time.hpp"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace sliceferry::storm {
namespace {

TEST(ApiPath, IsReadByItsForm) {
  using place = api_path::place;
  struct row {
    const char* target;
    place where;
    std::string parts; ///< group version nspace resource name subresource
  };
  const row table[] = {
    {"/readyz", place::other, "|||||"},
    {"/api", place::document, "|||||"},
    {"/apis/g", place::document, "g|||||"},
    {"/apis/g/v1/", place::document, "g|v1||||"},
    {"/api/v1/namespaces", place::resource, "|v1||namespaces||"},
    {"/api/v1/namespaces/n", place::resource, "|v1||namespaces|n|"},
    {"/api/v1/namespaces/n/finalize", place::resource, "|v1||namespaces|n|finalize"},
    {"/api/v1/namespaces/n/pods/p/status?a=b", place::resource, "|v1|n|pods|p|status"},
    {"/apis/g/v1/things/a%2Fb", place::resource, "g|v1||things|a|b"},
    {"/apis/g/v1/namespaces/n/things/%61", place::resource, "g|v1|n|things|a|"},
  };
  for (const auto& [target, where, parts] : table) {
    SCOPED_TRACE(target);
    const api_path path{target};
    EXPECT_EQ(path.where, where);
    std::string got;
    for (const auto part : {path.group, path.version, path.nspace, path.resource, path.name, path.subresource})
      got.append(part).append("|");
    got.pop_back();
    EXPECT_EQ(got, parts);
  }
  EXPECT_TRUE(api_path{"/apis/g/v1/a/b/c/d"}.too_deep);
  EXPECT_EQ(query_value("ab=1&b=2", "b"), "2");
  EXPECT_EQ(read_query("a=x%20y+z&b").at("a"), "x y z");
}

TEST(ContinueToken, ComesBackAsItWent) {
  for (const continue_token& token : {continue_token{7, "shop", "web-1", 500}, {1, "", "namespace", 0}}) {
    const auto read = decode_continue(encode(token));
    EXPECT_EQ(read.problem, "");
    EXPECT_EQ(read.token.version, token.version);
    EXPECT_EQ(read.token.nspace, token.nspace);
    EXPECT_EQ(read.token.name, token.name);
    EXPECT_EQ(read.token.shown, token.shown);
    EXPECT_NE(decode_continue(encode(token).substr(3)).problem, "");
  }
  EXPECT_NE(decode_continue("").problem, "");
}

TEST(Rfc3339Time, IsCheckedAndWritten) {
  EXPECT_EQ(rfc3339_text(instant{0}), "1970-01-01T00:00:00Z");
  EXPECT_EQ(rfc3339_text(std::chrono::seconds{1'709'210'096}), "2024-02-29T12:34:56Z");
  for (const char* good : {"2024-02-29T12:34:56Z", "2024-02-29T12:34:56.123456+02:00", "2024-02-29t12:34:56z"})
    EXPECT_TRUE(is_rfc3339(good)) << good;
  for (const char* bad :
       {"", "yesterday", "2024-02-29", "2024-13-01T00:00:00Z", "2024-02-29T12:34:56", "2024-02-29T12:34:56.Z",
        "2024-02-29T25:34:56Z", "2024-02-29T12:34:56+2:00", "2024-02-29T12:34:56Zx"})
    EXPECT_FALSE(is_rfc3339(bad)) << bad;
}

TEST(ObjectNames, AreJudged) {
  EXPECT_EQ(problem_of_dns_subdomain("a.b-c.d1"), "");
  EXPECT_EQ(problem_of_qualified_name("example.com/My_Name.1"), "");
  EXPECT_EQ(problem_of_label_value(""), "");
  for (const char* bad : {"", "A", "a..b", "-a", "a-", "a_b"})
    EXPECT_NE(problem_of_dns_subdomain(bad), "") << bad;
  for (const char* bad : {"", "/a", "a/", "A/b", "a b", "-a"})
    EXPECT_NE(problem_of_qualified_name(bad), "") << bad;
  EXPECT_NE(problem_of_dns_label("a.b"), "");
  EXPECT_NE(problem_of_dns_subdomain(std::string(254, 'a')), "");
  EXPECT_NE(problem_of_label_value(std::string(64, 'a')), "");
  EXPECT_EQ(made_uid(1, 2), made_uid(1, 2));
  EXPECT_NE(made_uid(1, 2), made_uid(1, 3));
  EXPECT_NE(made_uid(1, 2), made_uid(2, 2));
}

TEST(CanonicalWriter, GivesEqualTextsToEqualValues) {
  const auto schema = read_schema(boost::json::parse(R"({"type":"object","properties":{
    "b":{"type":"string","default":"B"},"a":{"type":"array","items":{"type":"integer"}},
    "m":{"type":"object","additionalProperties":{"type":"string"}}}})"),
                                  member_order::by_name);
  const schema_property root{"spec", schema, {}, false, false};
  const char* const table[][2] = {
    {R"({"m":{"y":"1","x":"2"},"a":[1,2]})", R"({"a":[1,2],"b":"B","m":{"x":"2","y":"1"}})"},
    {R"({"a":[1,2],"m":{"x":"2","y":"1"},"b":null,"other":5})", R"({"a":[1,2],"b":"B","m":{"x":"2","y":"1"}})"},
    {R"({"b":"\"\\\n\u0001é"})", R"({"b":"\"\\\n\u0001é"})"},
  };
  for (const auto& [from, wanted] : table) {
    std::string out;
    field_errors errors;
    const auto value = boost::json::parse(from);
    EXPECT_TRUE((canonical_writer{out, errors, strictness::checked}.write(root, &value)));
    EXPECT_TRUE(errors.empty());
    EXPECT_EQ(out, wanted);
    EXPECT_EQ(boost::json::parse(out), boost::json::parse(wanted));
  }
}

TEST(Revision, IsShiftedByALongerVersion) {
  revision made;
  made.text = R"({"metadata":{"resourceVersion":"9","labels":{"a":"b"}},"spec":{"c":1}})";
  made.version = 9;
  made.version_digits = {32, 1};
  made.meta = {12, 42};
  made.label_part = {44, 9};
  made.members[0] = {62, 7};
  for (const std::uint64_t version : {10ULL, 1234ULL, 7ULL}) {
    const auto moved = with_version(made, version);
    EXPECT_EQ(moved->part(moved->version_digits), std::to_string(version));
    EXPECT_EQ(moved->labels(), made.labels());
    EXPECT_EQ(moved->part(moved->members[0]), made.part(made.members[0]));
    EXPECT_EQ(moved->part(moved->meta).back(), '}');
    EXPECT_EQ(moved->part(moved->members[1]), "");
  }
}

} // namespace
} // namespace sliceferry::storm
