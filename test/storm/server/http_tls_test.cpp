#include "test/storm/server/http_tls.hpp"

#include "test/storm/server/front_test_client.hpp"
#include "test/storm/server/serve_fleet.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <chrono>
#include <cstdio>
#include <thread>

namespace sliceferry::storm {
namespace {

/// A key and a certificate that it signed itself, in files that go with it.
struct certificate_files {
  std::string certificate = testing::TempDir() + "front_tls_" + std::to_string(getpid()) + ".crt";
  std::string key = testing::TempDir() + "front_tls_" + std::to_string(getpid()) + ".key";

  certificate_files() {
    EVP_PKEY* pair = EVP_EC_gen("P-256");
    X509* made = X509_new();
    X509_gmtime_adj(X509_getm_notBefore(made), 0);
    X509_gmtime_adj(X509_getm_notAfter(made), 3600);
    X509_set_pubkey(made, pair);
    X509_sign(made, pair, EVP_sha256());
    std::FILE* out = std::fopen(certificate.c_str(), "w");
    PEM_write_X509(out, made);
    std::fclose(out);
    out = std::fopen(key.c_str(), "w");
    PEM_write_PrivateKey(out, pair, nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(out);
    X509_free(made);
    EVP_PKEY_free(pair);
  }
  ~certificate_files() {
    std::remove(certificate.c_str());
    std::remove(key.c_str());
  }
};

/// A client's side of TLS over a blocking connection.
class tls_client {
public:
  explicit tls_client(int fd) : context_{SSL_CTX_new(TLS_client_method())}, ssl_{SSL_new(context_)} {
    SSL_set_fd(ssl_, fd);
    EXPECT_EQ(SSL_connect(ssl_), 1);
  }
  ~tls_client() {
    SSL_free(ssl_);
    SSL_CTX_free(context_);
  }
  tls_client(const tls_client&) = delete;
  tls_client& operator=(const tls_client&) = delete;

  void send(const std::string& text) {
    EXPECT_EQ(SSL_write(ssl_, text.data(), static_cast<int>(text.size())), static_cast<int>(text.size()));
  }
  /// Up to `size` bytes, fewer at the end.
  std::string read(std::size_t size) {
    std::string out(size, '\0');
    std::size_t at = 0;
    int got = 0;
    while (at < size && (got = SSL_read(ssl_, out.data() + at, static_cast<int>(size - at))) > 0)
      at += static_cast<std::size_t>(got);
    out.resize(at);
    return out;
  }

private:
  SSL_CTX* context_;
  SSL* ssl_;
};

TEST(HttpTls, CarriesRequestsAndAnswers) {
  const certificate_files files;
  serve_options options;
  options.history = "/dev/null";
  options.certificate_file = files.certificate;
  options.key_file = files.key;
  options.clock = [] {
    return std::chrono::duration_cast<instant>(std::chrono::steady_clock::now().time_since_epoch());
  };
  serve_fleet fleet{options};
  const std::string url{boost::json::parse(fleet.addresses()).at("clusters").at("hub").as_string()};
  ASSERT_TRUE(url.starts_with("https://")) << url;
  const auto port = static_cast<std::uint16_t>(std::stoul(url.substr(url.rfind(':') + 1)));
  std::thread serving{[&] { fleet.run(); }};
  {
    const front_test_client socket{port};
    tls_client client{socket.descriptor()};
    const std::string get = front_test_client::request("GET", "/readyz");
    std::string first;
    client.send(get);
    while (!first.ends_with("ok")) {
      const auto byte = client.read(1);
      ASSERT_FALSE(byte.empty()) << first;
      first += byte;
    }
    EXPECT_TRUE(first.starts_with("HTTP/1.1 200 OK")) << first;
    // Many at once fill several records.
    constexpr int count = 500;
    std::string all;
    std::string expected;
    for (int i = 0; i < count; ++i) {
      all += get;
      expected += first;
    }
    client.send(all);
    EXPECT_EQ(client.read(expected.size()), expected);
  }
  front_test_client plain{port};
  plain.send("nothing like TLS\r\n\r\n");
  EXPECT_NE(plain.read_end(), front_test_client::ending::silent) << "the server closes what isn't TLS";
  fleet.stop();
  serving.join();
}

} // namespace
} // namespace sliceferry::storm
