#include "k8s/streaming_get.hpp"

#include "k8s/request_text.hpp"

#include <algorithm>

namespace sliceferry::k8s {

streaming_get::streaming_get(std::shared_ptr<loop_core> loop, std::string target, std::chrono::milliseconds idle,
                             stream_handlers handlers)
  : loop_{std::move(loop)}, request_{http_method::get, std::move(target), {}, {}}, idle_{idle}, handlers_{std::move(
                                                                                                  handlers)} {}

streaming_get::~streaming_get() {
  if (wire_)
    wire_->close();
}

void streaming_get::start(client_identity& identity, const http_options& options) {
  name_ = name_of(request_, identity.url());
  identity_ = &identity;
  head_limit_ = std::min(idle_, options.head);
  const auto lines = identity.lines();
  if (!lines)
    return break_off(failed(errc::unavailable, lines.error().text));
  auto tls = identity.tls();
  generation_ = identity.generation();
  wire_ = std::make_shared<connection>(
    *loop_, connection::plan{identity.url(), std::move(tls), options.resolve, options.connect, options.handshake},
    *this);
  append_request(wire_->out(), request_, identity.url(), **lines);
  wire_->open();
}

void streaming_get::opened() {
  open_ = true;
  reader_.begin(std::nullopt);
  if (!paused_)
    expect_more();
  wire_->send();
}

/// The idle deadline allows for the silence of a watch, which a server that never answered has no claim to.
void streaming_get::expect_more() {
  if (told_head_)
    wire_->limit(idle_, "silence: no byte came");
  else
    wire_->limit(head_limit_, "no answer came");
}

std::size_t streaming_get::received(char* bytes, std::size_t size) {
  const auto self = shared_from_this(); // a handler may let go of the last other owner
  const auto got = reader_.feed(bytes, size);
  if (got.broken) {
    end(failed(errc::unavailable, "unreadable answer: " + reader_.fault()));
    return size;
  }
  const bool is_head = !told_head_ && reader_.has_head();
  told_head_ = told_head_ || is_head;
  if (told_head_)
    expect_more();
  if (is_head) {
    if (reader_.encoded()) {
      end(failed(errc::malformed, "the answer is compressed"));
      return size;
    }
    if (reader_.status() == 401 && identity_ != nullptr)
      identity_->rejected();
    handlers_.head(reader_.status(), reader_.retry_after());
  }
  if (!got.body.empty() && !abandoned())
    handlers_.bytes(got.body);
  if (reader_.complete() && !abandoned())
    end(std::nullopt);
  if (paused_ && !ended_)
    wire_->lift_limit();
  return got.used;
}

void streaming_get::broken(connection::end how, std::string text) {
  const auto self = shared_from_this();
  end(how == connection::end::not_opened ? failure{errc::unavailable, std::move(text), {}, 0}
                                         : failed(errc::unavailable, text));
}

void streaming_get::end(std::optional<failure> why) {
  if (std::exchange(ended_, true))
    return;
  if (wire_)
    wire_->close();
  handlers_.end(std::move(why));
}

failure streaming_get::failed(errc code, const std::string& cause) const {
  return {code, name_ + ": " + cause, {}, 0};
}

void streaming_get::break_off(failure why) {
  if (wire_)
    wire_->close();
  loop_->post([weak = weak_from_this(), why = std::move(why)] {
    if (const auto self = weak.lock())
      self->end(why);
  });
}

void streaming_get::outdate() {
  loop_->post([weak = weak_from_this()] {
    if (const auto self = weak.lock(); self && !self->ended_)
      self->handlers_.outdated();
  });
}

void streaming_get::silence() {
  identity_ = nullptr;
  ended_ = true;
  if (wire_)
    wire_->close();
}

void streaming_get::pause() {
  paused_ = true;
  if (!wire_)
    return;
  wire_->pause();
  if (open_)
    wire_->lift_limit();
}

void streaming_get::resume() {
  if (!std::exchange(paused_, false) || !wire_)
    return;
  if (open_ && !ended_)
    expect_more();
  wire_->resume();
}

} // namespace sliceferry::k8s
