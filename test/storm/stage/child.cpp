#include "test/storm/stage/child.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sliceferry::storm {
namespace {

/// Between fork and exec: nothing but system calls.
[[noreturn]] void become(char* const* arguments, char* const* environment, const int (&outputs)[2], int keep,
                         pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent)
    ::_exit(127); // it ended before the line above
  const int null = ::open("/dev/null", O_RDONLY);
  ::dup2(null, STDIN_FILENO);
  ::dup2(outputs[0], STDOUT_FILENO);
  ::dup2(outputs[1], STDERR_FILENO);
  if (keep >= 0)
    ::fcntl(keep, F_SETFD, 0);
  ::signal(SIGINT, SIG_IGN); // a terminal's Ctrl-C is ours to pass on
  ::execvpe(arguments[0], arguments, environment);
  ::_exit(127);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (auto& each : texts)
    out.push_back(each.data());
  out.push_back(nullptr);
  return out;
}

std::uint64_t cpu_ns_of(const std::filesystem::path& tasks) {
  std::uint64_t all = 0;
  std::error_code gone;
  for (std::filesystem::directory_iterator at{tasks, gone}, end; !gone && at != end; at.increment(gone)) {
    std::uint64_t ns = 0;
    if (std::ifstream{at->path() / "schedstat"} >> ns)
      all += ns;
  }
  return all;
}

} // namespace

child::child(child_options options) : options_{std::move(options)} {}

child::~child() {
  kill();
}

bool child::start() {
  kill();
  code_.reset();
  std::vector<std::string> environment = options_.environment;
  for (char** each = ::environ; *each; ++each)
    environment.emplace_back(*each);
  const auto arguments = pointers(options_.command);
  const auto variables = pointers(environment);
  const int log = ::open(options_.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const int output =
    options_.output.empty() ? log : ::open(options_.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  const pid_t us = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0)
    become(arguments.data(), variables.data(), {output, log}, options_.keep_fd, us);
  ::close(log);
  if (output != log)
    ::close(output);
  return pid_ > 0;
}

bool child::alive() {
  return pid_ > 0 && !wait(std::chrono::milliseconds{0});
}

void child::signal(int number) {
  if (alive())
    ::kill(pid_, number);
}

std::optional<int> child::wait(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (pid_ > 0 && !code_) {
    int status = 0;
    const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
    if (ended == pid_)
      code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    else if (ended < 0 && errno != EINTR)
      code_ = 127;
    else if (std::chrono::steady_clock::now() >= until)
      break;
    else
      ::poll(nullptr, 0, 2);
  }
  return code_;
}

void child::kill() {
  if (pid_ <= 0 || code_)
    return;
  ::kill(pid_, SIGKILL);
  wait(std::chrono::seconds{10});
}

std::optional<process_sample> child::sample() {
  if (!alive())
    return {};
  const auto folder = std::filesystem::path{"/proc"} / std::to_string(pid_);
  process_sample out;
  std::ifstream status{folder / "status"};
  for (std::string line; std::getline(status, line);) {
    std::istringstream words{line};
    std::string key;
    std::uint64_t number = 0;
    words >> key >> number;
    if (key == "VmRSS:")
      out.resident_bytes = number * 1024;
    else if (key == "RssAnon:")
      out.private_bytes = number * 1024;
    else if (key == "Threads:")
      out.threads = number;
  }
  std::error_code gone;
  for (std::filesystem::directory_iterator at{folder / "fd", gone}, end; !gone && at != end; at.increment(gone))
    ++out.descriptors;
  out.cpu = std::chrono::microseconds{cpu_ns_of(folder / "task") / 1000};
  return out.resident_bytes == 0 ? std::nullopt : std::optional{out};
}

std::string child::tail(std::size_t bytes) const {
  std::ifstream log{options_.log, std::ios::binary | std::ios::ate};
  if (!log)
    return {};
  const auto size = static_cast<std::size_t>(log.tellg());
  log.seekg(static_cast<std::streamoff>(size > bytes ? size - bytes : 0));
  std::ostringstream out;
  out << log.rdbuf();
  return std::move(out).str();
}

} // namespace sliceferry::storm
