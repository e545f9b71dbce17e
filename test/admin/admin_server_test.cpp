#include "actors/admin/admin_server.hpp"

#include "test/admin/raw_client.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;

admin_routes pages() {
  admin_routes out;
  out["/livez"] = [] { return admin_answer{.body = "ok\n"}; };
  out["/down"] = [] { return admin_answer{503, "text/x-test", "not yet\n"}; };
  out["/large"] = [] { return admin_answer{.body = std::string(3'000'000, 'x')}; };
  return out;
}

std::string get(const std::string& path, const std::string& method = "GET") {
  return method + ' ' + path + " HTTP/1.1\r\nHost: test\r\n\r\n";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(AdminServer, TakesOrdersFromItsOwnCommandAlone) {
  int given = 0;
  admin_orders orders;
  orders["/allow"] = [&] {
    ++given;
    return admin_answer{.body = "as you say\n"};
  };
  admin_server server{pages(), {}, orders};
  ASSERT_EQ(server.listen("127.0.0.1:0"), std::nullopt);
  const std::string mark = std::string(order_header) + ": yes\r\n";
  struct row {
    const char* name;
    std::string request;
    const char* part;
    int given;
  };
  const row table[] = {
    {"a page isn't posted to", "POST /livez HTTP/1.1\r\nHost: test\r\n" + mark + "\r\n", "HTTP/1.1 405 ", 0},
    {"an order isn't read", get("/allow"), "Allow: POST\r\n", 0},
    {"without the header it may come from any page", "POST /allow HTTP/1.1\r\nHost: test\r\n\r\n", "HTTP/1.1 403 ", 0},
    {"with it", "POST /allow HTTP/1.1\r\nHost: test\r\n" + mark + "\r\n", "as you say\n", 1},
    {"the empty body of a client is none",
     "POST /allow HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n" + mark + "\r\n", "as you say\n", 2},
  };
  raw_client kept{server.port()};
  for (const auto& [name, request, part, expected] : table) {
    SCOPED_TRACE(name);
    kept.send(request);
    const auto answer = kept.answer();
    EXPECT_TRUE(has(answer, part)) << answer;
    EXPECT_EQ(given, expected);
  }
}

TEST(AdminServer, AnswersEachRequestAsHttpWantsIt) {
  admin_server server{pages()};
  ASSERT_EQ(server.listen("127.0.0.1:0"), std::nullopt);
  struct row {
    const char* name;
    std::string request;
    std::vector<std::string> parts;
    bool has_body = true;
  };
  const row table[] = {
    {"a page", get("/livez"), {"HTTP/1.1 200 OK\r\n", "Content-Length: 3\r\n", "text/plain", "\r\n\r\nok\n"}},
    {"a query is not looked at", get("/livez?verbose"), {"HTTP/1.1 200 OK\r\n", "\r\n\r\nok\n"}},
    {"status, type and body are the page's",
     get("/down"),
     {"HTTP/1.1 503 ", "Content-Type: text/x-test\r\n", "\r\n\r\nnot yet\n"}},
    {"HEAD tells the length of what GET would carry",
     get("/livez", "HEAD"),
     {"HTTP/1.1 200 OK\r\n", "Content-Length: 3\r\n"},
     false},
    {"unknown path", get("/nowhere"), {"HTTP/1.1 404 Not Found\r\n"}},
    {"a prefix is not a path", get("/livez/"), {"HTTP/1.1 404 Not Found\r\n"}},
    {"unknown method", get("/livez", "POST"), {"HTTP/1.1 405 ", "Allow: GET, HEAD\r\n"}},
    {"method of no standard", get("/livez", "BREW"), {"HTTP/1.1 405 "}},
    {"nothing is cached or sniffed",
     get("/livez"),
     {"Cache-Control: no-store\r\n", "X-Content-Type-Options: nosniff\r\n"}},
  };
  raw_client kept{server.port()};
  for (const auto& [name, request, parts, has_body] : table) {
    SCOPED_TRACE(name);
    raw_client fresh{server.port()};
    for (raw_client* client : {&fresh, &kept}) { // keep-alive answers the same
      client->send(request);
      const std::string answer = client->answer(has_body);
      for (const auto& part : parts)
        EXPECT_TRUE(has(answer, part)) << part << " in\n" << answer;
    }
  }
}

TEST(AdminServer, RefusesWhatItCannotTrust) {
  admin_server server{pages()};
  ASSERT_EQ(server.listen("127.0.0.1:0"), std::nullopt);
  struct row {
    const char* name;
    std::string request;
    const char* status;
  };
  const row table[] = {
    {"no HTTP", "hello\r\n\r\n", "HTTP/1.1 400 "},
    {"header too large", "GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n", "HTTP/1.1 431 "},
    {"header without an end", "GET / HTTP/1.1\r\nX: " + std::string(60'000, 'x'), "HTTP/1.1 431 "},
    {"a body", "GET /livez HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 413 "},
    {"a body in chunks", "GET /livez HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
     "HTTP/1.1 413 "},
  };
  for (const auto& [name, request, status] : table) {
    SCOPED_TRACE(name);
    raw_client client{server.port()};
    client.send(request);
    const std::string answer = client.answer();
    EXPECT_TRUE(answer.starts_with(status)) << answer;
    EXPECT_TRUE(has(answer, "Connection: close\r\n")) << answer;
    EXPECT_TRUE(client.closed());
  }
}

TEST(AdminServer, KeepsOrClosesTheConnectionAsAsked) {
  admin_server server{pages()};
  ASSERT_EQ(server.listen("127.0.0.1:0"), std::nullopt);
  raw_client pipelined{server.port()};
  pipelined.send(get("/livez") + get("/down") + get("/livez"));
  EXPECT_TRUE(has(pipelined.answer(), "ok\n"));
  EXPECT_TRUE(has(pipelined.answer(), "not yet\n"));
  EXPECT_TRUE(has(pipelined.answer(), "ok\n"));
  for (const char* request : {"GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n", "GET /livez HTTP/1.0\r\n\r\n"}) {
    SCOPED_TRACE(request);
    raw_client client{server.port()};
    client.send(request);
    EXPECT_TRUE(has(client.answer(), "ok\n"));
    EXPECT_TRUE(client.closed());
  }
}

TEST(AdminServer, SendsALargePageWhole) {
  admin_server server{pages()};
  ASSERT_EQ(server.listen("localhost:0"), std::nullopt);
  raw_client client{server.port()};
  client.send(get("/large"));
  EXPECT_GT(client.answer().size(), 3'000'000U);
}

TEST(AdminServer, DropsSilentPeers) {
  admin_server server{pages(), {.idle = 50ms}};
  ASSERT_EQ(server.listen("127.0.0.1:0"), std::nullopt);
  raw_client silent{server.port()};
  EXPECT_TRUE(silent.closed());
  raw_client slow{server.port()};
  slow.send("GET /livez HTTP/1.1\r\nX-Slow");
  EXPECT_TRUE(slow.closed());
}

TEST(AdminServer, LetsTheLongestSilentPeerMakeWay) {
  admin_server server{pages(), {.connections_max = 3}};
  ASSERT_EQ(server.listen("127.0.0.1:0"), std::nullopt);
  std::vector<std::unique_ptr<raw_client>> peers;
  const auto ask = [](raw_client& client) {
    client.send(get("/livez"));
    return has(client.answer(), "ok\n");
  };
  for (int i = 0; i < 3; ++i) {
    peers.push_back(std::make_unique<raw_client>(server.port()));
    ASSERT_TRUE(ask(*peers.back()));
  }
  ASSERT_TRUE(ask(*peers[0])); // now the second one is the silent one
  raw_client fourth{server.port()};
  EXPECT_TRUE(ask(fourth));
  EXPECT_TRUE(peers[1]->closed());
  EXPECT_TRUE(ask(*peers[0]));
  EXPECT_TRUE(ask(*peers[2]));
}

TEST(AdminServer, SaysInOneSentenceWhyItCannotListen) {
  admin_server first{pages()};
  ASSERT_EQ(first.listen("127.0.0.1:0"), std::nullopt);
  const std::string taken = "127.0.0.1:" + std::to_string(first.port());
  admin_server second{pages()};
  EXPECT_EQ(second.listen(taken), "listen on " + taken + ": address already in use");
  EXPECT_EQ(second.port(), 0);
  for (const char* address : {"", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "::1:0",
                              "example.test:80", "127.0.0.1:80 "}) {
    SCOPED_TRACE(address);
    admin_server server{pages()};
    EXPECT_EQ(server.listen(address),
              "listen on " + std::string{address} + ": not an address and a port such as 127.0.0.1:8080");
  }
}

TEST(AdminServer, StopsCleanlyWithPeersConnected) {
  admin_server server{pages()};
  server.stop(); // before it began
  ASSERT_EQ(server.listen("127.0.0.1:0"), std::nullopt);
  raw_client idle{server.port()};
  raw_client half{server.port()};
  half.send("GET /li");
  raw_client large{server.port()};
  large.send(get("/large")); // not read: the answer is stuck half-way
  raw_client asked{server.port()};
  asked.send(get("/livez"));
  EXPECT_TRUE(has(asked.answer(), "ok\n"));
  server.stop();
  server.stop();
}

} // namespace
} // namespace sliceferry
