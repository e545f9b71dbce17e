#pragma once
#include <cstdint>
#include <ctime>
#include <fstream>
#include <string>

#include <sys/resource.h>
#include <sys/types.h>

namespace sliceferry::bench {

/// User and system time since the process began, of threads that ended too; 0 is the caller itself.
inline double cpu_seconds(pid_t of = 0) {
  clockid_t clock{};
  timespec spent{};
  if (clock_getcpuclockid(of, &clock) != 0 || clock_gettime(clock, &spent) != 0)
    return 0;
  return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) * 1e-9;
}

/// The same of the caller's children, of those that have ended.
inline double children_cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// What a process holds in RAM, in bytes.
struct resident_memory {
  double own = 0;     ///< its heap, stacks and data
  double files = 0;   ///< pages of mapped files: the program itself, and the journal as far as it was looked at
  double highest = 0; ///< of all, since it began
};

inline resident_memory memory_of(pid_t process) {
  resident_memory out;
  std::ifstream status{"/proc/" + std::to_string(process) + "/status"};
  std::string key;
  double kib = 0;
  for (std::string line; status >> key; std::getline(status, line)) {
    double* const to = key == "RssAnon:"   ? &out.own
                       : key == "RssFile:" ? &out.files
                       : key == "VmHWM:"   ? &out.highest
                                           : nullptr;
    if (to != nullptr && status >> kib)
      *to = kib * 1024;
  }
  return out;
}

/// Bytes that this process caused to be written to disks.
inline double written_bytes() {
  std::ifstream io{"/proc/self/io"};
  std::string key;
  for (double number = 0; io >> key >> number;)
    if (key == "write_bytes:")
      return number;
  return 0;
}

} // namespace sliceferry::bench
