#include "test/storm/server/serve_history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <future>
#include <string>

#include <unistd.h>

namespace sliceferry::storm {
namespace {

history_entry entry(int number, std::size_t object_bytes) {
  history_entry out;
  out.cluster = "hub";
  out.verb = "patch";
  out.name = std::to_string(number);
  out.what = history_entry::change::modified;
  out.object = std::string(object_bytes, 'x');
  return out;
}

/// Both ends of a pipe.
struct pipe_ends {
  int read = -1;
  int write = -1;
  pipe_ends() {
    int ends[2];
    if (::pipe(ends) == 0) {
      read = ends[0];
      write = ends[1];
    }
  }
};

std::string read_all(int descriptor) {
  std::string out;
  char piece[4096];
  for (ssize_t got = 0; (got = ::read(descriptor, piece, sizeof piece)) > 0;)
    out.append(piece, static_cast<std::size_t>(got));
  return out;
}

TEST(ServeHistory, WritesAllInOrderHoweverSlowTheReader) {
  constexpr int count = 3'000;
  constexpr std::size_t queue_bytes = 100'000; // of about 4 MB
  const pipe_ends ends;
  std::size_t most = 0;
  auto pushed = std::async(std::launch::async, [&] {
    {
      serve_history history{ends.write, queue_bytes};
      for (int i = 0; i < count; ++i) {
        history.push(entry(i, 1'000));
        most = std::max(most, history.queued_bytes());
      }
    }
    ::close(ends.write);
  });
  const std::string lines = read_all(ends.read);
  pushed.get();
  ::close(ends.read);
  EXPECT_LE(most, queue_bytes);
  std::size_t at = 0;
  for (int i = 0; i < count; ++i) {
    const auto end = lines.find('\n', at);
    ASSERT_NE(end, std::string::npos) << i;
    const auto read = parse_history_line(std::string_view{lines}.substr(at, end - at));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->seq, static_cast<std::uint64_t>(i) + 1);
    EXPECT_EQ(read->name, std::to_string(i));
    EXPECT_EQ(read->object.size(), 1'000U);
    at = end + 1;
  }
  EXPECT_EQ(at, lines.size());
}

TEST(ServeHistory, TakesEvenWhatIsLargerThanItsQueue) {
  const pipe_ends ends;
  auto read = std::async(std::launch::async, [&] { return read_all(ends.read); });
  {
    serve_history history{ends.write, 1'000};
    for (int i = 0; i < 3; ++i)
      history.push(entry(i, 5'000));
  }
  ::close(ends.write);
  EXPECT_GT(read.get().size(), 15'000U);
  ::close(ends.read);
}

TEST(ServeHistory, WritesWithoutBeingPushedOn) {
  const pipe_ends ends;
  serve_history history{ends.write};
  history.push(entry(1, 10));
  char first = 0;
  EXPECT_EQ(::read(ends.read, &first, 1), 1); // waits until the writer's time has come
  EXPECT_EQ(first, '{');
  ::close(ends.read);
}

TEST(ServeHistory, DropsWhatNobodyReads) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  const pipe_ends ends;
  ::close(ends.read);
  {
    serve_history history{ends.write, 10'000};
    for (int i = 0; i < 1'000; ++i)
      history.push(entry(i, 1'000)); // would wait for ever
    EXPECT_TRUE(history.is_broken());
  }
  ::close(ends.write);
  std::signal(SIGPIPE, before);
}

} // namespace
} // namespace sliceferry::storm
