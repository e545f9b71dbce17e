#include "test/storm/server/http_parser.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sliceferry::storm {
namespace {

using state = http_parser::state;

const std::string two_requests =
  "PATCH /a/b?c=d HTTP/1.1\r\nHost: x\r\nauthorization: bearer me-token\r\nContent-Type: application/json\r\n"
  "Content-Length: 5\r\n\r\nfirst"
  "POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nsec\r\n3;x=y\r\nond\r\n0\r\nT: "
  "t\r\n\r\n";

/// Feeds as a connection does: what wasn't used is given again, with more behind it.
std::vector<http_request> parse(const std::vector<std::string>& parts) {
  http_parser parser;
  std::vector<http_request> out;
  std::string unread;
  for (const auto& part : parts) {
    unread += part;
    for (bool more = true; more && !unread.empty();) {
      unread.erase(0, parser.feed(unread));
      EXPECT_NE(parser.now(), state::broken);
      more = parser.now() == state::complete;
      if (more) {
        out.push_back(parser.request());
        parser.next();
      }
    }
  }
  EXPECT_EQ(unread, "");
  return out;
}

void expect_both(const std::vector<http_request>& seen) {
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].method, "PATCH");
  EXPECT_EQ(seen[0].target, "/a/b?c=d");
  EXPECT_EQ(seen[0].token, "me-token");
  EXPECT_EQ(seen[0].content_type, "application/json");
  EXPECT_EQ(seen[0].body, "first");
  EXPECT_TRUE(seen[0].keep_alive);
  EXPECT_EQ(seen[1].method, "POST");
  EXPECT_EQ(seen[1].token, "");
  EXPECT_EQ(seen[1].content_type, "");
  EXPECT_EQ(seen[1].body, "second");
  EXPECT_FALSE(seen[1].keep_alive);
}

TEST(HttpParser, AnySplitGivesTheSameRequests) {
  expect_both(parse({two_requests}));
  for (std::size_t i = 1; i < two_requests.size(); ++i) {
    SCOPED_TRACE(i);
    expect_both(parse({two_requests.substr(0, i), two_requests.substr(i)}));
  }
  std::vector<std::string> bytes;
  for (const char each : two_requests)
    bytes.emplace_back(1, each);
  expect_both(parse(bytes));
}

TEST(HttpParser, RefusesWhatItMust) {
  struct row {
    const char* name;
    std::string sent;
    unsigned status;
  };
  const row table[] = {
    {"no HTTP", "x\r\n\r\n", 400},
    {"lengths that differ", "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
    {"a chunk without size", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n", 400},
    {"too long a head", "GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n", 431},
    {"too long a body", "POST / HTTP/1.1\r\nContent-Length: 9000000\r\n\r\n", 413},
  };
  for (const auto& [name, sent, status] : table) {
    SCOPED_TRACE(name);
    http_parser parser;
    parser.feed(sent);
    EXPECT_EQ(parser.now(), state::broken);
    EXPECT_EQ(parser.refusal(), status);
  }
}

} // namespace
} // namespace sliceferry::storm
