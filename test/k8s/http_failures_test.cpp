#include "k8s/http_client.hpp"

#include "test/k8s/client_fixture.hpp"

#include <atomic>
#include <filesystem>
#include <iterator>

namespace sliceferry::k8s::test {

namespace {

const std::string ok = "HTTP/1.1 200 OK\r\n";

/// One way for a conversation to go wrong, and what a read, a write and a stream make of it.
struct fault {
  const char* name;
  loopback_server::script script;
  errc write;
  const char* text; ///< part of the failure's text, for people
};

void ask_then(peer& client, const std::function<void()>& then) {
  client.request();
  then();
  client.wait_for_close();
}

std::vector<fault> faults() {
  return {
    {"HT21 mute after the request", [](peer& one, int) { ask_then(one, [] {}); }, errc::ambiguous, "within 150 ms"},
    {"HT21 mute in the middle of the head", [](peer& one, int) { ask_then(one, [&] { one.send("HTTP/1.1 2"); }); },
     errc::ambiguous, "within 150 ms"},
    {"reset after the request", [](peer& one, int) { ask_then(one, [&] { one.reset(); }); }, errc::ambiguous, "reset"},
    {"closed after the request", [](peer& one, int) { ask_then(one, [&] { one.cut(); }); }, errc::ambiguous, "closed"},
    {"cut in the head", [](peer& one, int) { ask_then(one, [&] { one.send(ok), one.cut(); }); }, errc::ambiguous,
     "closed"},
    {"HT06 cut in the length",
     [](peer& one, int) { ask_then(one, [&] { one.send(ok + "Content-Length: 9\r\n\r\nhalf"), one.cut(); }); },
     errc::ambiguous, "closed"},
    {"HT06 cut in a chunk",
     [](peer& one, int) {
       ask_then(one, [&] { one.send(ok + "Transfer-Encoding: chunked\r\n\r\n9\r\nhalf"), one.cut(); });
     },
     errc::ambiguous, "closed"},
    {"HT06 cut before the last chunk",
     [](peer& one, int) {
       ask_then(one, [&] { one.send(ok + "Transfer-Encoding: chunked\r\n\r\n" + chunk("{}\n")), one.cut(); });
     },
     errc::ambiguous, "closed"},
    {"no HTTP at all", [](peer& one, int) { ask_then(one, [&] { one.send("SSH-2.0-OpenSSH_9.2\r\n"); }); },
     errc::ambiguous, "unreadable answer"},
    {"HT02 an endless head",
     [](peer& one, int) { ask_then(one, [&] { one.send(ok + "X-Big: " + std::string(100'000, 'x')); }); },
     errc::ambiguous, "unreadable answer"},
    {"an endless chunk header",
     [](peer& one, int) {
       ask_then(one, [&] { one.send(ok + "Transfer-Encoding: chunked\r\n\r\n1;" + std::string(100'000, 'x')); });
     },
     errc::ambiguous, ""},
    {"a chunk of no size",
     [](peer& one, int) { ask_then(one, [&] { one.send(ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\n"); }); },
     errc::ambiguous, "unreadable answer"},
  };
}

void expect_faults_named(const cluster_access& access, errc write, const std::string& text) {
  io_loop loop;
  http_client client{loop, access, impatient()};
  const auto read = ask(client, get());
  ASSERT_FALSE(read) << text_of(read);
  EXPECT_EQ(read.error().code, errc::unavailable) << read.error().text;
  EXPECT_NE(read.error().text.find(text), std::string::npos) << read.error().text;
  EXPECT_NE(read.error().text.find(access.server), std::string::npos) << read.error().text;
  const auto written = ask(client, post());
  ASSERT_FALSE(written) << text_of(written);
  EXPECT_EQ(written.error().code, write) << written.error().text;
  stream_record watch;
  watch.open(loop, client, 150ms);
  ASSERT_TRUE(watch.wait());
  ASSERT_TRUE(watch.broken);
  EXPECT_EQ(watch.broken->code, errc::unavailable) << watch.broken->text;
  EXPECT_NE(watch.broken->text.find(text), std::string::npos) << watch.broken->text;
}

TEST(HttpFailures, AreNamedByWhatTheServerMayHaveDone) {
  for (const auto& row : faults()) {
    SCOPED_TRACE(row.name);
    loopback_server server{row.script};
    expect_faults_named(access_to(server.url()), row.write, row.text);
  }
}

TEST(HttpFailures, BeforeTheFirstByteAreUnavailable) {
  closed_port closed;
  loopback_server mute{[](peer& one, int) { one.wait_for_close(); }};
  loopback_server rude{[](peer& one, int) { one.reset(); }};
  loopback_server plain{[](peer& one, int) { one.send("HTTP/1.1 400 Bad\r\n\r\n"), one.wait_for_close(); }};
  const auto over_tls = [](const loopback_server& server) {
    return "https://127.0.0.1:" + std::to_string(server.port());
  };
  struct row {
    const char* name;
    std::string url;
    const char* text;
  };
  const row table[] = {
    {"refused", closed.url(), "connect to http://127.0.0.1:"},
    {"no such name", "http://no-such-host.invalid:1", "look up http://no-such-host.invalid:1: "},
    {"HT21 mute in the handshake", over_tls(mute), "TLS with https://127.0.0.1:"},
    {"reset at once, in either phase", over_tls(rude), " https://127.0.0.1:"},
    {"no TLS there", over_tls(plain), "TLS with https://127.0.0.1:"},
  };
  for (const auto& [name, url, text] : table) {
    SCOPED_TRACE(name);
    auto access = access_to(url);
    access.insecure_skip_verify = true;
    expect_faults_named(access, errc::unavailable, text);
  }
}

TEST(HttpFailures, CompressedAnswersAreMalformed) {
  loopback_server server{[](peer& one, int) {
    for (auto asked = one.request(); !asked.empty(); asked = one.request()) {
      EXPECT_EQ(asked.find("Accept-Encoding"), std::string::npos) << "HT08";
      one.send(ok + "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc");
    }
  }};
  io_loop loop;
  http_client client{loop, access_to(server.url())};
  EXPECT_EQ(ask(client, get()).error().code, errc::malformed);
  EXPECT_EQ(ask(client, post()).error().code, errc::malformed);
  stream_record watch;
  watch.open(loop, client);
  ASSERT_TRUE(watch.wait());
  EXPECT_EQ(watch.broken->code, errc::malformed);
}

TEST(HttpFailures, AnUnreachableServerFailsAllThatWaitAtOnce) {
  closed_port closed;
  io_loop loop;
  http_client client{loop, access_to(closed.url())};
  std::vector<std::future<answer>> all;
  for (int i = 0; i < 500; ++i)
    all.push_back(start(client, post()));
  for (auto& one : all) {
    ASSERT_EQ(one.wait_for(patience), std::future_status::ready);
    EXPECT_EQ(one.get().error().code, errc::unavailable);
  }
}

TEST(HttpFailures, ATokenThatIsNotThereYetIsWaitedFor) {
  temporary_folder folder;
  loopback_server server{[](peer& one, int) {
    for (auto asked = one.request(); !asked.empty(); asked = one.request())
      one.answer("ok");
  }};
  auto access = access_to(server.url());
  access.token_file = folder.path("token");
  io_loop loop;
  http_client client{loop, access};
  const auto got = ask(client, get());
  ASSERT_FALSE(got) << "AU03";
  EXPECT_EQ(got.error().code, errc::unavailable);
  EXPECT_NE(got.error().text.find(access.token_file), std::string::npos) << got.error().text;
}

/// A server that takes requests and never answers, and calls of every kind on their way to it.
struct in_flight {
  std::promise<void> arrived;
  std::atomic<int> asked{0};
  loopback_server server{[this](peer& one, int) {
    if (!one.request().empty() && ++asked == 3)
      arrived.set_value();
    one.wait_for_close();
  }};

  void wait() { arrived.get_future().wait(); }
};

TEST(HttpFailures, StopEndsWhatIsPending) {
  in_flight to;
  io_loop loop;
  http_options options;
  options.connections_max = 2;
  http_client client{loop, access_to(to.server.url()), options};
  stream_record watch;
  watch.open(loop, client);
  auto write = start(client, post());
  auto read = start(client, get());
  to.wait();
  auto waiting = start(client, post());
  client.stop();
  EXPECT_EQ(write.get().error().code, errc::ambiguous);
  EXPECT_EQ(read.get().error().code, errc::unavailable);
  EXPECT_EQ(waiting.get().error().code, errc::unavailable);
  ASSERT_TRUE(watch.wait());
  EXPECT_EQ(watch.broken->code, errc::unavailable);
  EXPECT_EQ(ask(client, get()).error().code, errc::unavailable) << "after the stop";
  client.stop();
}

TEST(HttpFailures, NobodyIsCalledAfterDestruction) {
  enum class who { client_first, on_the_loop, loop_first, loop_stopped };
  for (const auto first : {who::client_first, who::on_the_loop, who::loop_first, who::loop_stopped}) {
    SCOPED_TRACE(static_cast<int>(first));
    in_flight to;
    auto loop = std::make_unique<io_loop>();
    auto client = std::make_unique<http_client>(*loop, access_to(to.server.url()));
    auto called = std::make_shared<std::atomic<int>>(0);
    client->call(post(), [called](const answer&) { ++*called; });
    client->call(get(), [called](const answer&) { ++*called; });
    std::shared_ptr<http_stream> stream;
    on_loop(*loop, [&] {
      stream = client->open("/watch", patience,
                            {[called](unsigned, std::optional<std::chrono::seconds>) { ++*called; },
                             [called](std::string_view) { ++*called; },
                             [called](const std::optional<failure>&) { ++*called; }});
    });
    to.wait();
    client->call(post(), [called](const answer&) { ++*called; });
    switch (first) {
      case who::client_first:
        client.reset();
        break;
      case who::on_the_loop:
        on_loop(*loop, [&] { client.reset(); });
        break;
      case who::loop_first:
        loop.reset();
        break;
      case who::loop_stopped:
        loop->stop();
        break;
    }
    const int until_now = *called;
    client.reset();
    if (loop && first != who::loop_stopped)
      on_loop(*loop, [&] { stream.reset(); });
    loop.reset();
    EXPECT_EQ(*called, until_now);
    EXPECT_EQ(until_now, 0);
  }
}

TEST(HttpFailures, ACallbackMayDestroyTheClient) {
  loopback_server server{[](peer& one, int) {
    one.request();
    one.answer("ok");
    one.wait_for_close();
  }};
  io_loop loop;
  for (const bool stopped : {false, true}) {
    auto client = std::make_unique<http_client>(loop, access_to(server.url()));
    std::promise<void> done;
    on_loop(loop, [&] { // where no callback comes between
      client->call(get(), [&](const answer&) {
        client.reset();
        done.set_value();
      });
      client->call(get(), [&](const answer&) { EXPECT_TRUE(client); });
      if (stopped)
        client->stop();
    });
    ASSERT_EQ(done.get_future().wait_for(patience), std::future_status::ready);
    on_loop(loop, [] {});
  }
}

std::size_t open_files() {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator{"/proc/self/fd"}, {}));
}

TEST(HttpFailures, LeakNoFiles) {
  const auto before = open_files();
  for (int round = 0; round < 3; ++round)
    for (const auto& row : faults()) {
      loopback_server server{row.script};
      io_loop loop;
      http_client client{loop, access_to(server.url()), impatient()};
      stream_record watch;
      watch.open(loop, client, 50ms);
      start(client, post()).wait();
      watch.wait();
      on_loop(loop, [&] { watch.stream.reset(); });
    }
  EXPECT_EQ(open_files(), before) << "HT30";
}

} // namespace

} // namespace sliceferry::k8s::test
