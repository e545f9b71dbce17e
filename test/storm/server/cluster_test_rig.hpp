#pragma once
#include "test/storm/server/cluster.hpp"
#include "test/storm/server/json_text.hpp"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include <string>
#include <vector>

namespace sliceferry::storm {

/// A cluster without sockets, its history, and short ways to ask it.
class cluster_test_rig {
public:
  static constexpr std::string_view slices = "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices";
  static constexpr std::string_view all_slices = "/apis/discovery.k8s.io/v1/endpointslices";
  static constexpr std::string_view exports =
    "/apis/networking.fleet.azure.com/v1alpha1/namespaces/shop/endpointsliceexports";
  static constexpr std::string_view consents =
    "/apis/networking.fleet.azure.com/v1beta1/namespaces/shop/serviceexports";
  static constexpr std::string_view leases = "/apis/coordination.k8s.io/v1/namespaces/shop/leases";
  static constexpr std::string_view spaces = "/api/v1/namespaces";
  static constexpr std::string_view definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  static constexpr std::string_view merge = "application/merge-patch+json";

  struct reply {
    unsigned status = 0;
    std::string text;
    boost::json::value json;

    /// The text or number at a path of member names, such as `metadata.uid`; `null` where there is none.
    std::string at(std::string_view path) const {
      const boost::json::value* found = &json;
      while (found && !path.empty()) {
        const auto dot = path.find('.');
        found = find(found, path.substr(0, dot));
        path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
      }
      if (!found)
        return "null";
      return found->is_string() ? std::string{view(found->get_string())} : to_text(*found);
    }
    std::string reason() const { return at("reason"); }
    std::string version() const { return at("metadata.resourceVersion"); }
    std::string uid() const { return at("metadata.uid"); }
    std::string generation() const { return at("metadata.generation"); }
  };

  /// A watch and the lines that it got.
  struct watched {
    std::vector<std::string> lines;
    bool ended = false;
    std::uint64_t id = 0;

    /// Each event as `ADDED name version`; bookmarks without a name.
    std::vector<std::string> events() const {
      std::vector<std::string> out;
      for (const auto& line : lines) {
        EXPECT_TRUE(line.ends_with("}\n")) << line;
        const reply read{0, line, boost::json::parse(line)};
        std::string one = read.at("type") + " ";
        const std::string name = read.at("object.metadata.name");
        one += name == "null" ? "" : name + " ";
        out.push_back(
          one + (read.at("type") == "ERROR" ? read.at("object.code") : read.at("object.metadata.resourceVersion")));
      }
      return out;
    }
  };

  explicit cluster_test_rig(cluster_options options = {"member", false, 1, 1000})
    : server(std::move(options), [this](history_entry entry) { history.push_back(std::move(entry)); }) {}

  reply call(std::string_view method, std::string_view target, std::string_view body = {},
             std::string_view type = "application/json", std::string_view user = "tester") {
    now += std::chrono::milliseconds{1};
    const api_answer answer = server.handle({method, target, type, body, user}, now);
    reply out{answer.status, *answer.body, {}};
    if (answer.content_type == "application/json")
      out.json = boost::json::parse(out.text);
    return out;
  }
  reply patch(const std::string& target, std::string_view body) { return call("PATCH", target, body, merge); }
  reply get(const std::string& target) { return call("GET", target); }

  std::variant<std::uint64_t, api_answer> try_watch(const std::string& target, watched& into) {
    return server.watch(
      {"GET", target, {}, {}, "tester"}, now,
      {[&into](const shared_text& line) { into.lines.push_back(*line); }, [&into] { into.ended = true; }});
  }
  void watch(const std::string& target, watched& into) {
    const auto made = try_watch(target, into);
    ASSERT_TRUE(std::holds_alternative<std::uint64_t>(made)) << target;
    into.id = std::get<std::uint64_t>(made);
    EXPECT_TRUE(into.lines.empty()) << "nothing before begin";
    server.begin(into.id);
  }
  void pass(std::chrono::milliseconds time) {
    now += time;
    server.tick(now);
  }

  void make_space(const std::string& name = "shop") {
    ASSERT_EQ(
      call("POST", spaces, R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":")" + name + "\"}}").status,
      201U);
  }
  /// A slice of two endpoints and a port, with further members of metadata.
  static std::string slice(const std::string& name, const std::string& meta = {}) {
    return R"({"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{"name":")" + name + "\"" + meta +
           R"(},"addressType":"IPv4","endpoints":[{"addresses":["10.0.0.1"]}],"ports":[{"port":80}]})";
  }
  static std::string reference() {
    return R"("endpointSliceReference":{"clusterId":"m","kind":"EndpointSlice","namespace":"shop","name":"a",)"
           R"("namespacedName":"shop/a","uid":"u","resourceVersion":"5","generation":1},)"
           R"("ownerServiceReference":{"namespace":"shop","name":"web","namespacedName":"shop/web"})";
  }
  /// An export whose spec has these members beside the references.
  static std::string slice_export(const std::string& name, const std::string& meta = {},
                                  const std::string& spec = R"("addressType":"IPv4","endpoints":[],)") {
    return R"({"apiVersion":"networking.fleet.azure.com/v1alpha1","kind":"EndpointSliceExport","metadata":{"name":")" +
           name + "\"" + meta + R"(},"spec":{)" + spec + reference() + "}}";
  }
  static std::string consent(const std::string& name) {
    return R"({"apiVersion":"networking.fleet.azure.com/v1beta1","kind":"ServiceExport","metadata":{"name":")" + name +
           "\"}}";
  }
  static std::string path(std::string_view collection, const std::string& name) {
    return std::string{collection} + "/" + name;
  }

  std::vector<history_entry> history;
  instant now{std::chrono::seconds{1'800'000'000}};
  cluster server;
};

} // namespace sliceferry::storm
