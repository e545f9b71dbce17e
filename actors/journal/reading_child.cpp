#include "actors/journal/reading_child.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>

namespace sliceferry::journal {
namespace {

using kind = reading_end::kind;

/// What goes through the pipe: a letter, the size of the text, the text.
constexpr char piece = 't';
constexpr char ends[] = {'a', 'd', 'f', 'm'}; // in the order of `kind`

bool write_all(int to, const void* from, std::size_t size) {
  const char* at = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t written = ::write(to, at, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    at += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

bool read_all(int from, void* into, std::size_t size) {
  char* at = static_cast<char*>(into);
  while (size > 0) {
    const ssize_t got = ::read(from, at, size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool send(int to, char what, std::string_view text) {
  const std::uint64_t size = text.size();
  return write_all(to, &what, 1) && write_all(to, &size, sizeof size) && write_all(to, text.data(), text.size());
}

struct part {
  char what = 0;
  std::string text;
};

std::optional<part> receive(int from) {
  part out;
  std::uint64_t size = 0;
  if (!read_all(from, &out.what, 1) || !read_all(from, &size, sizeof size))
    return std::nullopt;
  out.text.resize(size);
  if (!read_all(from, out.text.data(), size))
    return std::nullopt;
  return out;
}

[[noreturn]] void live_as_child(const std::function<reading_end(const text_sink&)>& work, int to, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
  for (const int each : {SIGSEGV, SIGBUS, SIGABRT})
    ::signal(each, SIG_DFL);
  ::signal(SIGPIPE, SIG_IGN);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const reading_end end = work([to](std::string_view text) { return send(to, piece, text); });
  send(to, ends[static_cast<std::size_t>(end.how)], end.note);
  _exit(0);
}

/// Hands on what the child says; nothing if it fell silent before its end.
std::optional<reading_end> listen(int from, const text_sink& sink) {
  while (const auto got = receive(from)) {
    for (std::size_t i = 0; i < std::size(ends); ++i)
      if (got->what == ends[i])
        return reading_end{static_cast<kind>(i), got->text};
    if (!sink(got->text))
      return reading_end{};
  }
  return std::nullopt;
}

std::string death_of(int status) {
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                             : "status " + std::to_string(WEXITSTATUS(status));
}

} // namespace

reading_end read_in_child(const std::string& directory, const std::function<reading_end(const text_sink&)>& work,
                          const text_sink& sink) {
  std::array<int, 2> pipe_ends{};
  if (::pipe(pipe_ends.data()) != 0)
    return {kind::failed, std::string{"cannot read the journal: "} + std::strerror(errno) + '\n'};
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    ::close(pipe_ends[0]);
    live_as_child(work, pipe_ends[1], parent);
  }
  const int why = errno;
  ::close(pipe_ends[1]);
  if (child < 0) {
    ::close(pipe_ends[0]);
    return {kind::failed, std::string{"cannot read the journal: "} + std::strerror(why) + '\n'};
  }
  const auto end = listen(pipe_ends[0], sink);
  ::close(pipe_ends[0]);
  if (end)
    kill(child, SIGKILL); // it has said all, or nobody listens
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (end)
    return *end;
  return {kind::failed, "the journal in " + directory + " is damaged: its reader was ended by " + death_of(status) +
                          "; the running program, or the next start, sets it aside\n"};
}

} // namespace sliceferry::journal
