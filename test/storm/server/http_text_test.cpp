#include "test/storm/server/http_text.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>
#include <zlib.h>

namespace sliceferry::storm {
namespace {

std::string unzipped(const std::string& packed) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string in = packed;
  std::string out(1 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

TEST(HttpText, ZipsWhatCanBeUnzipped) {
  std::string noise;
  for (unsigned i = 0; i < 50'000; ++i)
    noise += static_cast<char>((i * 2'654'435'761U) >> 24);
  for (const std::string& text : {std::string{}, std::string{"{}"}, std::string(100'000, 'a'), noise})
    EXPECT_EQ(unzipped(gzipped(text)), text);
}

TEST(HttpText, WritesAnswers) {
  api_answer answer;
  answer.status = 429;
  answer.body = std::make_shared<const std::string>("{}");
  answer.retry_after_s = 3;
  std::string out;
  append_answer(out, answer, false);
  EXPECT_EQ(out, "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\nRetry-After: 3\r\n"
                 "Connection: close\r\nContent-Length: 2\r\n\r\n{}");
  out.clear();
  append_answer(out, {}, true);
  EXPECT_EQ(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n");
}

TEST(HttpText, WritesStreams) {
  std::string out;
  append_stream_head(out, "application/json");
  append_chunk(out, std::string(26, 'x'));
  append_last_chunk(out);
  EXPECT_EQ(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1a\r\n" +
                   std::string(26, 'x') + "\r\n0\r\n\r\n");
}

TEST(HttpText, RefusalsAreStatusObjects) {
  for (const unsigned code : {401U, 409U, 410U, 429U, 500U, 503U, 504U}) {
    const auto answer = refusal_status(code, "why");
    const auto status = boost::json::parse(*answer.body);
    EXPECT_EQ(answer.status, code);
    EXPECT_EQ(status.at("code").to_number<unsigned>(), code);
    EXPECT_EQ(status.at("kind").as_string(), "Status");
    EXPECT_FALSE(status.at("reason").as_string().empty());
  }
}

} // namespace
} // namespace sliceferry::storm
