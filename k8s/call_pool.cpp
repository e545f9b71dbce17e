#include "k8s/call_pool.hpp"

#include "k8s/request_text.hpp"

#include <algorithm>

namespace sliceferry::k8s {

using clock = std::chrono::steady_clock;

call_pool::call_pool(loop_core& loop, client_identity& identity, const http_options& options)
  : loop_{loop}, identity_{identity}, options_{options}, waiting_deadline_{loop.context, [this] { expire_waiting(); }} {
}

call_pool::~call_pool() = default;

void call_pool::start(pending_call call) {
  if (const auto lines = identity_.lines(); !lines) {
    auto why = lines.error();
    why.text = name_of(call.request, identity_.url()) + ": " + why.text;
    return fail_later(std::move(call), std::move(why));
  }
  while (!idle_.empty()) {
    auto& last = *idle_.back();
    idle_.pop_back();
    if (!outdated(last))
      return serve(last, std::move(call));
    drop(last);
  }
  if (waiting_.size() >= options_.queue_max) {
    failure full{errc::unavailable, name_of(call.request, identity_.url()) + ": too many calls wait", {}, 0};
    return fail_later(std::move(call), std::move(full));
  }
  call.since = clock::now();
  if (waiting_.empty())
    waiting_deadline_.set(patience());
  waiting_.push_back(std::move(call));
  open_as_needed();
}

void call_pool::serve(pooled_connection& free, pending_call call) {
  // Cannot fail any more: once there was a token there always is one.
  if (const auto lines = identity_.lines())
    free.begin(std::move(call), **lines);
}

void call_pool::release(pooled_connection& free) {
  if (outdated(free))
    return drop(free);
  if (waiting_.empty()) {
    free.idle_since = clock::now();
    idle_.push_back(&free);
    return;
  }
  auto next = std::move(waiting_.front());
  waiting_.pop_front();
  if (waiting_.empty())
    waiting_deadline_.clear();
  serve(free, std::move(next));
}

void call_pool::answered(pooled_connection& by, bool reusable, pending_call call, result<http_response> answer) {
  if (answer && answer->status == 401)
    identity_.rejected();
  if (reusable)
    release(by);
  else
    drop(by);
  call.done(std::move(answer));
}

void call_pool::failed(pooled_connection& by, failure why) {
  const auto call = *by.take_call();
  drop(by);
  call.done(std::move(why));
}

void call_pool::retry(pooled_connection& stale) {
  open(stale.take_call());
  drop(stale);
}

void call_pool::lost(pooled_connection& idle) {
  drop(idle);
}

void call_pool::unreachable(pooled_connection& closed, const std::string& text) {
  std::deque<pending_call> hopeless;
  if (auto first = closed.take_call())
    hopeless.push_back(std::move(*first));
  std::erase_if(all_, [&](const auto& one) { return one.get() == &closed; });
  if (std::ranges::none_of(all_, [](const auto& one) { return one->is_open(); })) {
    std::ranges::move(waiting_, std::back_inserter(hopeless));
    waiting_.clear();
  }
  fail_all(std::move(hopeless), text);
}

void call_pool::drop(pooled_connection& gone) {
  std::erase(idle_, &gone);
  std::erase_if(all_, [&](const auto& one) { return one.get() == &gone; });
  open_as_needed();
}

void call_pool::open(std::optional<pending_call> first) {
  all_.push_back(std::make_unique<pooled_connection>(*this, loop_, identity_, options_));
  all_.back()->open(std::move(first));
}

void call_pool::open_as_needed() {
  if (waiting_.empty() || all_.size() >= options_.connections_max)
    return;
  auto opening = static_cast<std::size_t>(std::ranges::count_if(all_, [](const auto& one) { return !one->is_open(); }));
  for (; opening < waiting_.size() && all_.size() < options_.connections_max; ++opening)
    open(std::nullopt);
}

/// A call waits for a connection to be made, or for the answer to another call.
std::chrono::milliseconds call_pool::patience() const {
  return options_.resolve + options_.connect + options_.handshake + options_.answer;
}

void call_pool::expire_waiting() {
  const auto oldest = clock::now() - patience();
  std::deque<pending_call> expired;
  while (!waiting_.empty() && waiting_.front().since <= oldest) {
    expired.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  if (!waiting_.empty())
    waiting_deadline_.set(std::chrono::ceil<std::chrono::milliseconds>(waiting_.front().since - oldest));
  fail_all(std::move(expired), identity_.url().text() + ": no connection became free in time");
}

bool call_pool::outdated(const pooled_connection& one) const {
  return one.generation() != identity_.generation();
}

void call_pool::tidy() {
  const auto oldest = clock::now() - options_.upkeep;
  const auto idle = idle_; // a copy: dropping changes it
  for (auto* one : idle)
    if (outdated(*one) || one->idle_since <= oldest)
      drop(*one);
}

void call_pool::stop() {
  auto all = std::exchange(all_, {});
  idle_.clear();
  auto waiting = std::exchange(waiting_, {});
  std::vector<std::pair<pending_call, failure>> cut;
  for (const auto& one : all)
    if (auto call = one->take_call()) {
      auto why = one->judge(call->request, "the client was stopped");
      cut.emplace_back(std::move(*call), std::move(why));
    }
  all.clear();
  const std::weak_ptr<const bool> alive = alive_;
  for (auto& [call, why] : cut)
    if (!alive.expired())
      call.done(std::move(why));
  if (!alive.expired())
    fail_all(std::move(waiting), identity_.url().text() + ": the client was stopped");
}

void call_pool::fail_later(pending_call call, failure why) {
  loop_.post([alive = std::weak_ptr<const bool>{alive_}, call = std::move(call), why = std::move(why)] {
    if (!alive.expired())
      call.done(why);
  });
}

void call_pool::fail_all(std::deque<pending_call> calls, const std::string& text) {
  const std::weak_ptr<const bool> alive = alive_;
  for (const auto& call : calls)
    if (!alive.expired())
      call.done(failure{errc::unavailable, text, {}, 0});
}

} // namespace sliceferry::k8s
