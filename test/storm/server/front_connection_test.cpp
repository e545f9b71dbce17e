#include "test/storm/server/front_connection.hpp"

#include "test/storm/server/front_test_rig.hpp"

namespace sliceferry::storm {
namespace {

using ending = front_test_client::ending;

TEST(FrontConnection, IsKeptBetweenRequests) {
  const front_test_rig rig;
  front_test_client client{rig.member()};
  EXPECT_EQ(client.call("POST", rig.slices, rig.new_slice("web-1")).status, 201);
  EXPECT_EQ(client.call("GET", rig.slice).status, 200);
  EXPECT_EQ(client.call("GET", std::string{rig.slices} + "/none").status, 404);
  EXPECT_EQ(client.call("GET", rig.slice, {}, "stranger").status, 401);
}

TEST(FrontConnection, AnswersRequestsThatCameTogetherInTheirOrder) {
  const front_test_rig rig;
  constexpr int count = 200;
  rig.make_slice("web-1");
  std::string all;
  for (int i = 0; i < count; ++i)
    all += front_test_client::request("PATCH", rig.slice, rig.annotation("v" + std::to_string(i)));
  front_test_client client{rig.member()};
  client.send(all);
  for (int i = 0; i < count; ++i) {
    const auto answer = client.read_answer();
    ASSERT_EQ(answer.status, 200);
    ASSERT_NE(answer.body.find("\"v" + std::to_string(i) + "\""), std::string::npos) << answer.body;
  }
  EXPECT_EQ(client.unread(), "");
}

TEST(FrontConnection, TakesBodiesInChunks) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  front_test_client client{rig.member()};
  const std::string body = rig.annotation("chunked");
  client.send(std::string{"PATCH "} + rig.slice +
              " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer storm-token\r\n"
              "Content-Type: application/merge-patch+json\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (const char each : body) // each in a packet of its own, or nearly
    client.send(std::string{"1\r\n"} + each + "\r\n");
  client.send("0\r\n\r\n");
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.status, 200);
  EXPECT_NE(answer.body.find("\"chunked\""), std::string::npos);
}

TEST(FrontConnection, EndsWhenThePeerWantsNoMore) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  front_test_client client{rig.member()};
  client.send(std::string{"GET "} + rig.slice +
              " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer storm-token\r\nConnection: close\r\n\r\n" +
              front_test_client::request("GET", rig.slice));
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.status, 200);
  EXPECT_NE(answer.head.find("Connection: close"), std::string::npos);
  EXPECT_EQ(client.read_end(), ending::closed);
  EXPECT_EQ(client.unread(), "");
}

TEST(FrontConnection, RefusesWhatItCannotRead) {
  const front_test_rig rig;
  struct row {
    const char* name;
    std::string sent;
    int status;
  };
  const row table[] = {
    {"no HTTP", "hello\r\n\r\n", 400},
    {"a head without end", "GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x'), 431},
    {"a body beyond all measure", "POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 413},
  };
  for (const auto& [name, sent, status] : table) {
    SCOPED_TRACE(name);
    front_test_client client{rig.member()};
    client.send(sent);
    EXPECT_EQ(client.read_answer().status, status);
    EXPECT_EQ(client.read_end(), ending::closed);
  }
}

TEST(FrontConnection, StreamsWhatOthersWrite) {
  const front_test_rig rig;
  front_test_client watcher{rig.member()};
  rig.watch(watcher);
  constexpr int count = 300;
  for (int i = 0; i < count; ++i)
    ASSERT_EQ(rig.make_slice("web-" + std::to_string(i)).status, 201);
  for (int i = 0; i < count; ++i) {
    const std::string line = watcher.read_chunk();
    ASSERT_TRUE(line.starts_with(R"({"type":"ADDED")")) << line;
    ASSERT_NE(line.find("\"web-" + std::to_string(i) + "\""), std::string::npos) << line;
    ASSERT_TRUE(line.ends_with("}\n")) << line;
  }
}

TEST(FrontConnection, ServesOnBehindAWatchThatTheServerEnded) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  front_test_client client{rig.member()};
  rig.watch(client);
  // Waits in the server until the stream is over.
  client.ask("GET", rig.slice);
  EXPECT_EQ(rig.tell("POST", "/clusters/m1/end_watches").status, 200);
  std::string line = client.read_chunk();
  while (!line.empty())
    line = client.read_chunk();
  EXPECT_EQ(client.read_answer().status, 200);
}

TEST(FrontConnection, ForgetsTheWatchOfAPeerThatLeft) {
  const front_test_rig rig;
  const auto watches = [&] {
    return boost::json::parse(rig.tell("GET", "/stats").body).at("watches").to_number<int>();
  };
  {
    front_test_client watcher{rig.member()};
    rig.watch(watcher);
    EXPECT_EQ(watches(), 1);
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (watches() != 0 && std::chrono::steady_clock::now() < deadline) {
  }
  EXPECT_EQ(watches(), 0);
  EXPECT_EQ(rig.make_slice("web-1").status, 201);
}

} // namespace
} // namespace sliceferry::storm
