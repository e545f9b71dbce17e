#include "actors/journal/history.hpp"
#include "actors/journal/journal_reader.hpp"
#include "actors/journal/reader_lock.hpp"
#include "test/journal/made_journal.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>

namespace sliceferry::journal {
namespace {

constexpr uid_t another = 12'345;

struct stat status_of(const std::string& file) {
  struct stat out {};
  EXPECT_EQ(stat(file.c_str(), &out), 0) << file;
  return out;
}

class ReaderLock : public testing::Test {
protected:
  ReaderLock() {
    journal.format();
    std::filesystem::remove(lock());
  }
  std::string lock() const { return journal.file() + "-lock"; }
  reading_end ask() const {
    return show_history({.directory = journal.directory()}, [](std::string_view) { return true; });
  }
  std::size_t files() const {
    std::size_t out = 0;
    for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator{journal.directory()})
      ++out;
    return out;
  }

  made_journal journal;
};

TEST_F(ReaderLock, IsWhoseTheJournalIs) {
  const bool is_root = geteuid() == 0;
  ASSERT_EQ(chmod(journal.file().c_str(), 0660), 0);
  if (is_root) {
    ASSERT_EQ(chown(journal.file().c_str(), another, another), 0);
  }
  ASSERT_EQ(ask().how, reading_end::kind::answered);
  const auto made = status_of(lock());
  const auto like = status_of(journal.file());
  EXPECT_EQ(made.st_uid, like.st_uid);
  EXPECT_EQ(made.st_gid, like.st_gid);
  EXPECT_EQ(made.st_mode, like.st_mode);
  EXPECT_EQ(files(), 2U) << "nothing else was left behind";
  journal.add({{1, moment{}, {"m", "u"}, {"n", "s"}, remembered{}}});
  EXPECT_EQ(status_of(lock()).st_ino, made.st_ino) << "the writer goes on with it";
}

TEST_F(ReaderLock, LeavesAloneTheOneThatIsThere) {
  journal.add({});
  const auto before = status_of(lock());
  ASSERT_EQ(ask().how, reading_end::kind::answered);
  EXPECT_EQ(status_of(lock()).st_ino, before.st_ino);
  EXPECT_EQ(status_of(lock()).st_uid, before.st_uid);
}

/// What this function tells, when it runs as a user who owns nothing here.
std::string as_nobody(const std::function<std::string()>& work) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const bool is_other = setgid(another) == 0 && setuid(another) == 0;
    const std::string said = is_other ? work() : "still the same user";
    _exit(write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string out(4096, ' ');
  out.resize(static_cast<std::size_t>(std::max<ssize_t>(read(ends[0], out.data(), out.size()), 0)));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return out;
}

std::string objection(const std::string& directory) {
  const auto opened = journal_reader::open(directory);
  const auto* why = std::get_if<std::string>(&opened);
  return why ? *why : "none";
}

TEST_F(ReaderLock, ReadsWithoutWhereItCannotBeGivenAway) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can be another user";
  std::filesystem::permissions(journal.directory(), std::filesystem::perms::all);
  ASSERT_EQ(chmod(journal.file().c_str(), 0644), 0);
  EXPECT_EQ(as_nobody([&] { return objection(journal.directory()); }), "none");
  EXPECT_EQ(files(), 1U) << "nothing that the owner can't open";
}

TEST_F(ReaderLock, NamesTheFileThatCannotBeOpened) {
  if (geteuid() != 0)
    GTEST_SKIP() << "root may open all";
  std::filesystem::permissions(journal.directory(), std::filesystem::perms::all);
  std::ofstream{lock()};
  for (const auto& [closed, mode] : {std::pair{journal.file(), 0666}, {lock(), 0666}}) {
    ASSERT_EQ(chmod(journal.file().c_str(), mode_t(mode)), 0);
    ASSERT_EQ(chmod(lock().c_str(), mode_t(mode)), 0);
    ASSERT_EQ(chmod(closed.c_str(), 0600), 0);
    EXPECT_NE(as_nobody([&] { return objection(journal.directory()); }).find(closed + ':'), std::string::npos);
    EXPECT_EQ(as_nobody([&] { return file_in_the_way(journal.file(), false); }), closed);
  }
}

} // namespace
} // namespace sliceferry::journal
