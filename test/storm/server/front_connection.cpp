#include "test/storm/server/front_connection.hpp"

#include "test/storm/server/http_text.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <sys/socket.h>

namespace sliceferry::storm {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::size_t in_bytes_min = 8 << 10;
constexpr std::size_t in_bytes_max = 64 << 10;
constexpr std::size_t out_bytes_max = 1 << 20;  ///< with more unwritten, no further request is answered
constexpr std::size_t stream_bytes = 256 << 10; ///< of a watch, encoded ahead of the socket
constexpr std::size_t pieces_bytes_max = 4 << 10;

} // namespace

front_connection::front_connection(asio::ip::tcp::socket socket, front_host& host, const http_tls* tls,
                                   std::uint64_t number)
  : socket_{std::move(socket)}, held_until_{socket_.get_executor()}, host_{host}, number_{number}, in_(in_bytes_min) {
  if (tls != nullptr) {
    tls_ = std::make_unique<http_tls::session>(*tls);
    wire_in_.resize(in_bytes_min * 2);
  }
}

void front_connection::start() {
  error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay{true}, ignored);
  read_on();
}

bool front_connection::is_halted() const {
  return closed_ || frozen_ || held_ || blocked_ || last_ || watch_ != nullptr;
}

void front_connection::make_room() {
  if (in_begin_ == in_end_) {
    in_begin_ = in_end_ = 0;
  } else if (in_end_ == in_.size() && in_begin_ > 0) {
    std::memmove(in_.data(), in_.data() + in_begin_, in_end_ - in_begin_);
    in_end_ -= std::exchange(in_begin_, 0);
  }
  if (in_end_ == in_.size())
    in_.resize(in_.size() * 2);
}

void front_connection::read_on() {
  // A watch is read on for its end to show; a peer that keeps talking meanwhile is left waiting.
  const bool full = in_end_ - in_begin_ >= in_bytes_max;
  if (reading_ || closed_ || frozen_ || held_ || full || (blocked_ && watch_ == nullptr))
    return;
  reading_ = true;
  make_room();
  const auto room = tls_ ? asio::buffer(wire_in_) : asio::buffer(in_.data() + in_end_, in_.size() - in_end_);
  socket_.async_read_some(room, [self = shared_from_this()](error_code failed, std::size_t bytes) {
    self->reading_ = false;
    if (self->closed_ || self->frozen_)
      return;
    failed ? self->drop(ending::politely) : self->received(bytes);
  });
}

void front_connection::keep(std::string_view bytes) {
  make_room();
  if (in_.size() - in_end_ < bytes.size())
    in_.resize(in_end_ + bytes.size());
  std::memcpy(in_.data() + in_end_, bytes.data(), bytes.size());
  in_end_ += bytes.size();
}

void front_connection::received(std::size_t bytes) {
  if (parting_)
    return read_on(); // and forgets what came
  if (tls_) {
    std::string plain;
    if (!tls_->receive({wire_in_.data(), bytes}, plain, wire_out_))
      return close(ending::politely);
    keep(plain);
  } else {
    in_end_ += bytes;
    // A read that filled the buffer would have brought more.
    if (in_end_ == in_.size() && in_.size() < in_bytes_max)
      in_.resize(in_.size() * 2);
  }
  process();
}

void front_connection::answer_requests() {
  while (!is_halted() && out_.size() < out_bytes_max && in_begin_ < in_end_) {
    in_begin_ += parser_.feed({in_.data() + in_begin_, in_end_ - in_begin_});
    switch (parser_.now()) {
      case http_parser::state::needs_more:
        return;
      case http_parser::state::broken:
        return refuse(parser_.refusal());
      case http_parser::state::complete:
        host_.asked(*this, parser_.request());
        parser_.next();
    }
  }
}

void front_connection::process() {
  bool again = true;
  while (again && !closed_) {
    const std::size_t before = in_begin_;
    const bool was_halted = is_halted();
    answer_requests();
    flush();
    again = !is_halted() && in_begin_ < in_end_ && (was_halted || in_begin_ != before);
  }
  read_on();
}

void front_connection::refuse(unsigned status) {
  append_answer(out_, refusal_status(status, "the request can't be read"), false);
  last_ = true;
}

