#pragma once
#include "test/storm/disk/disk_control.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sliceferry::storm {

/// The stage's hand on the disk under a journal: a control file, and the variables by which a process started with
/// them meets that disk. Without faults until told; a process that is running feels each change at once.
class faulty_disk {
public:
  /// `shim` is the library to preload. The control file is made anew.
  faulty_disk(std::filesystem::path shim, std::filesystem::path control_file);
  ~faulty_disk();
  faulty_disk(const faulty_disk&) = delete;
  faulty_disk& operator=(const faulty_disk&) = delete;

  /// Empty, or why it can't work: the shim or the control file isn't there.
  const std::string& wrong() const { return wrong_; }
  const std::filesystem::path& shim() const { return shim_; }
  std::string control_variable() const;

  void fill(bool is_full);
  void hang(bool does);
  void fail(unsigned percent, std::uint64_t seed); ///< 0 percent: no more errors
  void slow(std::chrono::milliseconds each_sync);
  /// The process gets a SIGKILL in the n-th commit from now, right after this step of it.
  void kill_at(commit_step step, std::int64_t commits);
  /// No kill is to come, and no fault is on.
  void heal();

  const disk_control& control() const { return *control_; }

private:
  std::filesystem::path shim_, file_;
  std::string wrong_;
  disk_control* control_ = nullptr;
  disk_control none_{}; ///< what `control_` is where nothing could be mapped
};

} // namespace sliceferry::storm
