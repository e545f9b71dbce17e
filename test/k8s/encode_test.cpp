#include "k8s/encode.hpp"

#include "k8s/decode.hpp"
#include "k8s/resource.hpp"
#include "messages/rfc3339.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <random>

namespace sliceferry::k8s {
namespace {

slice_export_spec sample_spec() {
  slice_export_spec spec;
  spec.endpoints = {{{"10.0.0.1", "10.0.0.2"}}, {{"10.0.0.3"}}};
  spec.ports = {{{"http", "TCP", 8080, "h2c"}, {"", std::nullopt, std::nullopt, std::nullopt}, {}}};
  spec.reference = {"m1",
                    "discovery.k8s.io/v1",
                    "EndpointSlice",
                    {"shop", "web-1"},
                    "shop/web-1",
                    "u-1",
                    "41",
                    3,
                    parse_rfc3339("2026-11-30T10:00:01Z")};
  spec.owner = {{"shop", "web"}, "shop/web"};
  return spec;
}

TEST(Encode, WritesTheWireForms) {
  const seconds_utc since = *parse_rfc3339("2026-11-30T10:00:01Z");
  EXPECT_EQ(
    encode_annotate({{"shop", "web-1"}, "u-1", "m1-shop-web-1-x", 3, since, false}),
    R"({"metadata":{"uid":"u-1","annotations":{"networking.fleet.azure.com/fleet-unique-name":"m1-shop-web-1-x",)"
    R"("networking.fleet.azure.com/last-seen-generation":"3","networking.fleet.azure.com/last-seen-timestamp":"2026-11-30T10:00:01Z"}}})");
  EXPECT_EQ(
    encode_clear({{"shop", "web-1"}, "u-1"}),
    R"({"metadata":{"uid":"u-1","annotations":{"networking.fleet.azure.com/fleet-unique-name":null,)"
    R"("networking.fleet.azure.com/last-seen-generation":null,"networking.fleet.azure.com/last-seen-timestamp":null}}})");
  EXPECT_EQ(encode_create({"fleet-member-m1", "x"}, sample_spec()),
            R"({"apiVersion":"networking.fleet.azure.com/v1alpha1","kind":"EndpointSliceExport",)"
            R"("metadata":{"name":"x","namespace":"fleet-member-m1"},"spec":{"addressType":"IPv4",)"
            R"("endpoints":[{"addresses":["10.0.0.1","10.0.0.2"]},{"addresses":["10.0.0.3"]}],)"
            R"("ports":[{"name":"http","protocol":"TCP","port":8080,"appProtocol":"h2c"},{"name":""},{}],)"
            R"("endpointSliceReference":{"clusterId":"m1","apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice",)"
            R"("namespace":"shop","name":"web-1","namespacedName":"shop/web-1","uid":"u-1","resourceVersion":"41",)"
            R"("generation":3,"exportedSince":"2026-11-30T10:00:01Z"},)"
            R"("ownerServiceReference":{"namespace":"shop","name":"web","namespacedName":"shop/web"}}})");
  EXPECT_EQ(
    encode_delete("h-1"),
    R"({"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"h-1"},"propagationPolicy":"Background"})");
}

TEST(Encode, AbsenceIsLeftOutOfCreatesAndNullInPatches) {
  slice_export_spec spec = sample_spec();
  spec.endpoints.clear();
  spec.ports.reset();
  spec.reference.exported_since.reset();
  const std::string reference =
    R"("endpointSliceReference":{"clusterId":"m1","apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice",)"
    R"("namespace":"shop","name":"web-1","namespacedName":"shop/web-1","uid":"u-1","resourceVersion":"41","generation":3)";
  const std::string owner =
    R"("ownerServiceReference":{"namespace":"shop","name":"web","namespacedName":"shop/web"}}})";
  EXPECT_EQ(
    encode_create({"n", "x"}, spec),
    R"({"apiVersion":"networking.fleet.azure.com/v1alpha1","kind":"EndpointSliceExport","metadata":{"name":"x","namespace":"n"},)"
    R"("spec":{"addressType":"IPv4","endpoints":[],)" +
      reference + "}," + owner);
  EXPECT_EQ(
    encode_change({"h-1", "77"}, spec),
    R"({"metadata":{"uid":"h-1","resourceVersion":"77"},"spec":{"addressType":"IPv4","endpoints":[],"ports":null,)" +
      reference + R"(,"exportedSince":null},)" + owner);
  spec.ports.emplace();
  EXPECT_NE(encode_change({"h-1", "77"}, spec).find(R"("ports":[])"), std::string::npos);
}

