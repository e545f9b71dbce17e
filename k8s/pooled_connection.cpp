#include "k8s/pooled_connection.hpp"

#include "k8s/call_pool.hpp"
#include "k8s/request_text.hpp"

#include <algorithm>

namespace sliceferry::k8s {

namespace {

/// Room made at once for a body whose length is announced; more is believed when it has arrived.
constexpr std::uint64_t body_bytes_trusted = 4 << 20;

} // namespace

pooled_connection::pooled_connection(call_pool& pool, loop_core& loop, client_identity& identity,
                                     const http_options& options)
  : pool_{pool}, identity_{identity}, options_{options} {
  auto tls = identity.tls();
  generation_ = identity.generation();
  wire_ = std::make_shared<connection>(
    loop, connection::plan{identity.url(), std::move(tls), options.resolve, options.connect, options.handshake}, *this);
}

pooled_connection::~pooled_connection() {
  wire_->close();
}

void pooled_connection::open(std::optional<pending_call> first) {
  call_ = std::move(first);
  wire_->open();
}

void pooled_connection::opened() {
  open_ = true;
  if (auto first = take_call())
    pool_.serve(*this, std::move(*first));
  else
    pool_.release(*this);
}

void pooled_connection::begin(pending_call call, const std::string& lines) {
  reader_.begin(options_.body_bytes_max);
  body_.clear();
  answering_ = false;
  auto& out = wire_->out();
  out.clear();
  append_request(out, call.request, identity_.url(), lines);
  call_ = std::move(call);
  wire_->limit(options_.answer, "no complete answer");
  wire_->send();
}

std::size_t pooled_connection::received(char* bytes, std::size_t size) {
  if (!call_) {
    pool_.lost(*this); // Nobody asked for anything: whatever this answers, it isn't our next request.
    return 0;
  }
  answering_ = true;
  const auto got = reader_.feed(bytes, size);
  if (got.broken) {
    pool_.failed(*this, judge(call_->request, "unreadable answer: " + reader_.fault()));
    return 0;
  }
  if (body_.empty() && !got.body.empty())
    body_.reserve(std::min(reader_.content_length().value_or(0), body_bytes_trusted));
  body_.append(got.body);
  const auto used = got.used;
  if (reader_.complete())
    finish(reader_.keep_alive() && used == size && !wire_->sending());
  return used;
}

void pooled_connection::finish(bool reusable) {
  wire_->lift_limit();
  reused_ = true;
  auto call = *take_call();
  if (reader_.encoded()) {
    failure encoded{errc::malformed, name_of(call.request, identity_.url()) + ": the answer is compressed", {}, 0};
    encoded.status = reader_.status();
    pool_.answered(*this, reusable, std::move(call), std::move(encoded));
  } else {
    pool_.answered(*this, reusable, std::move(call),
                   http_response{reader_.status(), reader_.retry_after(), std::move(body_)});
  }
}

void pooled_connection::broken(connection::end how, std::string text) {
  if (how == connection::end::not_opened)
    return pool_.unreachable(*this, text);
  if (!call_)
    return pool_.lost(*this);
  if (how == connection::end::closed && reader_.end_of_input())
    return finish(false);
  const bool went_stale = reused_ && !answering_ && how != connection::end::late;
  if (went_stale && call_->request.method == http_method::get && !call_->request.counted)
    return pool_.retry(*this);
  pool_.failed(*this, judge(call_->request, text));
}

failure pooled_connection::judge(const http_request& request, const std::string& cause) const {
  const bool harmless = request.method == http_method::get || !open_ || !wire_->sent_any();
  return {harmless ? errc::unavailable : errc::ambiguous, name_of(request, identity_.url()) + ": " + cause, {}, 0};
}

} // namespace sliceferry::k8s
