#include "k8s/name_lookup.hpp"

#include <array>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace sliceferry::k8s {

namespace {

constexpr unsigned threads_max = 8;

struct job {
  std::string host;
  std::function<void(name_lookup::answer)> done;
};

name_lookup::answer look_up(const std::string& host) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* first = nullptr;
  if (const int failed = getaddrinfo(host.c_str(), nullptr, &hints, &first); failed != 0)
    return std::string{gai_strerror(failed)};
  std::vector<std::string> out;
  for (const addrinfo* at = first; at != nullptr; at = at->ai_next) {
    std::array<char, NI_MAXHOST> text{};
    if (getnameinfo(at->ai_addr, at->ai_addrlen, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) == 0)
      out.emplace_back(text.data());
  }
  freeaddrinfo(first);
  if (out.empty())
    return std::string{"the name has no address"};
  return out;
}

} // namespace

struct name_lookup::state {
  std::mutex guard;
  std::deque<job> queue;
  unsigned threads = 0;
  bool closed = false;

  static void work(const std::shared_ptr<state>& self) {
    std::unique_lock lock{self->guard};
    while (!self->queue.empty()) {
      const job next = std::move(self->queue.front());
      self->queue.pop_front();
      lock.unlock();
      auto found = look_up(next.host);
      lock.lock();
      // Under the lock, so that nobody is called once the owner's destructor has returned.
      if (!self->closed)
        next.done(std::move(found));
    }
    --self->threads;
  }
};

name_lookup::name_lookup() : state_{std::make_shared<state>()} {}

name_lookup::~name_lookup() {
  const std::lock_guard lock{state_->guard};
  state_->closed = true;
  state_->queue.clear();
}

void name_lookup::start(std::string host, std::function<void(answer)> done) {
  const std::lock_guard lock{state_->guard};
  state_->queue.push_back({std::move(host), std::move(done)});
  if (state_->threads == threads_max)
    return;
  try {
    std::thread{[self = state_] { state::work(self); }}.detach();
    ++state_->threads;
  } catch (const std::system_error&) {
    if (state_->threads > 0)
      return; // Those that run take it on.
    const auto refused = std::move(state_->queue.back());
    state_->queue.pop_back();
    refused.done(std::string{"no thread could be started for the look-up"});
  }
}

} // namespace sliceferry::k8s
