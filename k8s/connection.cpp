// The one file of this folder that instantiates TLS over Asio.
#include "k8s/connection.hpp"

#include <boost/asio/ssl/error.hpp>
#include <boost/asio/write.hpp>

#include <cctype>
#include <cstring>

#include <netinet/tcp.h>
#include <sys/socket.h>

namespace sliceferry::k8s {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

/// One read may take as much: Asio asks the kernel for no more than the buffer has room for, and a
/// small buffer costs a system call for every few events.
constexpr std::size_t buffer_bytes = 64 << 10;
constexpr std::size_t out_bytes_kept = 256 << 10;

std::string cause_of(const error_code& failed) {
  auto text = failed.message();
  if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0)
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

std::string in_words(std::chrono::milliseconds time) {
  return time.count() % 1000 == 0 ? std::to_string(time.count() / 1000) + " s" : std::to_string(time.count()) + " ms";
}

/// A dead peer shows within 30 s, and a quiet watch stays alive through balancers that forget
/// flows after a few minutes (client-go#374, Azure/AKS#1755).
void tune(int fd) {
  const auto set = [fd](int level, int option, int value) { setsockopt(fd, level, option, &value, sizeof value); };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 15);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set(IPPROTO_TCP, TCP_KEEPCNT, 3);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, 30'000);
}

} // namespace

connection::connection(loop_core& loop, plan where, user& served)
  : loop_{loop}, plan_{std::move(where)}, user_{&served}, socket_{loop.context}, deadline_{loop.context,
                                                                                           [this] { passed(); }} {}

void connection::open() {
  if (!plan_.tls) {
    // Posted, because the user may not expect to be called yet.
    return loop_.post([self = shared_from_this()] {
      if (self->user_ != nullptr)
        self->fail_to_open("TLS with", self->plan_.tls.error().text);
    });
  }
  if (is_ip_literal(plan_.url.host)) {
    addresses_.push_back(plan_.url.host);
    return try_next_address();
  }
  limit(plan_.resolve, "");
  loop_.names.start(plan_.url.host, weak_from_this(),
                    [&loop = loop_, weak = weak_from_this()](const name_lookup::answer& found) {
                      loop.post([weak, found] {
                        if (const auto self = weak.lock())
                          self->resolved(found);
                      });
                    });
}

void connection::resolved(const name_lookup::answer& found) {
  if (user_ == nullptr)
    return;
  if (const auto* why = std::get_if<std::string>(&found))
    return fail_to_open("look up", *why);
  const auto& list = std::get<std::vector<std::string>>(found);
  addresses_.assign(list.begin(), list.end());
  try_next_address();
}

void connection::try_next_address() {
  if (addresses_.empty())
    return fail_to_open("connect to", last_cause_);
  error_code unusable;
  const auto address = asio::ip::make_address(addresses_.front(), unusable);
  addresses_.pop_front();
  if (unusable) {
    last_cause_ = cause_of(unusable);
    return try_next_address();
  }
  error_code ignored;
  socket_.close(ignored);
  connecting_ = true;
  limit(plan_.connect, "");
  const auto attempt = ++attempt_;
  socket_.async_connect({address, plan_.url.port}, [self = shared_from_this(), attempt](const error_code& failed) {
    if (self->user_ == nullptr || attempt != self->attempt_)
      return;
    self->connecting_ = false;
    if (!failed)
      return self->connected();
    self->last_cause_ = cause_of(failed);
    self->try_next_address();
  });
}

void connection::connected() {
  tune(socket_.native_handle());
  if (*plan_.tls)
    shake_hands();
  else
    ready();
}

