#include "actors/journal/directory_check.hpp"

#include "test/journal/journal_place.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

namespace sliceferry::journal {
namespace {

namespace fs = std::filesystem;

/// What is asked, asked as a user whose rights count: root may do anything.
std::string asked_without_privileges(const std::string& directory) {
  const auto before = geteuid();
  const bool is_root = before == 0;
  EXPECT_TRUE(!is_root || seteuid(65'534) == 0);
  const auto out = unfit_directory(directory);
  EXPECT_TRUE(!is_root || seteuid(before) == 0);
  return out;
}

TEST(DirectoryCheck, TellsWhatNoDiskCouldMend) {
  struct row {
    const char* name;
    std::function<std::string(const std::string&)> make; ///< in an empty directory; returns the one to ask about
    std::string says;                                    ///< empty: it is fit
  };
  const auto touch = [](const std::string& file) { std::ofstream{file} << "x"; };
  const auto forbid = [](const std::string& path) { fs::permissions(path, fs::perms::none); };
  const row table[] = {
    {"it is there", [](const auto& in) { return in; }, ""},
    {"it isn't there yet", [](const auto& in) { return in + "/a/b"; }, ""},
    {"with a journal",
     [&](const auto& in) {
       touch(in + "/journal.mdb");
       fs::permissions(in + "/journal.mdb", fs::perms::all);
       return in;
     },
     ""},
    {"a file", [&](const auto& in) { return touch(in + "/f"), in + "/f"; }, "/f is a file"},
    {"below a file", [&](const auto& in) { return touch(in + "/f"), in + "/f/data"; }, "/f is a file"},
    {"a directory as journal", [](const auto& in) { return fs::create_directory(in + "/journal.mdb"), in; },
     "/journal.mdb is a directory"},
    {"a directory as LMDB's lock", [](const auto& in) { return fs::create_directory(in + "/journal.mdb-lock"), in; },
     "/journal.mdb-lock is a directory"},
    {"no rights in it", [&](const auto& in) { return fs::create_directory(in + "/d"), forbid(in + "/d"), in + "/d"; },
     "rights are missing to write in"},
    {"no rights to make it",
     [&](const auto& in) { return fs::create_directory(in + "/d"), forbid(in + "/d"), in + "/d/data"; },
     "rights are missing"},
    {"no rights to a journal",
     [&](const auto& in) { return touch(in + "/journal.mdb"), forbid(in + "/journal.mdb"), in; },
     "rights are missing to read and write"},
  };
  for (const auto& [name, make, says] : table) {
    SCOPED_TRACE(name);
    const temporary_directory place;
    fs::permissions(place.path(), fs::perms::all);
    const auto asked = make(place.path());
    const auto names = place.names();
    const auto got = asked_without_privileges(asked);
    EXPECT_EQ(got.empty(), says.empty()) << got;
    EXPECT_NE(got.find(says), std::string::npos) << got;
    if (!says.empty()) {
      EXPECT_EQ(got.find("data directory " + asked + ": "), 0U) << got;
      EXPECT_NE(got.find("name another"), std::string::npos) << got;
    }
    EXPECT_EQ(place.names(), names) << "a look makes nothing";
  }
}

} // namespace
} // namespace sliceferry::journal
