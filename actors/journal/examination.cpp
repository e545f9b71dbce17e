#include "actors/journal/examination.hpp"

#include "actors/journal/journal_layout.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace sliceferry::journal {
namespace {

constexpr std::size_t answer_bytes_max = 4096;
/// What a killed child may take to be gone unless the disk holds it.
constexpr std::chrono::milliseconds end_within{200};

/// One answer of the child's: a letter, a number, a text and perhaps a descriptor.
struct answer {
  char kind = 0;
  std::uint64_t number = 0;
  std::string text;
  owned_descriptor given;
};

constexpr char claimed = 'c'; // with the lock
constexpr char admits = 'a';
constexpr char refuses = 'r';
constexpr char fails = 'f';
constexpr char verdict_is = 'v'; // the number: position * 16 + verdict

/// Room for one descriptor beside a message.
struct alignas(cmsghdr) descriptor_room {
  std::array<char, CMSG_SPACE(sizeof(int))> bytes{};
};

void send_answer(int to, const answer& what) {
  std::string bytes(1, what.kind);
  bytes.append(reinterpret_cast<const char*>(&what.number), sizeof what.number);
  bytes += what.text.substr(0, answer_bytes_max - bytes.size());
  iovec part{bytes.data(), bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  descriptor_room room;
  if (what.given) {
    message.msg_control = room.bytes.data();
    message.msg_controllen = room.bytes.size();
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    const int number = what.given.get();
    std::memcpy(CMSG_DATA(head), &number, sizeof number);
  }
  sendmsg(to, &message, MSG_NOSIGNAL);
}

/// Kind 0 where the child has ended.
answer take_answer(int from) {
  std::array<char, answer_bytes_max> bytes{};
  iovec part{bytes.data(), bytes.size()};
  msghdr message{};
  descriptor_room room;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = room.bytes.data();
  message.msg_controllen = room.bytes.size();
  const ssize_t size = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
  answer out;
  constexpr std::size_t head_bytes = 1 + sizeof out.number;
  if (size < static_cast<ssize_t>(head_bytes))
    return out;
  out.kind = bytes[0];
  std::memcpy(&out.number, bytes.data() + 1, sizeof out.number);
  out.text.assign(bytes.data() + head_bytes, static_cast<std::size_t>(size) - head_bytes);
  const cmsghdr* const head = CMSG_FIRSTHDR(&message);
  if (head != nullptr && head->cmsg_type == SCM_RIGHTS) {
    int number = -1;
    std::memcpy(&number, CMSG_DATA(head), sizeof number);
    out.given = owned_descriptor{number};
  }
  return out;
}

/// The child's whole life.
void examine(const std::string& directory, int to, pid_t parent) {
  directory_claim claim = claim_directory(directory, parent);
  if (!claim.lock) {
    send_answer(to, {claim.taken ? refuses : fails, 0, claim.why, {}});
    return;
  }
  // The parent must have it before the file is looked at: it may be what ends us, and is then set aside.
  send_answer(to, {claimed, 0, {}, std::move(claim.lock)});
  const std::string file = layout::journal_file(directory);
  const inspection first = look_at_version(file);
  if (first.what == inspection::verdict::newer) {
    send_answer(
      to, {refuses, 0, file + ": " + first.why + "; run that version, or move the file away to begin a new one", {}});
    return;
  }
  send_answer(to, {admits, 0, {}, {}});
  const inspection all = inspect(file);
  send_answer(to, {verdict_is, all.first_bad << 4 | static_cast<std::uint64_t>(all.what), all.why, {}});
}

[[noreturn]] void live_as_child(const std::string& directory, int to, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGTERM, SIGINT})
    ::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  examine(directory, to, parent);
  _exit(0);
}

} // namespace

std::string examination::begin(const std::string& directory) {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return std::string{"cannot examine the journal: "} + std::strerror(errno);
  answers_ = owned_descriptor{ends[0]};
  const owned_descriptor to{ends[1]};
  const pid_t parent = getpid();
  child_ = fork();
  if (child_ == 0)
    live_as_child(directory, to.get(), parent);
  return child_ < 0 ? std::string{"cannot examine the journal: "} + std::strerror(errno) : std::string{};
}

examination::~examination() {
  if (child_ <= 0)
    return;
  kill(child_, SIGKILL);
  // Its end closes the pipe. One that hangs in the disk dies later, and is a zombie until we end.
  char unread[256];
  bool has_ended = false;
  while (!has_ended && readable(end_within))
    has_ended = read(answers_.get(), unread, sizeof unread) <= 0;
  waitpid(child_, nullptr, has_ended ? 0 : WNOHANG);
}

bool examination::readable(std::chrono::milliseconds within) const {
  pollfd wanted{answers_.get(), POLLIN, 0};
  return poll(&wanted, 1, static_cast<int>(within.count())) > 0;
}

std::string examination::end_of_child() {
  int status = 0;
  if (waitpid(child_, &status, 0) != child_)
    return "its reader ended";
  child_ = -1;
  return WIFSIGNALED(status) ? "its reader was ended by signal " + std::to_string(WTERMSIG(status))
                             : "its reader ended with status " + std::to_string(WEXITSTATUS(status));
}

std::optional<examination::admission> examination::admitted(std::chrono::milliseconds within) {
  while (readable(within)) {
    answer got = take_answer(answers_.get());
    switch (got.kind) {
      case claimed:
        lock_ = std::move(got.given);
        continue;
      case refuses:
        return admission{{}, true, got.text};
      case fails:
        return admission{{}, false, got.text};
      default: // admitted, or it died of the file: that is then its verdict
        if (!lock_)
          return admission{{}, false, "cannot examine the journal: " + end_of_child()};
        return admission{std::move(lock_), false, {}};
    }
  }
  return std::nullopt;
}

std::optional<inspection> examination::verdict(std::chrono::milliseconds within) {
  if (!readable(within))
    return std::nullopt;
  const answer got = take_answer(answers_.get());
  if (got.kind != verdict_is)
    return inspection{inspection::verdict::damaged, end_of_child(), 0};
  return inspection{static_cast<inspection::verdict>(got.number & 15U), got.text, got.number >> 4};
}

} // namespace sliceferry::journal
