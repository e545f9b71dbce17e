#include "actors/journal/file_trouble.hpp"

#include "actors/journal/journal_directory.hpp"
#include "actors/journal/reader_lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace sliceferry::journal {
namespace {

/// What LMDB writes by one call, beside what is appended: 64 pages.
constexpr std::uint64_t one_write_bytes = std::uint64_t{64} * 4096;

/// Nothing but a try tells it: quotas and what is kept for root count too.
bool has_room(const std::string& beside, std::uint64_t bytes) {
  std::string form = beside + ".room-XXXXXX";
  const owned_descriptor file{mkostemp(form.data(), O_CLOEXEC)};
  if (!file)
    return errno != ENOSPC && errno != EDQUOT;
  unlink(form.c_str());
  const int why = posix_fallocate(file.get(), 0, static_cast<off_t>(bytes));
  return why != ENOSPC && why != EDQUOT;
}

} // namespace

std::string words_of_trouble(const lmdb::failure& why, const std::string& journal_file, std::uint64_t bytes) {
  if (why.code() == EACCES || why.code() == EPERM)
    return "cannot open " + file_in_the_way(journal_file, false) + ": " + std::strerror(why.code());
  const bool is_full = why.code() == EIO && !has_room(journal_file, bytes + one_write_bytes);
  return is_full ? why.as(ENOSPC).text() : why.text();
}

} // namespace sliceferry::journal
