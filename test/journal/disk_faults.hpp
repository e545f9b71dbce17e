#pragma once
#include <functional>

/// Stands between the program and the system's calls that write: this test program's own versions of them are found
/// before the C library's, by LMDB too.
namespace sliceferry::journal::disk_faults {

enum class call { pwrite, writev, fdatasync, fallocate };

/// Looked at before each such call on a journal's file, or on one made beside it to try for room; returns the error it
/// shall end with, or 0.
using fault = std::function<int(call)>;

/// Empty: none any more.
void set(fault wanted);

/// Each call fails with this error.
inline fault always(int error) {
  return [error](call) { return error; };
}

/// Calls wait while this exists; until `release`.
class hang {
public:
  hang();
  ~hang() { release(); }
  hang(const hang&) = delete;
  hang& operator=(const hang&) = delete;

  /// Waits until a call waits.
  void wait_for_one();
  void release();
};

} // namespace sliceferry::journal::disk_faults
