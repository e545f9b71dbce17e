#include "k8s/http_client.hpp"

#include "test/k8s/client_fixture.hpp"

#include <atomic>
#include <mutex>

namespace sliceferry::k8s::test {

namespace {

/// A CA, and what it signed for a server of this machine.
struct authority {
  identity ca = make_certificate({"test-ca", {}, true, false});

  identity sign(std::vector<std::string> names, bool expired = false) const {
    return make_certificate({"leaf", std::move(names), false, expired}, &ca);
  }
  identity client(const std::string& name) const { return make_certificate({name, {}, false, false}, &ca); }
};

void answer_all(peer& one, int) {
  for (auto asked = one.request(); !asked.empty(); asked = one.request())
    one.answer("ok");
}

TEST(HttpTls, VerifiesChainAndName) {
  const authority ours;
  const authority other;
  const auto ip = ours.sign({"IP:127.0.0.1"});
  const auto dns = ours.sign({"DNS:localhost", "DNS:api.example"});
  struct row {
    const char* name;
    identity server;
    const char* host;
    std::string ca;
    const char* server_name;
    bool insecure;
    const char* text; ///< of the failure, empty if it works
  };
  const row table[] = {
    {"HT19 IP-SAN", ip, "127.0.0.1", ours.ca.certificate, "", false, ""},
    {"HT18 DNS-SAN", dns, "localhost", ours.ca.certificate, "", false, ""},
    {"AU16 tls-server-name", dns, "127.0.0.1", ours.ca.certificate, "api.example", false, ""},
    {"AU16 tls-server-name that is an address", ip, "localhost", ours.ca.certificate, "127.0.0.1", false, ""},
    {"HT19 an IP is no DNS name", ours.sign({"DNS:127.0.0.1"}), "127.0.0.1", ours.ca.certificate, "", false,
     "certificate is not valid for 127.0.0.1"},
    {"another IP", ours.sign({"IP:127.0.0.2"}), "127.0.0.1", ours.ca.certificate, "", false,
     "certificate is not valid for 127.0.0.1"},
    {"another name", dns, "127.0.0.1", ours.ca.certificate, "wrong.example", false,
     "certificate is not valid for wrong.example"},
    {"the common name does not count", ours.sign({}), "127.0.0.1", ours.ca.certificate, "leaf", false,
     "certificate is not valid for leaf"},
    {"another CA", ip, "127.0.0.1", other.ca.certificate, "", false, "certificate signed by unknown authority"},
    {"the system's CAs", ip, "127.0.0.1", "", "", false, "certificate signed by unknown authority"},
    {"several CAs", ip, "127.0.0.1", other.ca.certificate + ours.ca.certificate, "", false, ""},
    {"the leaf itself as CA", ip, "127.0.0.1", ip.certificate, "", false, ""},
    {"expired", ours.sign({"IP:127.0.0.1"}, true), "127.0.0.1", ours.ca.certificate, "", false, "expired"},
    {"AU27 insecure", ip, "127.0.0.1", "", "", true, ""},
    {"broken CA", ip, "127.0.0.1", "no PEM", "", false, "the CA holds no PEM certificate"},
  };
  for (const auto& [name, own, host, ca, server_name, insecure, text] : table) {
    SCOPED_TRACE(name);
    loopback_server server{answer_all, loopback_server::tls_settings{own, {}}};
    auto access = access_to(server.url(host));
    access.ca_data = ca;
    access.tls_server_name = server_name;
    access.insecure_skip_verify = insecure;
    io_loop loop;
    http_client client{loop, access};
    const auto got = ask(client, post());
    if (*text == '\0') {
      EXPECT_EQ(text_of(got), "200 ok");
      continue;
    }
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, errc::unavailable);
    EXPECT_NE(got.error().text.find(text), std::string::npos) << got.error().text;
    EXPECT_EQ(got.error().text.find("TLS with https://"), 0U) << got.error().text;
  }
}

TEST(HttpTls, NamesHostsButNotAddresses) {
  const authority ours;
  std::mutex guard;
  std::vector<std::string> seen;
  loopback_server server{
    [&](peer& one, int number) {
      {
        const std::lock_guard lock{guard};
        seen.push_back(one.server_name());
      }
      answer_all(one, number);
    },
    loopback_server::tls_settings{ours.sign({"DNS:localhost", "DNS:api.example", "IP:127.0.0.1"}), {}}};
  io_loop loop;
  for (const auto& [host, name] : {std::pair{"localhost", ""}, {"127.0.0.1", ""}, {"127.0.0.1", "api.example"}}) {
    auto access = access_to(server.url(host));
    access.ca_data = ours.ca.certificate;
    access.tls_server_name = name;
    http_client client{loop, access};
    EXPECT_EQ(text_of(ask(client, get())), "200 ok");
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"localhost", "", "api.example"})) << "HT18, HT19";
}

