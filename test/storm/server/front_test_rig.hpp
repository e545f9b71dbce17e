#pragma once
#include "test/storm/history/entry.hpp"
#include "test/storm/server/front_test_client.hpp"
#include "test/storm/server/serve_fleet.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <thread>
#include <vector>

namespace sliceferry::storm {

/// A hub and one member that serve while the rig lives, with a namespace `shop` in either.
class front_test_rig {
public:
  using answer = front_test_client::answer;

  static constexpr const char* slices = "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices";
  static constexpr const char* slice = "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices/web-1";
  static constexpr const char* exports =
    "/apis/networking.fleet.azure.com/v1alpha1/namespaces/shop/endpointsliceexports";
  static constexpr const char* watch_slices =
    "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices?watch=true&resourceVersion=";

  front_test_rig() : history_{testing::TempDir() + "front_history_" + unique()}, fleet_{options()} {
    const auto urls = boost::json::parse(fleet_.addresses()).as_object();
    const auto port = [](const boost::json::value& url) {
      const std::string text{url.as_string()};
      return static_cast<std::uint16_t>(std::stoul(text.substr(text.rfind(':') + 1)));
    };
    control_ = port(urls.at("control"));
    hub_ = port(urls.at("clusters").at("hub"));
    member_ = port(urls.at("clusters").at("m1"));
    thread_ = std::thread{[this] { fleet_.run(); }};
    for (const auto each : {hub_, member_})
      EXPECT_EQ(front_test_client{each}
                  .call("POST", "/api/v1/namespaces",
                        R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop"}})", "storm")
                  .status,
                201);
  }
  ~front_test_rig() {
    stop();
    std::remove(history_.c_str());
  }
  front_test_rig(const front_test_rig&) = delete;
  front_test_rig& operator=(const front_test_rig&) = delete;

  std::uint16_t control() const { return control_; }
  std::uint16_t hub() const { return hub_; }
  std::uint16_t member() const { return member_; }

  static std::string new_slice(const std::string& name) {
    return R"({"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{"name":")" + name +
           R"(","namespace":"shop"},"addressType":"IPv4","endpoints":[{"addresses":["10.0.0.1"]}],"ports":[]})";
  }
  static std::string annotation(const std::string& value) {
    return R"({"metadata":{"annotations":{"test/value":")" + value + "\"}}}";
  }
  answer make_slice(const std::string& name) const {
    return front_test_client{member_}.call("POST", slices, new_slice(name), "storm");
  }

  /// A watch of the slices that has begun.
  void watch(front_test_client& by, const std::string& user = "sliceferry") const {
    by.ask("GET", watch_slices, {}, user);
    EXPECT_EQ(by.read_head().substr(0, 15), "HTTP/1.1 200 OK");
  }

  answer tell(const std::string& method, const std::string& target, const std::string& body = {}) const {
    return front_test_client{control_}.call(method, target, body);
  }
  void fault(const std::string& kind, const std::string& more = R"("lasts_ms":60000)",
             const std::string& cluster = "m1") const {
    const std::string body = R"({"kind":")" + kind + R"(","cluster":")" + cluster + R"(",)" + more + "}";
    EXPECT_EQ(tell("POST", "/faults", body).status, 200) << body;
  }
  void clear() const { EXPECT_EQ(tell("DELETE", "/faults").status, 200); }

  void stop() {
    if (!thread_.joinable())
      return;
    fleet_.stop();
    thread_.join();
  }

  /// What was written until all of it has the condition; waits for the writer.
  template <class Enough>
  std::vector<history_entry> history_until(Enough enough) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{20};
    std::vector<history_entry> out;
    while (!enough(out) && std::chrono::steady_clock::now() < deadline) {
      out.clear();
      std::ifstream in{history_};
      for (std::string line; std::getline(in, line);)
        if (auto entry = parse_history_line(line))
          out.push_back(std::move(*entry));
      std::this_thread::yield();
    }
    EXPECT_TRUE(enough(out));
    return out;
  }

private:
  static std::string unique() {
    static std::atomic<int> count{0};
    return std::to_string(getpid()) + "_" + std::to_string(++count);
  }

  serve_options options() const {
    serve_options out;
    out.members = {"m1"};
    out.history = history_;
    out.clock = [] { return std::chrono::duration_cast<instant>(std::chrono::steady_clock::now().time_since_epoch()); };
    return out;
  }

  std::string history_;
  serve_fleet fleet_;
  std::uint16_t control_ = 0;
  std::uint16_t hub_ = 0;
  std::uint16_t member_ = 0;
  std::thread thread_;
};

} // namespace sliceferry::storm