void connection::shake_hands() {
  ssl_st* const state = (*plan_.tls)->new_connection();
  if (state == nullptr)
    return fail_to_open("TLS with", "out of memory");
  tls_.emplace(socket_, state);
  limit(plan_.handshake, "");
  tls_->async_handshake(asio::ssl::stream_base::client, [self = shared_from_this()](const error_code& failed) {
    if (self->user_ == nullptr)
      return;
    if (!failed)
      return self->ready();
    const auto otherwise = failed == asio::error::eof || failed == asio::ssl::error::stream_truncated
                             ? "connection closed"
                             : cause_of(failed);
    self->fail_to_open("TLS with", (*self->plan_.tls)->explain(self->tls_->native_handle(), otherwise));
  });
}

void connection::ready() {
  open_ = true;
  lift_limit();
  buffer_.reset(new char[buffer_bytes]); // NOLINT: make_unique would write zeroes to all of it
  read();
  user_->opened();
}

void connection::send() {
  sending_ = true;
  sent_ = 0;
  auto done = [self = shared_from_this()](const error_code& failed, std::size_t count) {
    self->sending_ = false;
    self->sent_ = count;
    if (self->out_.capacity() > out_bytes_kept)
      self->out_ = {};
    if (failed && self->user_ != nullptr)
      self->fail(end::cut, cause_of(failed) + " while sending");
  };
  if (tls_)
    asio::async_write(*tls_, asio::buffer(out_), std::move(done));
  else
    asio::async_write(socket_, asio::buffer(out_), std::move(done));
}

void connection::read() {
  reading_ = true;
  const auto room = asio::buffer(buffer_.get() + end_, buffer_bytes - end_);
  auto done = [self = shared_from_this()](const error_code& failed, std::size_t count) {
    self->reading_ = false;
    if (self->user_ != nullptr)
      self->take(failed, count);
  };
  if (tls_)
    tls_->async_read_some(room, std::move(done));
  else
    socket_.async_read_some(room, std::move(done));
}

void connection::take(const error_code& failed, std::size_t count) {
  end_ += count;
  if (paused_) {
    if (failed)
      ended_ = failed;
    return;
  }
  if (failed == asio::error::eof)
    return fail(end::closed, "the server closed the connection");
  if (failed == asio::ssl::error::stream_truncated)
    return fail(end::cut, "the connection was cut");
  if (failed)
    return fail(end::cut, cause_of(failed));
  deliver();
}

void connection::deliver() {
  if (begin_ < end_)
    begin_ += user_->received(buffer_.get() + begin_, end_ - begin_);
  if (user_ == nullptr)
    return;
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_bytes)
    return fail(end::cut, "the server sent an endless line");
  if (!paused_ && !reading_)
    read();
}

void connection::resume() {
  if (!std::exchange(paused_, false) || !open_)
    return;
  // Posted, because the user may be in the middle of something.
  loop_.post([self = shared_from_this()] {
    if (self->user_ == nullptr || self->paused_)
      return;
    if (!self->reading_)
      self->deliver();
    if (const auto how = self->ended_; how && self->user_ != nullptr && !self->paused_)
      self->take(*how, 0);
  });
}

void connection::limit(std::chrono::milliseconds from_now, const char* what) {
  limit_ = from_now;
  limit_what_ = what;
  deadline_.set(from_now);
}

void connection::passed() {
  const auto self = shared_from_this();
  if (user_ == nullptr)
    return;
  if (open_)
    return fail(end::late, std::string{limit_what_} + " within " + in_words(limit_));
  const auto cause = "no answer within " + in_words(limit_);
  if (!std::exchange(connecting_, false))
    return fail_to_open(tls_ ? "TLS with" : "look up", cause);
  last_cause_ = cause;
  try_next_address();
}

void connection::fail_to_open(const char* phase, const std::string& cause) {
  auto* const told = user_;
  close();
  told->broken(end::not_opened, std::string{phase} + " " + plan_.url.text() + ": " + cause);
}

void connection::fail(end how, std::string text) {
  auto* const told = user_;
  close();
  told->broken(how, std::move(text));
}

void connection::close() {
  user_ = nullptr;
  lift_limit();
  error_code ignored;
  socket_.close(ignored);
}

} // namespace sliceferry::k8s
