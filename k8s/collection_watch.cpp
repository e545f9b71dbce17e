#include "k8s/collection_watch.hpp"

#include "messages/endpoint_slice.hpp"
#include "messages/service_export.hpp"
#include "messages/slice_export.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::k8s {

namespace {

tick now() {
  return std::chrono::steady_clock::now();
}

} // namespace

/// All of it lives on the loop. A GET's callbacks carry its number, so that what a dropped one
/// still had queued is not taken for the next one's.
template <class T>
struct collection_watch<T>::impl : std::enable_shared_from_this<impl> {
  impl(io_loop& on, http_client& by, collection_options with, collection_handlers<T> to)
    : loop{on}, client{by}, options{std::move(with)}, handlers{std::move(to)}, credits{options.credits},
      mirror{options.served_as.at(0), options.nspace, options.reflecting} {}

  io_loop& loop;
  http_client& client;
  collection_options options;
  collection_handlers<T> handlers;
  std::int64_t credits;
  std::size_t served = 0; // index into options.served_as
  unsigned in_vain = 0;   // names tried in a row that were not served
  unsigned rounds_in_vain = 0;
  reflector<T> mirror;
  std::shared_ptr<http_stream> stream;
  std::uint64_t number = 0;
  get_kind asked = get_kind::list; // by the GET at hand
  std::string target;
  tick asked_at{};
  bool answered = false;
  io_loop::timer retry;
  io_loop::timer probing;
  bool starved = false; // the next GET waits for a credit
  bool paused = false;
  bool failing = false;
  bool stopped = false;

  void start() {
    starved = credits <= 0;
    if (stopped || starved)
      return;
    paused = false;
    const std::uint64_t mine = ++number;
    asked_at = now();
    answered = false;
    reflected<T> begun;
    const get_request get = mirror.next(asked_at, begun);
    deliver(std::move(begun));
    target = get.target;
    asked = get.is_watch ? get_kind::watch : get_kind::list;
    const std::weak_ptr<impl> weak = this->weak_from_this();
    const auto guarded = [weak, mine](auto work) {
      return [weak, mine, work](auto... args) {
        if (const auto self = weak.lock(); self && self->number == mine && !self->stopped)
          work(*self, std::move(args)...);
      };
    };
    stream = client.open(
      get.target, get.idle,
      {guarded([](impl& self, unsigned status, std::optional<std::chrono::seconds> wish) { self.head(status, wish); }),
       guarded([](impl& self, std::string_view bytes) { self.bytes(bytes); }),
       guarded([](impl& self, const std::optional<failure>& broken) { self.over(broken); }),
       guarded([](impl& self) { self.renew(); })});
    pause_without_credits(); // the list's beginning may have taken the last one
  }

  void pause_without_credits() {
    if (credits <= 0 && stream && !std::exchange(paused, true))
      stream->pause();
  }

  void head(unsigned status, std::optional<std::chrono::seconds> wish) {
    told_status(status);
    mirror.head(status, wish);
    if (status != 200)
      return;
    arm_probe();
    in_vain = rounds_in_vain = 0;
    if (std::exchange(failing, false))
      handlers.on_report({true, restart_reason::none, std::nullopt});
  }

  void told_status(unsigned status) {
    if (!std::exchange(answered, true))
      handlers.on_answer(asked, status, now() - asked_at);
  }

  void bytes(std::string_view bytes) {
    reflected<T> out;
    const bool good = mirror.feed(bytes, now(), out);
    deliver(std::move(out));
    if (!good)
      return over(std::nullopt);
    pause_without_credits();
  }

  void over(const std::optional<failure>& broken) {
    told_status(0);
    drop();
    reflected<T> out;
    const bool watched = mirror.watches();
    get_end end = mirror.ended(broken, now(), out);
    // What the transport tells names the server already; what the server tells names no server.
    if (end.failed && !(broken && end.failed->text == broken->text))
      end.failed->text = client.name_of_get(target) + ": " + end.failed->text;
    deliver(std::move(out));
    const bool missing = end.failed && end.failed->code == errc::kind_missing;
    if (watched && !mirror.watches() && !missing)
      prefer_first_name();
    if (missing && try_next_name())
      return start();
    if (end.why != restart_reason::none) {
      failing = failing || end.failed.has_value();
      handlers.on_report({!failing, end.why, end.failed});
    }
    if (!end.failed)
      return start();
    const auto wait = handlers.retry_after(*end.failed, std::max(end.in_a_row, rounds_in_vain));
    retry = loop.after(wait, [weak = this->weak_from_this()] {
      if (const auto self = weak.lock())
        self->start();
    });
  }

