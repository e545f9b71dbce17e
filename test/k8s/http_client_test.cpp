#include "k8s/http_client.hpp"

#include "test/k8s/client_fixture.hpp"

#include <algorithm>
#include <atomic>
#include <set>

namespace sliceferry::k8s::test {

namespace {

void answer_all(peer& client, int) {
  for (auto asked = client.request(); !asked.empty(); asked = client.request())
    client.answer("ok");
}

TEST(HttpClient, SendsWhatWasAskedOverOneConnection) {
  std::vector<std::string> seen;
  loopback_server server{[&](peer& client, int) {
    for (auto asked = client.request(); !asked.empty(); asked = client.request()) {
      seen.push_back(asked);
      client.answer("ok");
    }
  }};
  io_loop loop;
  auto access = access_to(server.url() + "/prefix/");
  access.token = "s3cret";
  access.headers = {{"X-Fleet", "blue"}};
  {
    http_client client{loop, access};
    EXPECT_EQ(text_of(ask(client, get("/api?limit=1"))), "200 ok");
    EXPECT_EQ(text_of(ask(client, post("{\"a\":1}"))), "200 ok");
    EXPECT_EQ(text_of(ask(client, {http_method::del, "/x", {}, {}})), "200 ok");
  }
  EXPECT_EQ(server.accepted(), 1);
  const auto host = "Host: 127.0.0.1:" + std::to_string(server.port());
  const auto common = "\r\n" + host +
                      "\r\nUser-Agent: sliceferry\r\nAccept: application/json\r\nAuthorization: Bearer s3cret\r\n"
                      "X-Fleet: blue\r\n";
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[0], "GET /prefix/api?limit=1 HTTP/1.1" + common + "\r\n");
  EXPECT_EQ(seen[1], "POST /prefix/x HTTP/1.1" + common +
                       "Content-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":1}");
  EXPECT_EQ(seen[2], "DELETE /prefix/x HTTP/1.1" + common + "Content-Length: 0\r\n\r\n");
}

TEST(HttpClient, ReadsEveryFormOfAnswer) {
  const std::string json = R"({"kind":"Status"})";
  struct row {
    const char* name;
    std::string sent;
    bool ends;
    std::string then;
  };
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  const row table[] = {
    {"full length", ok + "Content-Length: 5\r\n\r\nhello", false, "200 hello"},
    {"HT29 204 without a body", "HTTP/1.1 204 No Content\r\n\r\n", false, "204 "},
    {"HT29 interim answers are passed over",
     "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: a\r\n\r\n" + ok + "Content-Length: 1\r\n\r\nx", false,
     "200 x"},
    {"chunks", ok + "Transfer-Encoding: chunked\r\n\r\n" + chunk("he") + chunk("l") + chunk("lo") + "0\r\n\r\n", false,
     "200 hello"},
    {"HT29 chunk extension and trailer",
     ok + "Transfer-Encoding: chunked\r\n\r\n2;a=b\r\nhe\r\n0\r\nContent-Encoding: gzip\r\n\r\n", false, "200 he"},
    {"HT28 HTML of a proxy", "HTTP/1.1 502 Bad\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>", false,
     "502 <html>"},
    {"a body that ends with the connection", "HTTP/1.0 200 OK\r\n\r\nhello", true, "200 hello"},
    {"the server says close", ok + "Connection: close\r\nContent-Length: 2\r\n\r\nhi", true, "200 hi"},
    {"status of a conflict", "HTTP/1.1 409 Conflict\r\nContent-Length: 17\r\n\r\n" + json, false, "409 " + json},
    {"HT15 a redirect is an answer", "HTTP/1.1 302 Found\r\nLocation: http://x/\r\nContent-Length: 0\r\n\r\n", false,
     "302 "},
    {"identity is no encoding", ok + "Content-Encoding: identity\r\nContent-Length: 2\r\n\r\nhi", false, "200 hi"},
    {"a large header", ok + "X-Big: " + std::string(20'000, 'b') + "\r\nContent-Length: 2\r\n\r\nhi", false, "200 hi"},
  };
  for (const auto& [name, sent, ends, then] : table)
    for (const bool in_bytes : {false, true}) {
      SCOPED_TRACE(name + std::string{in_bytes ? ", byte by byte" : ""});
      loopback_server server{[&](peer& client, int) {
        if (client.request().empty())
          return;
        if (in_bytes)
          for (const char c : sent)
            client.send(std::string{c});
        else
          client.send(sent);
        if (ends)
          client.farewell();
        client.wait_for_close();
      }};
      io_loop loop;
      http_client client{loop, access_to(server.url())};
      EXPECT_EQ(text_of(ask(client, get())), then);
    }
}

TEST(HttpClient, ReadsRetryAfterAsWholeSecondsOnly) {
  struct row {
    const char* name;
    const char* sent;
    std::optional<std::chrono::seconds> then;
  };
  const row table[] = {
    {"seconds", "7", 7s},
    {"HT13 clamped", "86400", 60s},
    {"HT13 beyond any number", "99999999999999999999999", 60s},
    {"HT13 a date", "Fri, 31 Dec 1999 23:59:59 GMT", std::nullopt},
    {"HT13 negative", "-1", std::nullopt},
    {"HT13 a fraction", "1.5", std::nullopt},
    {"zero", "0", 0s},
  };
  for (const auto& [name, sent, then] : table) {
    SCOPED_TRACE(name);
    loopback_server server{[&, text = sent](peer& client, int) {
      client.request();
      client.send(std::string{"HTTP/1.1 429 Slow\r\nRetry-After: "} + text + "\r\nContent-Length: 0\r\n\r\n");
      client.wait_for_close();
    }};
    io_loop loop;
    http_client client{loop, access_to(server.url())};
    const auto got = ask(client, get());
    ASSERT_TRUE(got) << text_of(got);
    EXPECT_EQ(got->retry_after, then);
  }
}

TEST(HttpClient, NeverOpensMoreThanItsConnections) {
  std::atomic<int> open{0};
  std::atomic<int> most{0};
  loopback_server server{[&](peer& client, int) {
    const int now = ++open;
    int seen = most;
    while (seen < now && !most.compare_exchange_weak(seen, now)) {
    }
    answer_all(client, 0);
    --open;
  }};
  io_loop loop;
  http_options options;
  options.connections_max = 3;
  http_client client{loop, access_to(server.url()), options};
  std::vector<std::future<answer>> all;
  for (int i = 0; i < 200; ++i)
    all.push_back(start(client, post()));
  for (auto& one : all)
    EXPECT_EQ(text_of(one.get()), "200 ok");
  EXPECT_LE(most, 3);
}

TEST(HttpClient, TakesTheConnectionUsedLast) {
  std::mutex guard;
  std::vector<int> by;
  std::promise<void> both;
  std::shared_future<void> both_asked{both.get_future()};
  std::atomic<int> asked{0};
  loopback_server server{[&](peer& client, int number) {
    for (auto text = client.request(); !text.empty(); text = client.request()) {
      if (++asked == 2)
        both.set_value();
      both_asked.wait();
      {
        const std::lock_guard lock{guard};
        by.push_back(number);
      }
      client.answer("ok");
    }
  }};
  io_loop loop;
  http_client client{loop, access_to(server.url())};
  auto first = start(client, get());
  auto second = start(client, get());
  first.wait();
  second.wait();
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(text_of(ask(client, get())), "200 ok");
  EXPECT_EQ(server.accepted(), 2);
  EXPECT_EQ(std::set<int>(by.begin() + 2, by.end()).size(), 1U);
}

TEST(HttpClient, RepeatsAGetOnAStaleConnectionButNeverAWrite) {
  const auto serve = [](peer& client, int number) {
    client.request();
    client.answer("first");
    client.request();
    if (number == 0)
      return client.reset();
    client.answer("again");
    client.wait_for_close();
  };
  loopback_server server{serve};
  io_loop loop;
  http_client client{loop, access_to(server.url())};
  ASSERT_EQ(text_of(ask(client, get())), "200 first");
  EXPECT_EQ(text_of(ask(client, get())), "200 first") << "HT14";
  EXPECT_EQ(server.accepted(), 2);

  loopback_server other{serve};
  http_client writer{loop, access_to(other.url())};
  ASSERT_EQ(text_of(ask(writer, get())), "200 first");
  const auto got = ask(writer, post());
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, errc::ambiguous) << "HT14 " << got.error().text;
  EXPECT_EQ(other.accepted(), 1);

  loopback_server third{serve};
  http_client limited{loop, access_to(third.url())};
  ASSERT_EQ(text_of(ask(limited, get())), "200 first");
  auto counted = get();
  counted.counted = true;
  const auto once = ask(limited, counted);
  ASSERT_FALSE(once);
  EXPECT_EQ(once.error().code, errc::unavailable) << "the limiter paid for one";
  EXPECT_EQ(third.accepted(), 1);
}

TEST(HttpClient, NoticesAFarewellBeforeTheNextWrite) {
  std::promise<void> closed;
  loopback_server server{[&](peer& client, int number) {
    client.request();
    client.answer("ok");
    if (number > 0)
      return client.wait_for_close();
    client.farewell();
    client.wait_for_close();
    closed.set_value();
  }};
  io_loop loop;
  http_client client{loop, access_to(server.url())};
  ASSERT_EQ(text_of(ask(client, post())), "200 ok");
  closed.get_future().wait();
  EXPECT_EQ(text_of(ask(client, post())), "200 ok");
}

TEST(HttpClient, TakesAnEarlyAnswerToAHalfSentWrite) {
  loopback_server server{[](peer& client, int number) {
    if (number == 0)
      client.answer("too large", 413); // without reading anything
    client.request();
    client.answer("ok");
    client.wait_for_close();
  }};
  io_loop loop;
  http_client client{loop, access_to(server.url())};
  // Larger than the socket buffers, so that the server can't have all of it yet.
  const auto got = ask(client, post(std::string(32 << 20, 'x')));
  // 413 if the answer came while the body was being sent, which the order of the two threads decides.
  ASSERT_TRUE(got || got.error().code == errc::ambiguous || got.error().code == errc::unavailable) << text_of(got);
  EXPECT_EQ(text_of(ask(client, get())), "200 ok");
}

TEST(HttpClient, RefusesWhatItCannotHold) {
  loopback_server server{[](peer& client, int) {
    client.request();
    client.answer(std::string(2'000, 'x'));
    client.wait_for_close();
  }};
  io_loop loop;
  http_options options;
  options.body_bytes_max = 1'000;
  http_client client{loop, access_to(server.url()), options};
  EXPECT_EQ(ask(client, get()).error().code, errc::unavailable);
  EXPECT_EQ(ask(client, post()).error().code, errc::ambiguous);

  options.connections_max = 1;
  options.queue_max = 1;
  std::promise<void> arrived;
  std::promise<void> leave;
  loopback_server slow{[&](peer& one, int) {
    one.request();
    arrived.set_value();
    leave.get_future().wait();
    one.answer("late");
    one.request();
    one.answer("later");
    one.wait_for_close();
  }};
  http_client narrow{loop, access_to(slow.url()), options};
  auto first = start(narrow, post());
  arrived.get_future().wait();
  auto second = start(narrow, post());
  auto third = start(narrow, post());
  EXPECT_EQ(third.get().error().code, errc::unavailable);
  leave.set_value();
  EXPECT_EQ(text_of(first.get()), "200 late");
  EXPECT_EQ(text_of(second.get()), "200 later");
}

TEST(HttpClient, ReadsTheTokenAgainAfterA401) {
  temporary_folder folder;
  auto access = access_to("");
  access.token_file = folder.write("token", "old\n");
  std::atomic<bool> rotated{false};
  loopback_server server{[&](peer& client, int) {
    for (auto asked = client.request(); !asked.empty(); asked = client.request()) {
      const auto wanted = rotated ? "Bearer new\r\n" : "Bearer old\r\n";
      client.answer("", asked.find(wanted) != std::string::npos ? 200 : 401);
    }
  }};
  access.server = server.url();
  io_loop loop;
  http_client client{loop, access};
  EXPECT_EQ(ask(client, get())->status, 200U);
  folder.write("token", "  new \n");
  EXPECT_EQ(ask(client, get())->status, 200U) << "the file is not read for every call";
  rotated = true;
  EXPECT_EQ(ask(client, post())->status, 401U);
  EXPECT_EQ(ask(client, post())->status, 200U) << "AU04";
}

TEST(HttpClient, NeverSendsATokenInTheClear) {
  auto access = access_to("http://192.0.2.1:6443");
  access.token = "s3cret";
  io_loop loop;
  http_client client{loop, access};
  const auto got = ask(client, get());
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, errc::unavailable) << "AU18";
  EXPECT_EQ(got.error().text.find("s3cret"), std::string::npos);
  stream_record watch;
  watch.open(loop, client);
  ASSERT_TRUE(watch.wait());
  EXPECT_TRUE(watch.broken);
}

TEST(HttpClient, ClosesConnectionsThatIdle) {
  std::promise<void> closed;
  loopback_server server{[&](peer& client, int number) {
    answer_all(client, number); // ends when the client closes
    if (number == 0)
      closed.set_value();
  }};
  io_loop loop;
  http_options options;
  options.upkeep = 20ms;
  http_client client{loop, access_to(server.url()), options};
  EXPECT_EQ(text_of(ask(client, get())), "200 ok");
  EXPECT_EQ(closed.get_future().wait_for(patience), std::future_status::ready);
  EXPECT_EQ(text_of(ask(client, get())), "200 ok");
}

} // namespace

} // namespace sliceferry::k8s::test
