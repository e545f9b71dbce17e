#include "actors/journal/journal_directory.hpp"

#include "actors/journal/journal_layout.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>

namespace sliceferry::journal {
namespace {

constexpr int looks_max = 25;
constexpr int pause_ms = 20;

/// Empty: whoever holds it hasn't said.
std::string pid_in(int lock) {
  std::array<char, 32> text{};
  const ssize_t size = pread(lock, text.data(), text.size(), 0);
  std::string out;
  for (ssize_t i = 0; i < size && text[static_cast<std::size_t>(i)] >= '0' && text[static_cast<std::size_t>(i)] <= '9';
       ++i)
    out += text[static_cast<std::size_t>(i)];
  return out;
}

std::string holder_of(int lock) {
  const std::string pid = pid_in(lock);
  return pid.empty() ? pid : " (pid " + pid + ')';
}

/// So that the new name outlasts a loss of power; where that can't be had, the old one is found again.
void sync_directory(const std::string& directory) {
  const owned_descriptor open{::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (open)
    fsync(open.get());
}

} // namespace

owned_descriptor::~owned_descriptor() {
  if (number_ >= 0)
    ::close(number_);
}

directory_claim claim_directory(const std::string& directory, int pid) {
  directory_claim out;
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed) {
    out.why = "cannot make " + directory + ": " + failed.message();
    return out;
  }
  owned_descriptor lock{::open(layout::lock_file(directory).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
  if (!lock) {
    out.why = "cannot open " + layout::lock_file(directory) + ": " + std::strerror(errno);
    return out;
  }
  for (int looks = 0; flock(lock.get(), LOCK_EX | LOCK_NB) != 0; ++looks) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      out.why = "cannot lock " + directory + ": " + std::strerror(errno);
      return out;
    }
    if (looks == looks_max) {
      out.taken = true;
      out.why = "another sliceferry" + holder_of(lock.get()) + " writes the journal in " + directory;
      return out;
    }
    poll(nullptr, 0, pause_ms);
  }
  const std::string holder = std::to_string(pid) + '\n';
  if (ftruncate(lock.get(), 0) != 0 || pwrite(lock.get(), holder.data(), holder.size(), 0) < 0) {
    // The pid is for an error's text alone; a full disk shows where it matters.
  }
  out.lock = std::move(lock);
  return out;
}

std::string living_writer(const std::string& directory) {
  const owned_descriptor lock{::open(layout::lock_file(directory).c_str(), O_RDONLY | O_CLOEXEC)};
  // Where it is free it is ours for this moment, which who claims it waits for.
  if (!lock || flock(lock.get(), LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return {};
  const std::string pid = pid_in(lock.get());
  return pid.empty() ? "another process" : "pid " + pid;
}

std::string stamp_of(moment time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm fields{};
  gmtime_r(&seconds, &fields);
  std::array<char, 32> out{};
  std::strftime(out.data(), out.size(), "%Y%m%dT%H%M%SZ", &fields);
  return out.data();
}

std::string set_aside(const std::string& directory, moment now, std::string& name) {
  const std::string from = layout::journal_file(directory);
  const std::string wanted = from + ".set-aside-" + stamp_of(now);
  std::error_code failed;
  name = wanted;
  for (int n = 2; std::filesystem::exists(std::filesystem::symlink_status(name, failed)); ++n)
    name = wanted + '-' + std::to_string(n);
  std::filesystem::rename(from, name, failed);
  if (failed)
    return "cannot rename " + from + ": " + failed.message();
  // Readers of the old file keep its locks.
  std::filesystem::remove(from + "-lock", failed);
  sync_directory(directory);
  return {};
}

} // namespace sliceferry::journal