/// As a server would answer a create: the same, with the metadata that it adds.
std::string stored(const slice_export_spec& spec) {
  std::string body = encode_create({"n", "x"}, spec);
  const std::string metadata = R"("metadata":{)";
  return body.insert(body.find(metadata) + metadata.size(), R"("uid":"h-1","resourceVersion":"1",)");
}

TEST(Encode, WhatWasEncodedDecodesToTheSame) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 chance{seed};
  const auto pick = [&](int below) { return static_cast<int>(chance() % static_cast<unsigned>(below)); };
  const auto text = [&] {
    const char* const pieces[] = {"a", "\"", "\\", "\n", "\x01", "\x1f", "é", "😀", "/", "\x7f", "null"};
    std::string out;
    for (int i = pick(6); i > 0; --i)
      out += pieces[pick(11)];
    return out;
  };
  const auto maybe = [&]() -> std::optional<std::string> {
    return pick(2) == 0 ? std::nullopt : std::optional{text()};
  };
  for (int round = 0; round < 500; ++round) {
    slice_export_spec spec;
    spec.address_type = text();
    for (int i = pick(4); i > 0; --i)
      spec.endpoints.push_back({std::vector<std::string>(static_cast<std::size_t>(pick(3)), text())});
    if (pick(3) != 0)
      spec.ports.emplace();
    for (int i = spec.ports ? pick(4) : 0; i > 0; --i)
      spec.ports->push_back(
        {maybe(), maybe(), pick(2) == 0 ? std::nullopt : std::optional{static_cast<std::int32_t>(chance())}, maybe()});
    spec.reference = {
      text(), text(), text(), {text(), text()}, text(), text(), text(), static_cast<std::int64_t>(chance()) << 20, {}};
    if (pick(2) == 0)
      spec.reference.exported_since = seconds_utc{std::chrono::seconds{chance()}};
    spec.owner = {{text(), text()}, text()};
    const auto back = decode_object<slice_export>(stored(spec));
    ASSERT_TRUE(back) << back.error().text << '\n' << stored(spec);
    ASSERT_EQ(back->spec, spec) << stored(spec);
  }
}

TEST(Encode, IgnoresTheLocale) {
  const std::string before = encode_create({"n", "x"}, sample_spec());
  const std::string was = std::setlocale(LC_ALL, nullptr);
  for (const char* other : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
    if (std::setlocale(LC_ALL, other) == nullptr)
      continue;
    EXPECT_EQ(encode_create({"n", "x"}, sample_spec()), before) << other; // HT26
  }
  std::setlocale(LC_ALL, was.c_str());
}

TEST(Resource, Paths) {
  EXPECT_EQ(collection_path(endpoint_slices, ""), "/apis/discovery.k8s.io/v1/endpointslices");
  EXPECT_EQ(collection_path(service_exports, "shop"),
            "/apis/networking.fleet.azure.com/v1beta1/namespaces/shop/serviceexports");
  EXPECT_EQ(object_path(slice_exports, {"fleet-member-m1", "a.b-c"}),
            "/apis/networking.fleet.azure.com/v1alpha1/namespaces/fleet-member-m1/endpointsliceexports/a.b-c");
  EXPECT_EQ(object_path(slice_exports, {"a/b", "c?d"}),
            "/apis/networking.fleet.azure.com/v1alpha1/namespaces/a%2Fb/endpointsliceexports/c%3Fd");
  EXPECT_EQ(namespace_path("a/b"), "/api/v1/namespaces/a%2Fb");
  EXPECT_EQ(definition_path(service_exports), "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
                                              "serviceexports.networking.fleet.azure.com");
}

} // namespace
} // namespace sliceferry::k8s