  /// Turns to the kind's next name; false when all of them were tried in vain and it is time to wait.
  bool try_next_name() {
    const std::size_t names = options.served_as.size();
    served = (served + 1) % names;
    mirror.relist_as(options.served_as[served]);
    if (++in_vain < names)
      return true;
    in_vain = 0;
    ++rounds_in_vain;
    return false;
  }

  /// A server that was upgraded may by now serve the name that is preferred.
  void prefer_first_name() {
    if (served == 0)
      return;
    served = 0;
    in_vain = 0;
    mirror.relist_as(options.served_as[0]);
  }

  void deliver(reflected<T> out) {
    for (const malformed& what : out.broken)
      handlers.on_malformed(what);
    if (out.batch.events.empty() && out.batch.malformed == 0)
      return;
    --credits;
    handlers.on_batch(std::make_shared<const watch_batch<T>>(std::move(out.batch)));
  }

  /// Forgets the GET at hand.
  void drop() {
    ++number;
    probing.cancel();
    stream.reset();
  }

  void list_again(restart_reason why) {
    if (stopped)
      return;
    mirror.relist();
    prefer_first_name();
    if (!stream)
      return; // the GET that waits for its time or a credit will list
    drop();
    handlers.on_report({!failing, why, std::nullopt});
    start();
  }

  /// A list at hand is let finish; the GET after it is under the new credentials anyway.
  void renew() {
    if (asked != get_kind::watch)
      return;
    drop();
    handlers.on_report({!failing, restart_reason::new_credentials, std::nullopt});
    start();
  }

  void grant(unsigned batches) {
    credits += batches;
    if (stopped || credits <= 0)
      return;
    if (starved)
      start();
    else if (stream && std::exchange(paused, false))
      stream->resume();
  }

  void arm_probe() {
    const auto at = mirror.probe_at();
    if (!at)
      return;
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(*at - now());
    probing = loop.after(std::max(wait, std::chrono::milliseconds{0}), [weak = this->weak_from_this(), mine = number] {
      if (const auto self = weak.lock(); self && self->number == mine)
        self->probe();
    });
  }

  void probe() {
    http_request get;
    get.target = mirror.probe(now());
    client.call(std::move(get),
                [weak = this->weak_from_this(), mine = number, since = now()](result<http_response> answer) {
                  const auto self = weak.lock();
                  if (!self || self->stopped)
                    return;
                  self->handlers.on_answer(get_kind::probe, answer ? answer->status : 0, now() - since);
                  if (self->number != mine)
                    return; // a restart since then has told as much
                  if (answer && answer->status == 200 && self->mirror.probed(answer->body))
                    self->list_again(restart_reason::restored_backup);
                  else
                    self->arm_probe();
                });
  }

  void stop() {
    stopped = true;
    retry.cancel();
    drop();
  }
};

template <class T>
collection_watch<T>::collection_watch(io_loop& loop, http_client& client, collection_options options,
                                      collection_handlers<T> handlers)
  : impl_{std::make_shared<impl>(loop, client, std::move(options), std::move(handlers))} {
  loop.post([weak = std::weak_ptr{impl_}] {
    if (const auto self = weak.lock())
      self->start();
  });
}

template <class T>
collection_watch<T>::~collection_watch() {
  stop();
}

template <class T>
void collection_watch<T>::grant(unsigned batches) {
  impl_->loop.post([weak = std::weak_ptr{impl_}, batches] {
    if (const auto self = weak.lock())
      self->grant(batches);
  });
}

template <class T>
void collection_watch<T>::relist() {
  impl_->loop.post([weak = std::weak_ptr{impl_}] {
    if (const auto self = weak.lock())
      self->list_again(restart_reason::asked);
  });
}

template <class T>
void collection_watch<T>::stop() {
  impl_->loop.post([self = impl_] { self->stop(); }); // owns it: the last reference must go on the loop
}

template class collection_watch<endpoint_slice>;
template class collection_watch<service_export>;
template class collection_watch<slice_export>;

} // namespace sliceferry::k8s
