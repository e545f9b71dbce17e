#include "test/k8s/loopback_server.hpp"
#include "test/storm/stage/user_driver.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <map>

namespace sliceferry::storm {
namespace {

/// A server that notes the requests' first lines and answers by a script: the n-th request of a path with the n-th
/// status, at last with 200. Status 0 closes the connection without an answer.
class scripted_server {
public:
  explicit scripted_server(std::map<std::string, std::vector<int>> answers)
    : answers_{std::move(answers)}, server_{[this](k8s::test::peer& client, int) { serve(client); }} {}

  std::map<std::string, k8s::cluster_access> access() const {
    k8s::cluster_access out;
    out.server = server_.url();
    return {{"member-1", out}};
  }

  /// The requests so far, once there are as many.
  std::vector<std::string> wait_for(std::size_t count) {
    std::unique_lock lock{mutex_};
    more_.wait_for(lock, std::chrono::seconds{20}, [&] { return seen_.size() >= count; });
    return seen_;
  }

private:
  void serve(k8s::test::peer& client) {
    for (std::string text = client.request(); !text.empty(); text = client.request()) {
      const int status = note(text.substr(0, text.find(" HTTP/")));
      if (status == 0)
        return client.cut();
      client.answer("{}", status);
    }
  }

  int note(const std::string& line) {
    const std::scoped_lock lock{mutex_};
    seen_.push_back(line);
    more_.notify_all();
    auto& left = answers_[line.substr(line.find(' ') + 1)];
    if (left.empty())
      return 200;
    const int status = left.front();
    left.erase(left.begin());
    return status;
  }

  std::mutex mutex_;
  std::condition_variable more_;
  std::map<std::string, std::vector<int>> answers_;
  std::vector<std::string> seen_;
  k8s::test::loopback_server server_;
};

user_request make(const char* method, const char* target, const char* lane = "a") {
  return {"member-1", lane, method, target, "application/json", "{}"};
}

/// Submits all, then a last request in the same lane whose arrival shows that the others are done.
struct outcome {
  std::vector<std::string> seen;
  user_driver::figures figures;
};
outcome drive(std::map<std::string, std::vector<int>> answers, const std::vector<user_request>& requests,
              std::size_t arrivals) {
  scripted_server server{std::move(answers)};
  k8s::io_loop loop;
  user_driver driver{loop, server.access()};
  for (const auto& each : requests)
    driver.submit(each);
  driver.submit(make("PATCH", "/last"));
  return {server.wait_for(arrivals + 1), driver.now()};
}

TEST(UserDriver, KeepsTheOrderOfALane) {
  const auto end = drive({}, {make("POST", "/1"), make("PATCH", "/2"), make("DELETE", "/3"), make("PUT", "/4")}, 4);
  EXPECT_EQ(end.seen, (std::vector<std::string>{"POST /1", "PATCH /2", "DELETE /3", "PUT /4", "PATCH /last"}));
  EXPECT_EQ(end.figures.refused, 0U);
}

TEST(UserDriver, RepeatsWhatAServerCouldNotDoYet) {
  struct row {
    const char* name;
    const char* method;
    std::vector<int> answers;
    std::size_t arrivals;
    std::uint64_t refused;
  };
  const row table[] = {
    {"overloaded", "PATCH", {429, 503, 500}, 4, 0},
    {"no answer", "PATCH", {0}, 2, 0},
    {"created, and the answer lost", "POST", {0, 409}, 2, 0},
    {"deleted, and the answer lost", "DELETE", {0, 404}, 2, 0},
    {"it was there before", "POST", {409}, 1, 1},
    {"it isn't there", "DELETE", {404}, 1, 1},
    {"invalid", "PATCH", {422}, 1, 1},
  };
  for (const auto& [name, method, answers, arrivals, refused] : table) {
    SCOPED_TRACE(name);
    const auto end = drive({{"/x", answers}}, {make(method, "/x")}, arrivals);
    EXPECT_EQ(end.seen.size(), arrivals + 1);
    EXPECT_EQ(end.figures.refused, refused);
    EXPECT_EQ(end.figures.repeated, arrivals - 1);
  }
}

user_request upon(export_deed what, const char* lane) {
  user_request out;
  out.cluster = "hub";
  out.lane = lane;
  out.upon = export_wish{what, "m", "shop", lane, 1};
  return out;
}

TEST(UserDriver, AsksWhatAWishMeansWhenItsTurnComes) {
  const std::string path =
    "/apis/networking.fleet.azure.com/v1alpha1/namespaces/fleet-member-m/endpointsliceexports/n1";
  scripted_server server{{{path, {404, 404, 404, 404}}}};
  k8s::io_loop loop;
  const auto access = server.access().at("member-1");
  const auto seen = [](const export_wish& wish) -> std::string {
    if (wish.slice != "a")
      return {};
    return R"({"metadata":{"name":"n1","uid":"u"},"spec":{"endpointSliceReference":{}}})";
  };
  user_driver driver{loop, {{"hub", access}, {"member-1", access}}, seen};
  driver.submit(upon(export_deed::hold, "gone"));
  driver.submit(upon(export_deed::remove, "a"));
  driver.submit(upon(export_deed::hold, "a"));
  EXPECT_EQ(server.wait_for(4),
            (std::vector<std::string>{"DELETE " + path, "PATCH " + path, "DELETE " + path, "PATCH " + path}));
  driver.submit({"hub", "a", "PATCH", "/last", "application/json", "{}"});
  server.wait_for(5);
  EXPECT_EQ(driver.now().refused, 0U) << "they may fail";
  EXPECT_GE(driver.now().done, 5U) << "one had nothing to do";
}

TEST(UserDriver, DoesNotLetALaneWaitForAnother) {
  scripted_server server{{{"/down", std::vector<int>(1'000, 503)}}};
  k8s::io_loop loop;
  user_driver driver{loop, server.access()};
  driver.submit(make("PATCH", "/down", "a"));
  server.wait_for(1);
  driver.submit(make("PATCH", "/up", "b"));
  const auto seen = server.wait_for(3);
  EXPECT_NE(std::find(seen.begin(), seen.end(), "PATCH /up"), seen.end());
}

} // namespace
} // namespace sliceferry::storm
