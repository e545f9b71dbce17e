#include "test/storm/disk/faulty_disk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <lmdb.h>
#include <optional>
#include <poll.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sliceferry::storm {
namespace {

constexpr unsigned many = 200;
constexpr unsigned several_pages = 20'000; ///< an entry of this size goes by writev or a long pwrite

struct ended {
  int exit_code = -1; ///< 128 + signal
  std::vector<int> commits;

  std::size_t good() const { return static_cast<std::size_t>(std::count(commits.begin(), commits.end(), 0)); }
};

/// An LMDB program under the shim, in a folder of its own.
class FaultyDisk : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "storm-disk-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    disk_.emplace(STORM_DISK_SHIM, folder_ / "control");
    ASSERT_EQ(disk_->wrong(), "");
  }

  void TearDown() override {
    if (pid_ > 0)
      end();
    std::filesystem::remove_all(folder_);
  }

  void start(unsigned commits, unsigned bytes) {
    const std::string count = std::to_string(commits), size = std::to_string(bytes);
    const std::string preload = "LD_PRELOAD=" + disk_->shim().string(), control = disk_->control_variable();
    const int out = ::open((folder_ / "said").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(out, STDOUT_FILENO);
      std::array<const char*, 5> arguments{STORM_DISK_WRITER, folder_.c_str(), count.c_str(), size.c_str(), nullptr};
      std::array<const char*, 3> variables{preload.c_str(), control.c_str(), nullptr};
      ::execve(STORM_DISK_WRITER, const_cast<char* const*>(arguments.data()),
               const_cast<char* const*>(variables.data()));
      ::_exit(127);
    }
    ::close(out);
  }

  ended end() {
    int status = 0;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    ended out;
    out.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    std::ifstream said{folder_ / "said"};
    std::string word;
    for (int code = 0; said >> word >> code;)
      out.commits.push_back(code);
    return out;
  }

  ended run(unsigned commits, unsigned bytes) {
    start(commits, bytes);
    return end();
  }

  /// What a reader without the shim finds.
  std::size_t entries() const {
    MDB_env* file = nullptr;
    MDB_txn* look = nullptr;
    MDB_dbi table = 0;
    MDB_stat told{};
    mdb_env_create(&file);
    if (mdb_env_open(file, (folder_ / "journal.mdb").c_str(), MDB_NOSUBDIR | MDB_RDONLY, 0) == 0 &&
        mdb_txn_begin(file, nullptr, MDB_RDONLY, &look) == 0) {
      mdb_dbi_open(look, nullptr, 0, &table);
      mdb_stat(look, table, &told);
      mdb_txn_abort(look);
    }
    mdb_env_close(file);
    return told.ms_entries;
  }

  std::filesystem::path folder_;
  std::optional<faulty_disk> disk_;
  pid_t pid_ = -1;
};

TEST_F(FaultyDisk, WithoutFaultsLetsAllPassAndSeesEachWriteAndSync) {
  for (const unsigned bytes : {100U, several_pages}) {
    const auto writes = disk_->control().writes.load(), syncs = disk_->control().syncs.load();
    const auto found = run(many, bytes);
    EXPECT_EQ(found.exit_code, 0);
    EXPECT_EQ(found.good(), many);
    EXPECT_EQ(entries(), many);
    EXPECT_EQ(disk_->control().syncs - syncs, many) << "one fdatasync a commit";
    EXPECT_GE(disk_->control().writes - writes, 2 * many) << "pages and a meta page";
    EXPECT_EQ(disk_->control().refused, 0U);
  }
}

TEST_F(FaultyDisk, FullRefusesEachCommitForLackOfRoom) {
  ASSERT_EQ(run(1, 100).good(), 1U); // an empty file couldn't even be made
  disk_->fill(true);
  for (const unsigned bytes : {100U, several_pages}) {
    const auto found = run(5, bytes);
    EXPECT_EQ(found.commits, std::vector<int>(5, ENOSPC));
  }
  disk_->fill(false);
  EXPECT_EQ(run(5, 100).good(), 5U);
}

TEST_F(FaultyDisk, FailsWithTheGivenChanceAndRepeatsWithTheSeed) {
  const auto struck = [&](std::uint64_t seed) {
    std::filesystem::remove(folder_ / "journal.mdb");
    EXPECT_EQ(run(1, 100).good(), 1U);
    disk_->fail(20, seed);
    const auto found = run(many, 100);
    disk_->heal();
    EXPECT_GT(std::count(found.commits.begin(), found.commits.end(), EIO), 0);
    EXPECT_GT(found.good(), 0U);
    return found.commits;
  };
  const auto once = struck(1);
  EXPECT_EQ(struck(1), once);
  EXPECT_NE(struck(2), once);
  disk_->fail(100, 3);
  EXPECT_EQ(run(1, 100).good(), 0U);
}

TEST_F(FaultyDisk, SlowMakesEachSyncTakeLonger) {
  disk_->slow(std::chrono::milliseconds{30});
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(run(10, 100).good(), 10U);
  EXPECT_GE(std::chrono::steady_clock::now() - began, std::chrono::milliseconds{300});
}

TEST_F(FaultyDisk, HangsUntilToldOtherwise) {
  ASSERT_EQ(run(1, 100).good(), 1U);
  disk_->hang(true);
  const auto before = disk_->control().writes.load();
  start(1, 100);
  for (int i = 0; i < 2'000 && disk_->control().writes == before; ++i)
    ::poll(nullptr, 0, 5);
  ASSERT_GT(disk_->control().writes, before);
  EXPECT_EQ(::waitpid(pid_, nullptr, WNOHANG), 0) << "it must be held in its write";
  disk_->hang(false);
  EXPECT_EQ(end().good(), 1U);
}

TEST_F(FaultyDisk, KillsAtEachStepOfACommit) {
  struct row {
    commit_step step;
    std::size_t entries; ///< of ten commits, the tenth cut there
  };
  for (const auto& [step, expected] :
       {row{commit_step::pages_written, 9}, row{commit_step::pages_synced, 9}, row{commit_step::meta_written, 10}}) {
    SCOPED_TRACE(static_cast<int>(step));
    std::filesystem::remove(folder_ / "journal.mdb");
    disk_->kill_at(step, 10);
    const auto found = run(many, 100);
    EXPECT_EQ(found.exit_code, 128 + SIGKILL);
    EXPECT_EQ(found.good(), 9U) << "the tenth was never acknowledged";
    EXPECT_EQ(entries(), expected);
    EXPECT_EQ(disk_->control().kill_in, 0);
  }
  EXPECT_EQ(disk_->control().kills, 3U);
}

TEST_F(FaultyDisk, HealEndsEverything) {
  ASSERT_EQ(run(1, 100).good(), 1U);
  disk_->fill(true);
  disk_->hang(true);
  disk_->fail(100, 1);
  disk_->slow(std::chrono::hours{1});
  disk_->kill_at(commit_step::pages_written, 1);
  disk_->heal();
  EXPECT_EQ(run(3, 100).good(), 3U);
}

TEST(FaultyDiskAlone, SaysThatTheShimIsMissing) {
  const faulty_disk disk{"/nowhere/storm-disk.so", "/nowhere/control"};
  EXPECT_NE(disk.wrong().find("/nowhere/storm-disk.so"), std::string::npos);
}

} // namespace
} // namespace sliceferry::storm
