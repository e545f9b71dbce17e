#include "k8s/decode.hpp"

#include "messages/endpoint_slice.hpp"
#include "messages/service_export.hpp"
#include "test/k8s/wire_samples.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sliceferry::k8s {
namespace {

TEST(DecodeSlice, TakesItsAnnotationsAsFound) {
  // A14 D29: there may be none, be it that nobody wrote any or that a webhook took them.
  const std::string name = "networking.fleet.azure.com/fleet-unique-name";
  const struct {
    const char* what;
    std::string annotations;
    slice_annotations ours;
  } table[] = {
    {"no map", "", {}},
    {"null", R"("annotations":null,)", {}},
    {"empty", R"("annotations":{},)", {}},
    {"those of others", R"("annotations":{"a":"b","networking.fleet.azure.com/":"c"},)", {}},
    {"A3 an empty name", R"("annotations":{")" + name + R"(":""},)", {"", {}, {}}},
    {"between those of others", R"("annotations":{"a":"b",")" + name + R"(":"n","z":""},)", {"n", {}, {}}},
    {"A11 as they are, readable or not",
     R"("annotations":{"networking.fleet.azure.com/last-seen-generation":" 3",)"
     R"("networking.fleet.azure.com/last-seen-timestamp":"noon"},)",
     {{}, " 3", "noon"}},
  };
  for (const auto& [what, annotations, ours] : table) {
    SCOPED_TRACE(what);
    const auto got =
      decode_object<endpoint_slice>(R"({"metadata":{"name":"a","namespace":"b","uid":"u",)" + annotations +
                                    R"("resourceVersion":"1"},"addressType":"IPv4","endpoints":[]})");
    ASSERT_TRUE(got) << got.error().text;
    EXPECT_EQ(got->ours, ours);
  }
}

TEST(DecodeServiceExport, LooksAtNoWeight) {
  // A23: what a weight of nothing, or one that can't be read, means for the slices is said by the conditions alone.
  const auto plain = decode_object<service_export>(samples::consent);
  ASSERT_TRUE(plain);
  for (const char* weight : {"0", "100", "-1", "heavy", ""}) {
    SCOPED_TRACE(weight);
    std::string weighted = samples::consent;
    const std::string annotations = R"({"a":"b"})";
    const auto at = weighted.find(annotations);
    ASSERT_NE(at, std::string::npos);
    weighted.replace(at, annotations.size(),
                     R"({"networking.fleet.azure.com/weight":")" + std::string{weight} + R"("})");
    const auto got = decode_object<service_export>(weighted);
    ASSERT_TRUE(got) << got.error().text;
    EXPECT_EQ(*got, *plain);
  }
}

} // namespace
} // namespace sliceferry::k8s