void front_connection::answer(const api_answer& what, const delivery& how) {
  if (how.delay.count() > 0)
    flush(); // what was answered before isn't late
  const bool again = parser_.request().keep_alive;
  const std::size_t before = out_.size();
  append_answer(out_, what, again, how.zipped);
  last_ = last_ || !again;
  if (how.in_pieces)
    pieces_ = std::min(pieces_bytes_max, out_.size() - before);
  hold(how.delay);
}

void front_connection::stream(std::unique_ptr<front_watch> watch, std::chrono::microseconds delay) {
  flush();
  append_stream_head(out_, "application/json");
  watch_ = std::move(watch);
  hold(delay);
}

void front_connection::pump() {
  flush();
  // The stream may have ended, and requests wait behind it.
  if (!closed_ && watch_ == nullptr)
    process();
}

void front_connection::hold(std::chrono::microseconds delay) {
  if (delay.count() <= 0)
    return;
  held_ = true;
  held_until_.expires_after(delay);
  held_until_.async_wait([self = shared_from_this()](error_code stopped) {
    if (stopped || self->closed_)
      return;
    self->held_ = false;
    self->process();
  });
}

void front_connection::freeze() {
  frozen_ = true;
  if (watch_ != nullptr)
    watch_->mute(); // so that nothing gathers
  error_code ignored;
  socket_.cancel(ignored);
}

std::string& front_connection::unsent() {
  if (sent_ == out_.size() && !tls_) {
    out_.clear();
    sent_ = 0;
  }
  if (out_.empty() && watch_ != nullptr && watch_->encode(out_, stream_bytes) == front_watch::state::cut)
    last_ = true;
  if (!tls_)
    return out_;
  if (sent_ == wire_out_.size()) {
    wire_out_.clear();
    sent_ = 0;
  }
  if (wire_out_.empty() && !out_.empty() && tls_->ready()) {
    tls_->send(out_, wire_out_);
    out_.clear();
  }
  return wire_out_;
}

bool front_connection::send_some() {
  const std::string& bytes = unsent();
  std::size_t size = bytes.size() - sent_;
  if (size == 0)
    return false;
  if (pieces_ > 0)
    size = std::min(size, 1 + pieces_ % 7);
  const ssize_t sent = ::send(socket_.native_handle(), bytes.data() + sent_, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0 && errno == EINTR)
    return true;
  if (sent < 0 && errno != EAGAIN) {
    drop(ending::politely);
    return false;
  }
  if (sent < 0) {
    blocked_ = true;
    socket_.async_wait(asio::socket_base::wait_write,
                       [self = shared_from_this()](error_code) { self->resume_writing(); });
    return false;
  }
  sent_ += static_cast<std::size_t>(sent);
  if (pieces_ > 0) {
    pieces_ -= std::min(pieces_, static_cast<std::size_t>(sent));
    blocked_ = true; // until others had their turn, so that the peer sees the piece alone
    asio::post(socket_.get_executor(), [self = shared_from_this()] { self->resume_writing(); });
    return false;
  }
  return true;
}

void front_connection::resume_writing() {
  blocked_ = false;
  if (!closed_ && !frozen_)
    process();
}

void front_connection::flush() {
  while (!closed_ && !blocked_ && !held_ && !frozen_ && !parting_)
    if (!send_some())
      break;
  if (!closed_ && !blocked_ && !held_ && !frozen_ && !parting_)
    settle();
}

/// All is written.
void front_connection::settle() {
  if (out_.capacity() > out_bytes_max)
    out_ = {};
  if (watch_ != nullptr && watch_->now() == front_watch::state::finished)
    watch_.reset();
  if (!last_)
    return;
  if (watch_ != nullptr)
    return drop(ending::politely);
  // Closing with unread bytes would reset the connection, and the peer could lose our answer.
  parting_ = true;
  in_begin_ = in_end_ = 0;
  error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
}

void front_connection::close(ending how) {
  held_ = false; // what was answered may be late, but isn't lost
  if (!closed_)
    flush();
  drop(how);
}

void front_connection::drop(ending how) {
  if (std::exchange(closed_, true))
    return;
  error_code ignored;
  if (how == ending::by_reset)
    socket_.set_option(asio::socket_base::linger{true, 0}, ignored);
  socket_.close(ignored);
  held_until_.cancel();
  host_.gone(*this);
  watch_.reset();
}

} // namespace sliceferry::storm