TEST(HttpTls, TakesLargeBodiesBothWays) {
  const authority ours;
  const std::string large(3 << 20, 'y');
  loopback_server server{[&](peer& one, int) {
                           const auto asked = one.request();
                           one.answer(asked.substr(asked.find("\r\n\r\n") + 4));
                           one.wait_for_close();
                         },
                         loopback_server::tls_settings{ours.sign({"IP:127.0.0.1"}), {}}};
  auto access = access_to(server.url());
  access.ca_data = ours.ca.certificate;
  io_loop loop;
  http_client client{loop, access};
  const auto got = ask(client, post(large));
  ASSERT_TRUE(got) << text_of(got);
  EXPECT_TRUE(got->body == large);
}

TEST(HttpTls, ATruncatedStreamIsNoEnd) {
  const authority ours;
  const std::string until_close = "HTTP/1.0 200 OK\r\n\r\nhello";
  for (const bool politely : {true, false}) {
    SCOPED_TRACE(politely);
    loopback_server server{[&](peer& one, int) {
                             one.request();
                             one.send(until_close);
                             politely ? one.farewell() : one.cut();
                             one.wait_for_close();
                           },
                           loopback_server::tls_settings{ours.sign({"IP:127.0.0.1"}), {}}};
    auto access = access_to(server.url());
    access.ca_data = ours.ca.certificate;
    io_loop loop;
    http_client client{loop, access};
    const auto got = ask(client, get());
    EXPECT_EQ(got.has_value(), politely) << "HT07 " << text_of(got);
  }
}

TEST(HttpTls, ResumesSessions) {
  const authority ours;
  std::atomic<int> resumed{0};
  loopback_server server{[&](peer& one, int) {
                           resumed += one.resumed() ? 1 : 0;
                           one.request();
                           one.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
                           one.wait_for_close();
                         },
                         loopback_server::tls_settings{ours.sign({"IP:127.0.0.1"}), {}}};
  auto access = access_to(server.url());
  access.ca_data = ours.ca.certificate;
  io_loop loop;
  http_client client{loop, access};
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(text_of(ask(client, get())), "200 ");
  EXPECT_EQ(resumed, 2);
}

/// Shows who the client is by its certificate.
void tell_name(peer& one, int) {
  for (auto asked = one.request(); !asked.empty(); asked = one.request())
    if (asked.find("/watch") != std::string::npos)
      one.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(one.client_name()));
    else
      one.answer(one.client_name());
}

TEST(HttpTls, RotatesClientCertificates) {
  const authority ours;
  temporary_folder folder;
  loopback_server server{tell_name, loopback_server::tls_settings{ours.sign({"IP:127.0.0.1"}), ours.ca.certificate}};
  auto access = access_to(server.url());
  access.ca_data = ours.ca.certificate;
  const auto old = ours.client("old");
  const auto fresh = ours.client("new");
  access.client_certificate_file = folder.write("tls.crt", old.certificate);
  access.client_key_file = folder.write("tls.key", old.key);
  io_loop loop;
  http_options options;
  options.upkeep = 20ms;
  http_client client{loop, access, options};
  EXPECT_EQ(text_of(ask(client, get())), "200 old");
  stream_record watch;
  std::promise<void> seen;
  watch.on_bytes = [&] { seen.set_value(); };
  std::promise<void> outdated;
  std::atomic<bool> told = false;
  watch.on_outdated = [&] {
    if (!told.exchange(true))
      outdated.set_value();
  };
  watch.open(loop, client);
  ASSERT_EQ(seen.get_future().wait_for(patience), std::future_status::ready);
  EXPECT_EQ(watch.bytes, "old");

  folder.write("tls.crt", fresh.certificate);
  std::promise<void> looked; // longer than it takes to look at the files
  const auto timer = loop.after(200ms, [&] { looked.set_value(); });
  looked.get_future().wait();
  EXPECT_FALSE(told) << "AU06 a mismatched pair changes nothing";
  EXPECT_EQ(text_of(ask(client, get())), "200 old") << "AU06";

  folder.write("tls.key", fresh.key);
  ASSERT_EQ(outdated.get_future().wait_for(patience), std::future_status::ready) << "AU05 streams are told";
  EXPECT_EQ(watch.ended.wait_for(0s), std::future_status::timeout) << "their owner ends them";
  EXPECT_EQ(text_of(ask(client, get())), "200 new") << "AU05 and pooled connections";
}

