#include "test/journal/disk_faults.hpp"

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>

namespace sliceferry::journal::disk_faults {
namespace {

std::atomic<bool> active{false};
std::mutex mutex;
std::condition_variable changed;
fault current;
bool hangs = false;
unsigned hanging = 0;

bool is_journal(int file) {
  std::array<char, 512> target{};
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t size = readlink(link.c_str(), target.data(), target.size());
  const std::string_view name(target.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  return name.ends_with("journal.mdb") || name.find("journal.mdb.room-") != name.npos;
}

} // namespace

/// True if the call shall not be made; `errno` says why.
bool stops(int file, call which) {
  if (!active || !is_journal(file))
    return false;
  std::unique_lock lock(mutex);
  ++hanging;
  changed.notify_all();
  changed.wait(lock, [] { return !hangs; });
  --hanging;
  errno = current ? current(which) : 0;
  return errno != 0;
}

void set(fault wanted) {
  const std::lock_guard lock(mutex);
  active = static_cast<bool>(wanted) || hangs;
  current = std::move(wanted);
}

hang::hang() {
  const std::lock_guard lock(mutex);
  hangs = true;
  active = true;
}

void hang::wait_for_one() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return hanging > 0; });
}

void hang::release() {
  const std::lock_guard lock(mutex);
  hangs = false;
  active = static_cast<bool>(current);
  changed.notify_all();
}

} // namespace sliceferry::journal::disk_faults

namespace faults = sliceferry::journal::disk_faults;

extern "C" {

__attribute__((visibility("default"))) ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  return faults::stops(file, faults::call::pwrite) ? -1 : syscall(SYS_pwrite64, file, bytes, size, at);
}

__attribute__((visibility("default"))) ssize_t writev(int file, const iovec* parts, int count) {
  return faults::stops(file, faults::call::writev) ? -1 : syscall(SYS_writev, file, parts, count);
}

__attribute__((visibility("default"))) int fdatasync(int file) {
  return faults::stops(file, faults::call::fdatasync) ? -1 : static_cast<int>(syscall(SYS_fdatasync, file));
}

__attribute__((visibility("default"))) int posix_fallocate(int file, off_t at, off_t size) {
  if (faults::stops(file, faults::call::fallocate))
    return errno;
  return syscall(SYS_fallocate, file, 0, at, size) == 0 ? 0 : errno;
}
}
