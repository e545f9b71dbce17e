#include "k8s/name_lookup.hpp"

#include <array>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace sliceferry::k8s {

namespace {

constexpr unsigned threads_max = 8;

struct question {
  std::weak_ptr<const void> asker;
  std::function<void(const name_lookup::answer&)> done;
};

} // namespace

name_lookup::answer name_lookup::by_the_system(const std::string& host) {
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

struct name_lookup::state {
  std::mutex guard;
  std::unordered_map<std::string, std::vector<question>> asked; ///< by name, while queued and while looked up
  std::deque<std::string> queue;
  std::function<answer(const std::string&)> how;
  unsigned threads = 0;
  bool closed = false;

  static void forget_who_left(std::vector<question>& questions) {
    std::erase_if(questions, [](const question& one) { return one.asker.expired(); });
  }

  static void work(const std::shared_ptr<state>& self) {
    std::unique_lock lock{self->guard};
    while (!self->queue.empty()) {
      const std::string host = std::move(self->queue.front());
      self->queue.pop_front();
      const auto at = self->asked.find(host);
      forget_who_left(at->second);
      if (at->second.empty()) {
        self->asked.erase(at);
        continue;
      }
      lock.unlock();
      const answer found = self->how(host);
      lock.lock();
      self->tell(host, found);
    }
    --self->threads;
  }

  /// Under the lock, so that nobody is called once the owner's destructor has returned.
  void tell(const std::string& host, const answer& found) {
    const auto all = asked.extract(host);
    if (closed || all.empty())
      return;
    for (const question& one : all.mapped())
      if (!one.asker.expired())
        one.done(found);
  }
};

name_lookup::name_lookup(std::function<answer(const std::string&)> how) : state_{std::make_shared<state>()} {
  state_->how = std::move(how);
}

name_lookup::~name_lookup() {
  const std::lock_guard lock{state_->guard};
  state_->closed = true;
  state_->queue.clear();
  state_->asked.clear();
}

void name_lookup::start(const std::string& host, std::weak_ptr<const void> asker,
                        std::function<void(const answer&)> done) {
  const std::lock_guard lock{state_->guard};
  const auto [at, fresh] = state_->asked.try_emplace(host);
  state::forget_who_left(at->second);
  at->second.push_back({std::move(asker), std::move(done)});
  if (!fresh)
    return;
  state_->queue.push_back(host);
  if (state_->threads == threads_max)
    return;
  try {
    std::thread{[self = state_] { state::work(self); }}.detach();
    ++state_->threads;
  } catch (const std::system_error&) {
    if (state_->threads > 0)
      return; // Those that run take it on.
    state_->queue.pop_back();
    state_->tell(host, std::string{"no thread could be started for the look-up"});
  }
}

} // namespace sliceferry::k8s