TEST(HttpTls, ReadsTheCaForEachConnection) {
  const authority ours;
  const authority other;
  temporary_folder folder;
  loopback_server server{answer_all, loopback_server::tls_settings{ours.sign({"IP:127.0.0.1"}), {}}};
  auto access = access_to(server.url());
  access.ca_file = folder.path("ca.crt");
  io_loop loop;
  http_client client{loop, access};
  const auto missing = ask(client, get());
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().text.find(access.ca_file), std::string::npos) << missing.error().text;
  folder.write("ca.crt", other.ca.certificate);
  EXPECT_FALSE(ask(client, get()));
  folder.write("ca.crt", ours.ca.certificate);
  EXPECT_EQ(text_of(ask(client, get())), "200 ok") << "AU07";
}

TEST(HttpTls, ACaFileThatIsEmptyTrustsNobody) {
  const authority ours;
  temporary_folder folder;
  loopback_server server{answer_all, loopback_server::tls_settings{ours.sign({"IP:127.0.0.1"}), {}}};
  const auto system_store = folder.write("store.pem", ours.ca.certificate);
  setenv("SSL_CERT_FILE", system_store.c_str(), 1);
  for (const auto* text : {"", " \n"}) {
    auto access = access_to(server.url());
    access.ca_file = folder.write("ca.crt", text);
    io_loop loop;
    http_client client{loop, access};
    const auto got = ask(client, get());
    ASSERT_FALSE(got) << "AU07 trusts whom the system trusts";
    EXPECT_NE(got.error().text.find(access.ca_file), std::string::npos) << got.error().text;
  }
  unsetenv("SSL_CERT_FILE");
}

TEST(HttpTls, FilesThatAreEmptyInMidRotationChangeNothing) {
  const authority ours;
  temporary_folder folder;
  loopback_server server{tell_name, loopback_server::tls_settings{ours.sign({"IP:127.0.0.1"}), ours.ca.certificate}};
  auto access = access_to(server.url());
  const auto user = ours.client("user");
  access.ca_file = folder.write("ca.crt", ours.ca.certificate);
  access.client_certificate_file = folder.write("tls.crt", user.certificate);
  access.client_key_file = folder.write("tls.key", user.key);
  io_loop loop;
  http_options options;
  options.upkeep = 20ms; // each look closes the connections that idle
  http_client client{loop, access, options};
  EXPECT_EQ(text_of(ask(client, get())), "200 user");
  for (const auto* blank : {"", " \n"})
    for (const std::vector<const char*>& names : {std::vector{"ca.crt"}, {"tls.crt", "tls.key"}}) {
      SCOPED_TRACE(names.front());
      for (const auto* name : names)
        folder.write(name, blank); // as a file is that someone rewrites in place
      const int before = server.accepted();
      std::promise<void> looked;
      const auto timer = loop.after(100ms, [&] { looked.set_value(); });
      looked.get_future().wait();
      EXPECT_EQ(text_of(ask(client, get())), "200 user") << "AU06 what was good stays";
      EXPECT_GT(server.accepted(), before) << "on a new connection";
      folder.write("ca.crt", ours.ca.certificate);
      folder.write("tls.crt", user.certificate);
      folder.write("tls.key", user.key);
    }
}

TEST(HttpTls, WithoutItsClientCertificateACallFails) {
  const authority ours;
  loopback_server server{tell_name, loopback_server::tls_settings{ours.sign({"IP:127.0.0.1"}), ours.ca.certificate}};
  auto access = access_to(server.url());
  access.ca_data = ours.ca.certificate;
  io_loop loop;
  http_client client{loop, access};
  const auto got = ask(client, get());
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, errc::unavailable) << got.error().text;
}

} // namespace

} // namespace sliceferry::k8s::test
