#include "actors/journal/reader_lock.hpp"

#include "actors/journal/journal_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace sliceferry::journal {
namespace {

/// LMDB's name for it.
std::string lock_of(const std::string& journal_file) {
  return journal_file + "-lock";
}

bool give(int file, const struct stat& like) {
  const bool is_given = fchown(file, like.st_uid, like.st_gid) == 0 || fchown(file, like.st_uid, ~gid_t{0}) == 0;
  return is_given && fchmod(file, like.st_mode & 0666U) == 0;
}

} // namespace

bool provide_lock_file(const std::string& journal_file) {
  const std::string lock = lock_of(journal_file);
  struct stat like {};
  if (access(lock.c_str(), F_OK) == 0 || stat(journal_file.c_str(), &like) != 0)
    return true;
  std::string form = lock + ".XXXXXX";
  const owned_descriptor made{mkostemp(form.data(), O_CLOEXEC)};
  if (!made)
    return false;
  // The program may start this moment, so it must never see the name before all is right.
  const bool is_there = give(made.get(), like) && (link(form.c_str(), lock.c_str()) == 0 || errno == EEXIST);
  unlink(form.c_str());
  return is_there;
}

std::string file_in_the_way(const std::string& journal_file, bool read_only) {
  const std::string lock = lock_of(journal_file);
  const auto is_closed = [](const std::string& file, int rights) {
    return faccessat(AT_FDCWD, file.c_str(), rights, AT_EACCESS) != 0;
  };
  if (is_closed(journal_file, read_only ? R_OK : R_OK | W_OK))
    return journal_file;
  return is_closed(lock, F_OK) || !is_closed(lock, R_OK | W_OK) ? journal_file : lock;
}

} // namespace sliceferry::journal
