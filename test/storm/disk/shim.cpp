/// The disk under the journal, as a library to be preloaded: it stands between the program and libc, lets everything
/// pass but what concerns the journal's data file, and there does what the control file says.
///
/// LMDB 0.9 opens its data file twice. Pages go through the first descriptor by pwrite, or by lseek and writev where
/// several follow each other; then fdatasync; then the meta page by pwrite through the second, which is opened with
/// O_DSYNC. Reads go through a mapping and can't be met here.

#include "test/storm/disk/disk_control.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

namespace sliceferry::storm {
namespace {

constexpr std::string_view data_file = "journal.mdb"; ///< and what begins so, but for the lock beside it
constexpr std::string_view lock_suffix = "lock";
constexpr int pause_ms = 5;
constexpr std::size_t descriptors_max = 1 << 16;

enum class role : std::uint8_t { other, pages, meta };
std::array<std::atomic<role>, descriptors_max> roles{};

template <class Function>
Function* real(const char* name) {
  void* const found = ::dlsym(RTLD_NEXT, name);
  Function* out = nullptr;
  static_assert(sizeof(out) == sizeof(found));
  std::memcpy(&out, &found, sizeof(out));
  return out;
}

disk_control* map_control() {
  const char* path = std::getenv(disk_control_variable);
  static auto* const open_file = real<int(const char*, int, ...)>("open");
  const int file = path ? open_file(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0)
    return nullptr;
  void* const mapped = ::mmap(nullptr, sizeof(disk_control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  return mapped == MAP_FAILED ? nullptr : static_cast<disk_control*>(mapped);
}

/// Null: no faults.
disk_control* control() {
  static disk_control* const mapped = map_control();
  return mapped;
}

role role_of(int fd) {
  return fd < 0 || static_cast<std::size_t>(fd) >= descriptors_max ? role::other
                                                                   : roles[static_cast<std::size_t>(fd)].load();
}

void remember(int fd, const char* path, int flags) {
  if (fd < 0 || static_cast<std::size_t>(fd) >= descriptors_max)
    return;
  std::string_view name{path};
  name.remove_prefix(name.rfind('/') + 1); // npos + 1 is 0
  const bool is_data = name.starts_with(data_file) && !name.ends_with(lock_suffix);
  const bool is_synced = (flags & O_DSYNC) != 0;
  roles[static_cast<std::size_t>(fd)] = !is_data ? role::other : is_synced ? role::meta : role::pages;
}

void forget(int fd) {
  if (role_of(fd) != role::other)
    roles[static_cast<std::size_t>(fd)] = role::other;
}

void wait_ms(int span) {
  const int kept = errno;
  ::poll(nullptr, 0, span);
  errno = kept;
}

void take(disk_control& disk, commit_step step) {
  if (disk.kill_in.load() <= 0 || disk.kill_step.load() != static_cast<std::uint32_t>(step))
    return;
  if (disk.kill_in.fetch_sub(1) != 1)
    return;
  ++disk.kills;
  ::kill(::getpid(), SIGKILL);
  while (true)
    wait_ms(1'000); // the other threads may still run for a moment, this one does nothing more
}

bool is_struck(disk_control& disk) {
  const auto percent = disk.errors_percent.load();
  if (percent == 0)
    return false;
  std::uint64_t mixed = disk.chance.fetch_add(0x9e3779b97f4a7c15ULL) + 0x9e3779b97f4a7c15ULL; // splitmix64
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebULL;
  return (mixed ^ (mixed >> 31U)) % 100 < percent;
}

/// The errno that a write or sync shall fail with, or 0.
int refusal(disk_control& disk, bool writes) {
  while (disk.hangs.load() != 0)
    wait_ms(pause_ms);
  const int out = writes && disk.full.load() != 0 ? ENOSPC : is_struck(disk) ? EIO : 0;
  if (out != 0)
    ++disk.refused;
  return out;
}

template <class Call>
auto write_through(int fd, Call call) -> decltype(call()) {
  const auto what = role_of(fd);
  auto* const disk = what == role::other ? nullptr : control();
  if (!disk)
    return call();
  ++disk->writes;
  if (const int wrong = refusal(*disk, true); wrong != 0) {
    errno = wrong;
    return -1;
  }
  const auto out = call();
  if (what == role::meta && out >= 0)
    take(*disk, commit_step::meta_written);
  return out;
}

template <class Call>
int sync_through(bool is_journal, Call call) {
  auto* const disk = is_journal ? control() : nullptr;
  if (!disk)
    return call();
  ++disk->syncs;
  take(*disk, commit_step::pages_written);
  if (const auto longer = disk->sync_delay_ms.load(); longer != 0)
    wait_ms(static_cast<int>(longer));
  if (const int wrong = refusal(*disk, false); wrong != 0) {
    errno = wrong;
    return -1;
  }
  const int out = call();
  if (out == 0)
    take(*disk, commit_step::pages_synced);
  return out;
}

/// `open` and its like take a mode only where they may create.
mode_t mode_from(int flags, std::va_list rest) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? static_cast<mode_t>(va_arg(rest, unsigned)) : 0;
}

} // namespace
} // namespace sliceferry::storm

using namespace sliceferry::storm;

// NOLINTBEGIN: these names and signatures are libc's.
#define STORM_OPEN(name)                                                                                               \
  int name(const char* path, int flags, ...) {                                                                         \
    static auto* const next = real<int(const char*, int, ...)>(#name);                                                 \
    std::va_list rest;                                                                                                 \
    va_start(rest, flags);                                                                                             \
    const auto mode = mode_from(flags, rest);                                                                          \
    va_end(rest);                                                                                                      \
    const int fd = next(path, flags, mode);                                                                            \
    remember(fd, path, flags);                                                                                         \
    return fd;                                                                                                         \
  }
#define STORM_OPENAT(name)                                                                                             \
  int name(int folder, const char* path, int flags, ...) {                                                             \
    static auto* const next = real<int(int, const char*, int, ...)>(#name);                                            \
    std::va_list rest;                                                                                                 \
    va_start(rest, flags);                                                                                             \
    const auto mode = mode_from(flags, rest);                                                                          \
    va_end(rest);                                                                                                      \
    const int fd = next(folder, path, flags, mode);                                                                    \
    remember(fd, path, flags);                                                                                         \
    return fd;                                                                                                         \
  }
#define STORM_PWRITE(name)                                                                                             \
  ssize_t name(int fd, const void* from, size_t count, off_t at) {                                                     \
    static auto* const next = real<ssize_t(int, const void*, size_t, off_t)>(#name);                                   \
    return write_through(fd, [&] { return next(fd, from, count, at); });                                               \
  }
#define STORM_PWRITEV(name)                                                                                            \
  ssize_t name(int fd, const iovec* parts, int count, off_t at) {                                                      \
    static auto* const next = real<ssize_t(int, const iovec*, int, off_t)>(#name);                                     \
    return write_through(fd, [&] { return next(fd, parts, count, at); });                                              \
  }
#define STORM_FTRUNCATE(name)                                                                                          \
  int name(int fd, off_t size) noexcept {                                                                              \
    static auto* const next = real<int(int, off_t)>(#name);                                                            \
    return write_through(fd, [&] { return next(fd, size); });                                                          \
  }
#define STORM_SYNC(name)                                                                                               \
  int name(int fd) {                                                                                                   \
    static auto* const next = real<int(int)>(#name);                                                                   \
    return sync_through(role_of(fd) != role::other, [&] { return next(fd); });                                         \
  }

extern "C" {

STORM_OPEN(open)
STORM_OPEN(open64)
STORM_OPENAT(openat)
STORM_OPENAT(openat64)
STORM_PWRITE(pwrite)
STORM_PWRITE(pwrite64)
STORM_PWRITEV(pwritev)
STORM_PWRITEV(pwritev64)
STORM_FTRUNCATE(ftruncate)
STORM_FTRUNCATE(ftruncate64)
STORM_SYNC(fsync)
STORM_SYNC(fdatasync)

ssize_t write(int fd, const void* from, size_t count) {
  static auto* const next = real<ssize_t(int, const void*, size_t)>("write");
  return write_through(fd, [&] { return next(fd, from, count); });
}

ssize_t writev(int fd, const iovec* parts, int count) {
  static auto* const next = real<ssize_t(int, const iovec*, int)>("writev");
  return write_through(fd, [&] { return next(fd, parts, count); });
}

/// Nobody in these processes syncs a mapping but LMDB, where it writes through one.
int msync(void* from, size_t count, int flags) {
  static auto* const next = real<int(void*, size_t, int)>("msync");
  return sync_through(true, [&] { return next(from, count, flags); });
}

int close(int fd) {
  static auto* const next = real<int(int)>("close");
  forget(fd);
  return next(fd);
}

} // extern "C"
// NOLINTEND
