#include "test/storm/stage/history_feed.hpp"

#include <cerrno>
#include <poll.h>
#include <string>
#include <unistd.h>

namespace sliceferry::storm {

history_feed::history_feed(int pipe, std::function<void(const history_entry&)> take, const std::filesystem::path& copy)
  : pipe_{pipe}, take_{std::move(take)} {
  if (!copy.empty())
    copy_.open(copy, std::ios::binary | std::ios::trunc);
  thread_ = std::thread{[this] { run(); }};
}

history_feed::~history_feed() {
  stop_ = true;
  thread_.join();
  ::close(pipe_);
}

void history_feed::run() {
  std::string held;
  std::string chunk(1 << 20, '\0');
  while (!stop_) {
    pollfd ready{pipe_, POLLIN, 0};
    if (::poll(&ready, 1, 100) <= 0)
      continue;
    const ssize_t got = ::read(pipe_, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return;
    held.append(chunk, 0, static_cast<std::size_t>(got));
    if (copy_.is_open())
      copy_.write(chunk.data(), got);
    std::size_t from = 0;
    for (auto end = held.find('\n'); end != std::string::npos; end = held.find('\n', from)) {
      if (const auto entry = parse_history_line(std::string_view{held}.substr(from, end - from)))
        take_(*entry);
      else
        ++unreadable_;
      ++entries_;
      from = end + 1;
    }
    held.erase(0, from);
  }
}

} // namespace sliceferry::storm
