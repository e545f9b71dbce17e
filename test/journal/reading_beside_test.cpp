#include "actors/journal/history.hpp"
#include "actors/journal/memory_codec.hpp"
#include "actors/journal/replay.hpp"
#include "test/journal/journal_place.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

namespace sliceferry::journal {
namespace {

/// History and replay of a journal that the program itself has written, or is writing.
struct ReadingBeside : testing::Test {
  temporary_directory place;
  moved_clock clock;

  std::unique_ptr<journal> open() {
    journal_options out;
    out.directory = place.path();
    out.now = [this] { return clock.wall(); };
    return open_or_die(std::move(out));
  }

  reading_end replayed(std::string& text, const memory_digests* running = nullptr) const {
    text.clear();
    const replay_query asked{.directory = place.path(), .json = true, .running = running};
    return show_replay(asked, [&](std::string_view piece) {
      text += piece;
      return true;
    });
  }

  std::ptrdiff_t lines_of_history() const {
    std::ptrdiff_t out = 0;
    const history_query asked{.directory = place.path(), .json = true};
    const auto end = show_history(asked, [&](std::string_view piece) {
      out += std::count(piece.begin(), piece.end(), '\n');
      return true;
    });
    return end.how == reading_end::kind::answered ? out : -1;
  }
};

bool has_snapshot_of(const journal& made, std::uint64_t streams) {
  const auto status = made.status();
  return status.snapshots > 0 && !status.snapshot_under_way && status.snapshot_streams == streams;
}

TEST_F(ReadingBeside, AgreesWithWhatTheProgramRemembers) {
  constexpr unsigned lives = 300;
  std::vector<told_stream> streams;
  for (unsigned i = 0; i < lives; ++i)
    streams.emplace_back(i % 2 == 0 ? "member-1" : "member-2", i);
  const auto made = open();
  std::uint64_t last = 0;
  const auto tell_all = [&] {
    for (auto& each : streams)
      last = each.tell(*made);
  };
  tell_all();
  ASSERT_TRUE(wait_durable(*made, last));
  made->snapshot_now();
  ASSERT_TRUE(wait_until([&] { return has_snapshot_of(*made, lives); }));
  tell_all();
  ASSERT_TRUE(wait_durable(*made, last));
  memory_digests running;
  for (const auto& each : streams)
    running[each.whose()] = digest_of(each.held());
  std::string text;
  EXPECT_EQ(replayed(text, &running).how, reading_end::kind::answered) << text;
  EXPECT_NE(text.find("\"snapshot_streams\":300"), std::string::npos) << text;
  EXPECT_NE(text.find("\"compared_running\":300"), std::string::npos) << text;
  EXPECT_EQ(lines_of_history(), static_cast<std::ptrdiff_t>(last));
}

/// A program that writes, in a process of its own as programs are: for each byte that it is sent some hundreds of
/// records, with a snapshot under way. Ends with whoever sends them.
[[noreturn]] void write_when_told(const journal_options& options, int orders) {
  const auto made = open_or_die(options);
  std::vector<told_stream> streams;
  for (unsigned i = 0; i < 200; ++i)
    streams.emplace_back("member-1", i);
  char order = 0;
  for (std::size_t i = 0; read(orders, &order, 1) == 1;) {
    made->snapshot_now();
    for (const std::size_t end = i + 700; i < end; ++i) {
      const auto position = streams[i % streams.size()].tell(*made);
      if (i % 10 == 0 && !wait_durable(*made, position))
        _exit(1);
    }
  }
  _exit(0);
}

TEST_F(ReadingBeside, AgreesAtEveryMomentOfAWriter) {
  journal_options options;
  options.directory = place.path();
  options.now = [this] { return clock.wall(); };
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t writer = fork();
  if (writer == 0) {
    close(ends[1]);
    write_when_told(options, ends[0]);
  }
  close(ends[0]);
  const auto order = [&] { return write(ends[1], "x", 1) == 1; };
  EXPECT_TRUE(order());
  EXPECT_TRUE(wait_until([&] { return lines_of_history() >= 500; }));
  for (int look = 0; look < 8; ++look) {
    EXPECT_TRUE(order());
    std::string text;
    const auto end = replayed(text);
    EXPECT_EQ(end.how, reading_end::kind::answered) << text << end.note;
    EXPECT_GT(lines_of_history(), 0);
  }
  close(ends[1]);
  int status = 0;
  EXPECT_EQ(waitpid(writer, &status, 0), writer);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

// Whatever the file holds, the reader ends, and whoever asked lives on.
TEST_F(ReadingBeside, SurvivesAnyDamage) {
  {
    const auto made = open();
    std::uint64_t last = 0;
    for (unsigned i = 0; i < 400; ++i) {
      told_stream each("member-1", i);
      last = each.tell(*made);
    }
    ASSERT_TRUE(wait_durable(*made, last));
    made->snapshot_now();
    ASSERT_TRUE(wait_until([&] { return has_snapshot_of(*made, 400); }));
  }
  std::ifstream in{place.file(), std::ios::binary};
  const std::string sound{std::istreambuf_iterator<char>{in}, {}};
  constexpr unsigned seed = 20261130;
  std::mt19937_64 dice{seed};
  int noticed = 0;
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(round));
    std::string bytes = sound;
    for (auto flips = 1 + dice() % 4; flips > 0; --flips) {
      // Most bytes are values; what holds a page together is at its beginning.
      const auto page = dice() % (bytes.size() / 4096) * 4096;
      const auto at = page + dice() % (dice() % 2 == 0 ? 64 : 4096);
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << dice() % 8));
    }
    std::ofstream{place.file(), std::ios::binary} << bytes;
    std::string text;
    if (replayed(text).how != reading_end::kind::answered)
      ++noticed;
    lines_of_history();
  }
  EXPECT_GT(noticed, 20);
}

} // namespace
} // namespace sliceferry::journal
