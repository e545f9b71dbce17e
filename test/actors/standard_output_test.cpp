#include "actors/standard_output.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <thread>

namespace sliceferry {
namespace {

struct pipe_ends {
  pipe_ends() { EXPECT_EQ(pipe(ends.data()), 0); }
  ~pipe_ends() {
    stop_reading();
    close(ends[1]);
  }
  void stop_reading() {
    if (ends[0] >= 0)
      close(std::exchange(ends[0], -1));
  }
  std::string read_all(std::size_t size) const {
    std::string out;
    std::array<char, 4096> some{};
    for (ssize_t got = 1; got > 0 && out.size() < size;) {
      got = read(ends[0], some.data(), some.size());
      out.append(some.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    }
    return out;
  }

  std::array<int, 2> ends{-1, -1};
};

TEST(StandardOutput, WritesAllThoughItsReaderIsSlow) {
  for (const int flags : {0, O_NONBLOCK}) {
    pipe_ends pipe;
    ASSERT_EQ(fcntl(pipe.ends[1], F_SETFL, flags), 0);
    const std::string text(1U << 20U, 'x'); // far more than a pipe holds
    standard_output out{pipe.ends[1]};
    bool is_written = false;
    std::thread writer{[&] { is_written = out.write(text) && out.write("end"); }};
    const auto read = pipe.read_all(text.size() + 3);
    pipe.stop_reading(); // so that a writer that fails doesn't wait for ever
    writer.join();
    EXPECT_TRUE(is_written);
    EXPECT_EQ(read, text + "end");
    EXPECT_FALSE(out.trouble());
  }
}

TEST(StandardOutput, SaysWhatCannotBeWritten) {
  const int full = open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  standard_output out{full};
  EXPECT_TRUE(out.write("")) << "nothing was to be written";
  EXPECT_FALSE(out.trouble());
  EXPECT_FALSE(out.write("text"));
  EXPECT_FALSE(out.write(""));
  EXPECT_EQ(out.trouble(), std::string{"cannot write the answer: "} + std::strerror(ENOSPC));
  close(full);
}

TEST(StandardOutput, IsSilentWhereTheReaderHasSeenEnough) {
  ::signal(SIGPIPE, SIG_IGN);
  pipe_ends pipe;
  standard_output out{pipe.ends[1]};
  EXPECT_TRUE(out.write("text"));
  pipe.stop_reading();
  EXPECT_FALSE(out.write("more"));
  EXPECT_FALSE(out.trouble());
}

} // namespace
} // namespace sliceferry
