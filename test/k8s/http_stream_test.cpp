#include "k8s/http_client.hpp"

#include "test/k8s/client_fixture.hpp"

namespace sliceferry::k8s::test {

namespace {

const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

TEST(HttpStream, HandsOnEveryByteWhateverTheSplit) {
  std::string body;
  for (int i = 0; i < 3'000; ++i)
    body += "{\"type\":\"ADDED\",\"n\":" + std::to_string(i) + "}\n";
  struct row {
    const char* name;
    std::size_t chunk_bytes;
    std::size_t send_bytes;
  };
  const row table[] = {
    {"one event a chunk, many at once", 26, 1 << 20}, {"HT04 chunks of one byte", 1, 4'099},
    {"HT02 one chunk of all", 1 << 20, 1 << 20},      {"sends of odd sizes", 1'000, 77},
    {"larger than the buffer", 100'000, 65'537},
  };
  for (const auto& [name, chunk_bytes, send_bytes] : table) {
    SCOPED_TRACE(name);
    std::string wire = head;
    for (std::size_t i = 0; i < body.size(); i += chunk_bytes)
      wire += chunk(body.substr(i, chunk_bytes));
    wire += "0\r\n\r\n";
    loopback_server server{[&, step = send_bytes](peer& one, int) {
      one.request();
      for (std::size_t i = 0; i < wire.size(); i += step)
        one.send(wire.substr(i, step));
      one.wait_for_close();
    }};
    io_loop loop;
    http_client client{loop, access_to(server.url())};
    stream_record watch;
    watch.open(loop, client);
    ASSERT_TRUE(watch.wait());
    EXPECT_FALSE(watch.broken) << to_string(*watch.broken);
    EXPECT_EQ(watch.status, 200U);
    EXPECT_TRUE(watch.bytes == body);
  }
}

TEST(HttpStream, HasNoLimitInTotal) {
  constexpr std::size_t total = 100 << 20;
  loopback_server server{[](peer& one, int) {
    one.request();
    one.send(head);
    const auto part = chunk(std::string(1 << 20, 'x'));
    for (std::size_t sent = 0; sent < total; sent += 1 << 20)
      one.send(part);
    one.send("0\r\n\r\n");
    one.wait_for_close();
  }};
  io_loop loop;
  http_client client{loop, access_to(server.url())};
  stream_record watch;
  watch.open(loop, client);
  ASSERT_TRUE(watch.wait());
  EXPECT_FALSE(watch.broken);
  EXPECT_EQ(watch.bytes.size(), total) << "HT01";
}

TEST(HttpStream, ReportsTheStatusAndItsBody) {
  loopback_server server{[](peer& one, int) {
    one.request();
    one.answer("{\"code\":410}", 410);
    one.wait_for_close();
  }};
  io_loop loop;
  http_client client{loop, access_to(server.url())};
  stream_record watch;
  watch.open(loop, client);
  ASSERT_TRUE(watch.wait());
  EXPECT_FALSE(watch.broken);
  EXPECT_EQ(watch.status, 410U);
  EXPECT_EQ(watch.bytes, "{\"code\":410}");
}

TEST(HttpStream, ABodyWithoutAnEndIsNeverComplete) {
  loopback_server server{[](peer& one, int) {
    one.request();
    one.send("HTTP/1.1 200 OK\r\n\r\n{}\n");
    one.farewell();
    one.wait_for_close();
  }};
  io_loop loop;
  http_client client{loop, access_to(server.url())};
  stream_record watch;
  watch.open(loop, client);
  ASSERT_TRUE(watch.wait());
  EXPECT_TRUE(watch.broken) << "HT07";
  EXPECT_EQ(watch.bytes, "{}\n");
}

TEST(HttpStream, PauseHoldsBytesAndTheIdleDeadline) {
  loopback_server server{[](peer& one, int number) {
    one.request();
    if (number > 0)
      return one.answer("probe");
    one.send(head + chunk("first"));
    one.send(chunk(std::string(1 << 20, 'x')) + "0\r\n\r\n");
    one.wait_for_close();
  }};
  io_loop loop;
  http_client client{loop, access_to(server.url())};
  stream_record watch;
  std::promise<void> paused;
  std::size_t held_at = 0;
  watch.on_bytes = [&] {
    if (held_at != 0)
      return;
    held_at = watch.bytes.size();
    watch.stream->pause();
    paused.set_value();
  };
  watch.open(loop, client, 100ms);
  paused.get_future().wait();
  EXPECT_EQ(text_of(ask(client, get())), "200 probe") << "HT20 calls don't wait for streams";
  std::promise<void> later; // longer than the idle deadline, which rests
  const auto timer = loop.after(300ms, [&] { later.set_value(); });
  later.get_future().wait();
  on_loop(loop, [&] {
    EXPECT_EQ(watch.bytes.size(), held_at);
    watch.stream->resume();
  });
  ASSERT_TRUE(watch.wait());
  EXPECT_FALSE(watch.broken) << to_string(*watch.broken);
  EXPECT_EQ(watch.bytes.size(), 5U + (1 << 20));
}

TEST(HttpStream, PausedFromTheHeadOnKeepsTheRest) {
  loopback_server server{[](peer& one, int) {
    one.request();
    one.send(head + chunk("all of it") + "0\r\n\r\n");
    one.farewell();
    one.wait_for_close();
  }};
  io_loop loop;
  http_client client{loop, access_to(server.url())};
  stream_record watch;
  watch.opened_on = &loop;
  on_loop(loop, [&] {
    watch.stream = client.open("/watch", patience, watch.handlers());
    watch.stream->pause();
  });
  std::promise<void> later;
  const auto timer = loop.after(100ms, [&] { later.set_value(); });
  later.get_future().wait();
  on_loop(loop, [&] {
    EXPECT_EQ(watch.status, 0U);
    watch.stream->resume();
  });
  ASSERT_TRUE(watch.wait());
  EXPECT_FALSE(watch.broken) << to_string(*watch.broken);
  EXPECT_EQ(watch.bytes, "all of it");
}

TEST(HttpStream, EndsWhenItIsSilentTooLong) {
  loopback_server server{[](peer& one, int) {
    one.request();
    one.send(head + chunk("x"));
    one.wait_for_close();
  }};
  io_loop loop;
  http_client client{loop, access_to(server.url())};
  stream_record watch;
  watch.open(loop, client, 100ms);
  ASSERT_TRUE(watch.wait());
  ASSERT_TRUE(watch.broken) << "LW12";
  EXPECT_EQ(watch.broken->code, errc::unavailable);
  EXPECT_EQ(watch.bytes, "x");
}

TEST(HttpStream, EndsWithoutAHeadInTime) {
  struct row {
    const char* name;
    bool trickles;
    bool paused;
  };
  for (const auto& [name, trickles, paused] : {row{"HT21 mute", false, false},
                                               {"a head that takes its time", true, false},
                                               {"paused at first", false, true}}) {
    SCOPED_TRACE(name);
    std::promise<void> over;
    loopback_server server{[slowly = trickles, seen = over.get_future().share()](peer& one, int) {
      one.request();
      one.send("HTTP/1.1 200 OK\r\n");
      while (slowly && seen.wait_for(20ms) == std::future_status::timeout)
        one.send("A: b\r\n");
      one.wait_for_close();
    }};
    io_loop loop;
    http_options options;
    options.head = 100ms;
    http_client client{loop, access_to(server.url()), options};
    stream_record watch;
    watch.open(loop, client, 1h);
    if (paused)
      on_loop(loop, [&] {
        watch.stream->pause();
        watch.stream->resume();
      });
    ASSERT_TRUE(watch.wait()) << "a watch's silence may be long, its head may not";
    over.set_value();
    ASSERT_TRUE(watch.broken);
    EXPECT_EQ(watch.status, 0U);
    EXPECT_EQ(watch.broken->code, errc::unavailable);
  }
}

TEST(HttpStream, DestroyedFromAnyHandlerItSaysNoMoreAndCloses) {
  for (const bool in_head : {true, false}) {
    SCOPED_TRACE(in_head);
    std::promise<void> closed;
    loopback_server server{[&](peer& one, int) {
      one.request();
      one.send(head + chunk("x"));
      one.wait_for_close();
      closed.set_value();
    }};
    io_loop loop;
    http_client client{loop, access_to(server.url())};
    stream_record watch;
    int calls = 0;
    watch.on_head = [&] {
      ++calls;
      if (in_head)
        watch.stream.reset();
    };
    watch.on_bytes = [&] {
      ++calls;
      watch.stream.reset();
    };
    watch.open(loop, client);
    ASSERT_EQ(closed.get_future().wait_for(patience), std::future_status::ready);
    on_loop(loop, [&] { EXPECT_EQ(calls, in_head ? 1 : 2); });
    EXPECT_EQ(watch.ended.wait_for(0s), std::future_status::timeout);
  }
}

TEST(HttpStream, DestroyedAtEachStageOfOpeningItCloses) {
  loopback_server server{[](peer& one, int) { one.wait_for_close(); }};
  io_loop loop;
  http_client client{loop, access_to("http://localhost:" + std::to_string(server.port()))};
  for (int turns = 0; turns < 20; ++turns) {
    stream_record watch;
    watch.open(loop, client);
    for (int i = 0; i < turns; ++i)
      on_loop(loop, [] {});
    on_loop(loop, [&] { watch.stream.reset(); });
    EXPECT_EQ(watch.ended.wait_for(0s), std::future_status::timeout);
  }
}

} // namespace

} // namespace sliceferry::k8s::test
