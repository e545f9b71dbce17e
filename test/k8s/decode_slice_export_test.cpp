#include "k8s/decode.hpp"

#include "messages/rfc3339.hpp"
#include "messages/slice_export.hpp"
#include "test/k8s/wire_samples.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sliceferry::k8s {
namespace {

TEST(DecodeSliceExport, ReadsAllOfIt) {
  const auto got = decode_object<slice_export>(samples::exported);
  ASSERT_TRUE(got) << got.error().text;
  slice_export want;
  want.key = {"fleet-member-m1", "m1-shop-web-abc12-x"};
  want.uid = "h-1";
  want.resource_version = "77";
  want.created = *parse_rfc3339("2026-11-30T10:00:02Z");
  want.terminating = true;
  want.last_manager = "kubectl-edit";
  want.spec.endpoints = {{{"10.0.0.1"}}, {{"10.0.0.3"}}};
  want.spec.ports = {{{{}, {}, 80, {}}}};
  want.spec.reference = {"m1",
                         "discovery.k8s.io/v1",
                         "EndpointSlice",
                         {"shop", "web-abc12"},
                         "shop/web-abc12",
                         "u-1",
                         "41",
                         3,
                         parse_rfc3339("2026-11-30T10:00:01Z")};
  want.spec.owner = {{"shop", "web"}, "shop/web"};
  EXPECT_EQ(*got, want) << to_string(*got);
}

TEST(DecodeSliceExport, NamesWhoWroteTheSpecLast) {
  struct row {
    const char* name;
    std::string managed;
    const char* manager;
  };
  const auto entry = [](const std::string& who, const std::string& minute, const std::string& rest) {
    return R"({"manager":")" + who + R"(","operation":"Update","time":"2026-11-30T10:)" + minute + R"(:00Z")" + rest +
           "}";
  };
  const std::string spec = R"(,"fieldsType":"FieldsV1","fieldsV1":{"f:spec":{".":{},"f:ports":{}}})";
  const std::string finalizer = R"(,"fieldsV1":{"f:metadata":{"f:finalizers":{".":{},"v:\"f:spec\"":{}}}})";
  const row table[] = {
    {"nobody is named", "", ""},
    {"one writer", entry("us", "01", spec), "us"},
    {"a newer one listed first", entry("edit", "02", spec) + "," + entry("us", "01", spec), "edit"},
    {"the finalizer is no write to the spec", entry("us", "01", spec) + "," + entry("hub", "03", finalizer), "us"},
    {"nor if it is listed first", entry("hub", "03", finalizer) + "," + entry("us", "01", spec), "us"},
    {"only metadata was written", entry("hub", "03", finalizer), ""},
    {"it isn't said what was written", entry("hub", "03", ""), ""},
    {"null is absence", entry("hub", "03", R"(,"fieldsV1":null)"), ""},
    {"within a second it wasn't us", entry("rival", "01", spec) + "," + entry("sliceferry", "01", spec), "rival"},
    {"wherever we are listed", entry("sliceferry", "01", spec) + "," + entry("Rival", "01", spec), "Rival"},
    {"if we are newer we are", entry("rival", "01", spec) + "," + entry("sliceferry", "02", spec), "sliceferry"},
    {"of equal times the later entry wins", entry("us", "01", spec) + "," + entry("edit", "01", spec), "edit"},
  };
  for (const auto& [name, managed, manager] : table) {
    SCOPED_TRACE(name);
    const auto got =
      decode_object<slice_export>(R"({"metadata":{"managedFields":[)" + managed +
                                  R"(],"name":"a","namespace":"b","uid":"c","resourceVersion":"1"},"spec":{}})");
    ASSERT_TRUE(got) << got.error().text;
    EXPECT_EQ(got->last_manager, manager);
  }
}

} // namespace
} // namespace sliceferry::k8s
