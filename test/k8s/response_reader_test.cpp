#include "k8s/response_reader.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <iterator>
#include <random>
#include <string>

namespace sliceferry::k8s::test {

namespace {

/// What came of a conversation that arrived in pieces of random size.
std::string read_split(const std::string& wire, std::mt19937_64& random) {
  response_reader reader;
  reader.begin(std::nullopt);
  std::string held;
  std::string body;
  for (std::size_t at = 0; at < wire.size() || !held.empty();) {
    const auto step = std::min<std::size_t>(1 + random() % 40, wire.size() - at);
    held.append(wire, at, step);
    at += step;
    const auto got = reader.feed(held.data(), held.size());
    if (got.broken)
      return "broken: " + reader.fault();
    body += got.body;
    held.erase(0, got.used);
    if (reader.complete())
      return std::to_string(reader.status()) + " " + body;
    if (step == 0 && got.used == 0)
      break;
  }
  return "incomplete " + body;
}

TEST(ResponseReader, ReadsTheSameFromAnySplit) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random{seed};
  for (int round = 0; round < 300; ++round) {
    std::string wire = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n";
    std::string body;
    for (auto chunks = random() % 30; chunks > 0; --chunks) {
      const std::string part(1 + random() % 50, static_cast<char>('a' + random() % 26));
      char size[8];
      snprintf(size, sizeof size, "%zX", part.size());
      wire += size + std::string{"\r\n"} + part + "\r\n";
      body += part;
    }
    wire += "0\r\nTrailer: x\r\n\r\n";
    ASSERT_EQ(read_split(wire, random), "200 " + body);
    wire.resize(wire.size() - 1 - random() % 14);
    ASSERT_EQ(read_split(wire, random), "incomplete " + body);
  }
}

TEST(ResponseReader, SurvivesAnyBytes) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random{seed};
  const std::string samples[] = {
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nA: "
    "b\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "HTTP/1.0 404 No\r\nContent-Length: 2\r\nRetry-After: 3\r\n\r\n{}",
  };
  for (int round = 0; round < 20'000; ++round) {
    auto wire = samples[random() % std::size(samples)];
    for (auto edits = random() % 4; edits > 0; --edits) {
      const auto at = random() % wire.size();
      if (random() % 2 == 0)
        wire[at] = static_cast<char>(random());
      else
        wire.insert(at, wire.substr(random() % wire.size(), random() % 8));
    }
    read_split(wire, random);
  }
}

TEST(ResponseReader, LimitsTheBodyOnlyIfAsked) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n";
  response_reader reader;
  for (const auto limit : {9, 10}) {
    auto wire = head + "0123456789";
    reader.begin(static_cast<std::uint64_t>(limit));
    EXPECT_EQ(reader.feed(wire.data(), wire.size()).broken, limit == 9);
  }
  EXPECT_TRUE(reader.complete());
  EXPECT_TRUE(reader.keep_alive());
}

TEST(ResponseReader, LeavesWhatFollowsTheAnswer) {
  std::string wire = "HTTP/1.1 204 None\r\n\r\nHTTP/1.1 200 OK\r\n\r\n";
  response_reader reader;
  reader.begin(std::nullopt);
  EXPECT_EQ(reader.feed(wire.data(), wire.size()).used, 21U);
  EXPECT_TRUE(reader.complete());
}

} // namespace

} // namespace sliceferry::k8s::test
