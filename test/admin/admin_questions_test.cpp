#include "actors/admin/admin_server.hpp"

#include "test/admin/raw_client.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;

std::string get(const std::string& path, const std::string& method = "GET") {
  return method + ' ' + path + " HTTP/1.1\r\nHost: test\r\n\r\n";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Keeps the questions that were put, for the test to answer when it likes.
class oracle {
public:
  admin_site site() {
    admin_site out;
    out.routes["/livez"] = [] { return admin_answer{.body = "ok\n"}; };
    out.questions["/explain/"] = [this](const asked_path& asked, admin_reply reply) {
      const std::lock_guard guard{lock_};
      open_.emplace_back(asked, std::move(reply));
      came_.notify_all();
    };
    return out;
  }

  /// The questions once there are so many; takes them all. Fewer after five seconds.
  std::vector<std::pair<asked_path, admin_reply>> take(std::size_t count = 1) {
    std::unique_lock guard{lock_};
    came_.wait_for(guard, 5s, [&] { return open_.size() >= count; });
    return std::exchange(open_, {});
  }

private:
  std::mutex lock_;
  std::condition_variable came_;
  std::vector<std::pair<asked_path, admin_reply>> open_;
};

TEST(AdminQuestions, AreAnsweredLaterAndHoldUpNobody) {
  oracle knows;
  admin_server server{knows.site()};
  ASSERT_EQ(server.listen("127.0.0.1:0"), std::nullopt);
  raw_client asks{server.port()};
  asks.send(get("/explain/shop/web%2d1?member=m%201&output=json"));
  const auto open = knows.take();
  ASSERT_EQ(open.size(), 1U);
  const asked_path expected{"/explain/shop/web-1", {{"member", "m 1"}, {"output", "json"}}};
  EXPECT_EQ(open[0].first, expected);
  raw_client other{server.port()};
  other.send(get("/livez"));
  EXPECT_TRUE(has(other.answer(), "ok\n")) << "the server's thread waits for no answer";
  open[0].second({.content_type = "application/json", .body = "{}\n"});
  open[0].second({.body = "the second answer doesn't count\n"});
  const auto answer = asks.answer();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
  EXPECT_TRUE(has(answer, "Content-Type: application/json\r\n")) << answer;
  EXPECT_TRUE(has(answer, "\r\n\r\n{}\n")) << answer;
  asks.send(get("/livez"));
  EXPECT_TRUE(has(asks.answer(), "\r\n\r\nok\n")) << "the connection is kept, and no answer comes twice";
}

TEST(AdminQuestions, OfHeadAreAnsweredWithTheLengthAlone) {
  oracle knows;
  admin_server server{knows.site()};
  ASSERT_EQ(server.listen("127.0.0.1:0"), std::nullopt);
  raw_client asks{server.port()};
  asks.send(get("/explain/a/b", "HEAD"));
  knows.take().at(0).second({.body = "four"});
  EXPECT_TRUE(has(asks.answer(false), "Content-Length: 4\r\n"));
  asks.send(get("/livez"));
  EXPECT_TRUE(asks.answer().starts_with("HTTP/1.1 200 ")) << "no body stands in between";
}

TEST(AdminQuestions, AreReadOnlyAndWellFormed) {
  oracle knows;
  admin_server server{knows.site()};
  ASSERT_EQ(server.listen("127.0.0.1:0"), std::nullopt);
  const struct {
    const char* name;
    std::string request;
    const char* part;
  } table[] = {
    {"a POST", get("/explain/a/b", "POST"), "HTTP/1.1 405 "},
    {"the folder without its slash", get("/explain", "POST"), "HTTP/1.1 405 "},
    {"what may be done", get("/explain/a/b", "DELETE"), "Allow: GET, HEAD\r\n"},
    {"half a percent code", get("/explain/a/%2"), "HTTP/1.1 400 "},
    {"no hex", get("/explain/%zz/b"), "HTTP/1.1 400 "},
    {"a control character", get("/explain/a/%0a"), "HTTP/1.1 400 "},
    {"one in the query", get("/explain/a/b?member=%00"), "HTTP/1.1 400 "},
    {"not under the prefix", get("/explained"), "HTTP/1.1 404 "},
  };
  for (const auto& [name, request, part] : table) {
    SCOPED_TRACE(name);
    raw_client client{server.port()};
    client.send(request);
    EXPECT_TRUE(has(client.answer(), part));
  }
}

TEST(AdminQuestions, EndInTimeWithoutAnAnswer) {
  oracle knows;
  admin_server server{knows.site(), {.patience = 20ms}};
  ASSERT_EQ(server.listen("127.0.0.1:0"), std::nullopt);
  raw_client asks{server.port()};
  asks.send(get("/explain/a/b"));
  const auto answer = asks.answer();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 504 ")) << answer;
  knows.take().at(0).second({.body = "too late\n"});
  asks.send(get("/livez"));
  EXPECT_TRUE(has(asks.answer(), "\r\n\r\nok\n"));
}

TEST(AdminQuestions, MayComeInNumbers) {
  oracle knows;
  admin_server server{knows.site()};
  ASSERT_EQ(server.listen("127.0.0.1:0"), std::nullopt);
  std::vector<std::unique_ptr<raw_client>> clients;
  for (int i = 0; i < 30; ++i) {
    clients.push_back(std::make_unique<raw_client>(server.port()));
    clients.back()->send(get("/explain/a/" + std::to_string(i)));
  }
  auto open = knows.take(30);
  ASSERT_EQ(open.size(), 30U);
  std::reverse(open.begin(), open.end());
  for (const auto& [asked, reply] : open)
    reply({.body = asked.path});
  for (int i = 0; i < 30; ++i)
    EXPECT_TRUE(clients[static_cast<std::size_t>(i)]->answer().ends_with("\r\n\r\n/explain/a/" + std::to_string(i)))
      << "each gets its own answer";
}

TEST(AdminQuestions, OutliveTheirAskerAndTheServer) {
  oracle knows;
  auto server = std::make_unique<admin_server>(knows.site(), admin_options{.connections_max = 2});
  ASSERT_EQ(server->listen("127.0.0.1:0"), std::nullopt);
  auto gone = std::make_unique<raw_client>(server->port());
  gone->send(get("/explain/a/gone"));
  auto open = knows.take();
  gone.reset();
  raw_client evicted{server->port()};
  evicted.send(get("/explain/a/evicted"));
  for (auto& each : knows.take())
    open.push_back(std::move(each));
  std::vector<std::unique_ptr<raw_client>> next; // take the places of both
  for (int i = 0; i < 2; ++i) {
    next.push_back(std::make_unique<raw_client>(server->port()));
    next.back()->send(get("/livez"));
    EXPECT_TRUE(has(next.back()->answer(), "ok\n"));
  }
  EXPECT_TRUE(evicted.closed());
  ASSERT_EQ(open.size(), 2U);
  for (const auto& each : open)
    each.second({.body = "nobody hears this\n"});
  raw_client last{server->port()};
  last.send(get("/explain/a/last"));
  const auto late = knows.take();
  ASSERT_EQ(late.size(), 1U);
  server.reset();
  late[0].second({.body = "there is no server any more\n"});
}

} // namespace
} // namespace sliceferry
