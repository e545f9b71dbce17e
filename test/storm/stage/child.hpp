#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sliceferry::storm {

/// What the system says of a process.
struct process_sample {
  std::uint64_t resident_bytes = 0;
  std::uint64_t private_bytes = 0; ///< of these, what no file backs: a mapped journal grows with the journal
  std::size_t threads = 0;
  std::size_t descriptors = 0;
  std::chrono::microseconds cpu{}; ///< user and system, since its start
};

/// How a child is started.
struct child_options {
  std::vector<std::string> command;
  std::vector<std::string> environment; ///< NAME=value, beside ours
  std::string log;                      ///< a file that its output is appended to
  int keep_fd = -1;                     ///< stays open in the child under the same number
  std::string output{};                 ///< a file made anew for its standard output; empty: that goes to the log too
};

/// A process that we started. It dies with us, even where we are killed, and at the latest with this object.
class child {
public:
  explicit child(child_options options);
  ~child();
  child(const child&) = delete;
  child& operator=(const child&) = delete;

  bool start(); ///< again, after its end; false where the program can't be run
  bool alive();
  void signal(int number);
  /// The exit code (128 + signal where one ended it), once it has ended; nothing if it hasn't by then.
  std::optional<int> wait(std::chrono::milliseconds patience);
  /// SIGKILL, and waits.
  void kill();

  std::optional<process_sample> sample();
  pid_t pid() const { return pid_; }
  /// The end of its log.
  std::string tail(std::size_t bytes = 3'000) const;

private:
  child_options options_;
  pid_t pid_ = -1;
  std::optional<int> code_;
};

} // namespace sliceferry::storm
