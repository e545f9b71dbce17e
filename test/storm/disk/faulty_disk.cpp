#include "test/storm/disk/faulty_disk.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace sliceferry::storm {

faulty_disk::faulty_disk(std::filesystem::path shim, std::filesystem::path control_file)
  : shim_{std::move(shim)}, file_{std::move(control_file)}, control_{&none_} {
  if (!std::filesystem::exists(shim_)) {
    wrong_ = shim_.string() + " isn't there: it is built with storm";
    return;
  }
  const int file = ::open(file_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  void* mapped = MAP_FAILED;
  if (file >= 0 && ::ftruncate(file, sizeof(disk_control)) == 0)
    mapped = ::mmap(nullptr, sizeof(disk_control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED)
    wrong_ = file_.string() + ": " + std::strerror(errno);
  else
    control_ = static_cast<disk_control*>(mapped);
  if (file >= 0)
    ::close(file);
}

faulty_disk::~faulty_disk() {
  if (control_ != &none_)
    ::munmap(control_, sizeof(disk_control));
}

std::string faulty_disk::control_variable() const {
  return std::string{disk_control_variable} + '=' + file_.string();
}

void faulty_disk::fill(bool is_full) {
  control_->full = is_full ? 1 : 0;
}

void faulty_disk::hang(bool does) {
  control_->hangs = does ? 1 : 0;
}

void faulty_disk::fail(unsigned percent, std::uint64_t seed) {
  control_->chance = seed;
  control_->errors_percent = percent;
}

void faulty_disk::slow(std::chrono::milliseconds each_sync) {
  control_->sync_delay_ms = static_cast<std::uint32_t>(each_sync.count());
}

void faulty_disk::kill_at(commit_step step, std::int64_t commits) {
  control_->kill_in = 0;
  control_->kill_step = static_cast<std::uint32_t>(step);
  control_->kill_in = commits;
}

void faulty_disk::heal() {
  kill_at(commit_step::pages_written, 0);
  fill(false);
  hang(false);
  fail(0, 0);
  slow(std::chrono::milliseconds{0});
}

} // namespace sliceferry::storm
