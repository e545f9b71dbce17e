#include "k8s/collection_list.hpp"

#include "messages/endpoint_slice.hpp"
#include "messages/service_export.hpp"
#include "messages/slice_export.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace sliceferry::k8s {

namespace {

using namespace std::chrono_literals;

constexpr unsigned unauthorized_max = 2; // the second is under credentials that were read anew
constexpr std::chrono::milliseconds wait_max = 10s;

tick now() {
  return std::chrono::steady_clock::now();
}

/// Whether asking again may help, within seconds.
bool is_passing(errc code) {
  switch (code) {
    case errc::expired:
    case errc::throttled:
    case errc::unauthorized:
    case errc::ambiguous:
    case errc::unavailable:
    case errc::malformed:
      return true;
    case errc::conflict:
    case errc::already_exists:
    case errc::other_uid:
    case errc::missing:
    case errc::kind_missing:
    case errc::namespace_missing:
    case errc::namespace_terminating:
    case errc::forbidden:
    case errc::quota:
    case errc::invalid:
      return false;
  }
  return false;
}

} // namespace

/// All of it lives on the loop. A GET's callbacks carry its number, as those of a collection_watch do.
template <class T>
struct list_reader<T>::impl : std::enable_shared_from_this<impl> {
  impl(io_loop& on, http_client& by, list_options with)
    : loop{on}, client{by}, options{std::move(with)}, mirror{options.served_as.at(0), options.nspace,
                                                             options.reflecting} {}

  io_loop& loop;
  http_client& client;
  list_options options;
  reflector<T> mirror;
  std::promise<result<collection_list<T>>> promised;
  bool is_over = false;
  collection_list<T> got;
  std::size_t whole_items = 0; // of the pages that came whole
  std::size_t whole_unreadable = 0;
  std::size_t pages = 0;    // that came whole
  std::size_t furthest = 0; // most pages that any attempt came to: one that fails before them gets nowhere
  std::shared_ptr<http_stream> stream;
  std::uint64_t number = 0;
  std::string target;
  io_loop::timer next;
  io_loop::timer limit;
  unsigned failures = 0;
  unsigned unauthorized = 0;
  std::size_t served = 0;         // index into options.served_as
  std::optional<failure> missing; // what the preferred name met

  void begin() {
    limit = later(options.longest, [](impl& self) {
      self.finish(failure{errc::unavailable,
                          self.client.name_of_get(self.target) + ": not complete after " +
                            std::to_string(self.options.longest.count()) + " ms",
                          std::nullopt, 0});
    });
    start();
  }

  template <class Work>
  io_loop::timer later(std::chrono::milliseconds delay, Work work) {
    return loop.after(delay, [weak = this->weak_from_this(), work] {
      if (const auto self = weak.lock(); self && !self->is_over)
        work(*self);
    });
  }

  void start() {
    const std::uint64_t mine = ++number;
    reflected<T> begun;
    const get_request get = mirror.next(now(), begun);
    take(std::move(begun));
    target = get.target;
    const auto guarded = [weak = this->weak_from_this(), mine](auto work) {
      return [weak, mine, work](auto... args) {
        if (const auto self = weak.lock(); self && self->number == mine && !self->is_over)
          work(*self, std::move(args)...);
      };
    };
    stream = client.open(get.target, get.idle,
                         {guarded([](impl& self, unsigned status, std::optional<std::chrono::seconds> wish) {
                            self.mirror.head(status, wish);
                          }),
                          guarded([](impl& self, std::string_view bytes) { self.bytes(bytes); }),
                          guarded([](impl& self, const std::optional<failure>& broken) { self.over(broken); })});
  }

  void bytes(std::string_view bytes) {
    reflected<T> out;
    const bool good = mirror.feed(bytes, now(), out);
    take(std::move(out));
    if (!good)
      over(std::nullopt);
  }

  void take(reflected<T> told) {
    for (watch_event<T>& each : told.batch.events) {
      if (each.change == watch_change::init)
        forget();
      else if (each.change == watch_change::init_done)
        got.resource_version = each.object.resource_version;
      else
        got.items.push_back(std::move(each.object));
    }
    std::ranges::move(told.broken, std::back_inserter(got.unreadable));
  }

  void forget() {
    got = {};
    whole_items = whole_unreadable = pages = 0;
  }

  void over(const std::optional<failure>& broken) {
    ++number;
    stream.reset();
    reflected<T> out;
    get_end end = mirror.ended(broken, now(), out);
    take(std::move(out));
    if (mirror.watches())
      return finish(std::move(got));
    if (end.why == restart_reason::none)
      return go_on();
    // What half a page told comes again, if in a list that begins anew.
    got.items.erase(got.items.begin() + static_cast<std::ptrdiff_t>(whole_items), got.items.end());
    got.unreadable.erase(got.unreadable.begin() + static_cast<std::ptrdiff_t>(whole_unreadable), got.unreadable.end());
    if (!end.failed)
      return start();
    // What the transport tells names the server already; what the server tells names no server.
    if (!(broken && end.failed->text == broken->text))
      end.failed->text = client.name_of_get(target) + ": " + end.failed->text;
    failed(std::move(*end.failed));
  }

  void go_on() {
    whole_items = got.items.size();
    whole_unreadable = got.unreadable.size();
    if (++pages > furthest) {
      furthest = pages;
      failures = 0;
    }
    if (options.pause > 0ms)
      next = later(options.pause, [](impl& self) { self.start(); });
    else
      start();
  }

  void failed(failure why) {
    if (why.code == errc::kind_missing) {
      if (!missing)
        missing = std::move(why);
      if (++served == options.served_as.size())
        return finish(*missing);
      mirror.relist_as(options.served_as[served]);
      return start();
    }
    unauthorized += why.code == errc::unauthorized ? 1U : 0U;
    if (!is_passing(why.code) || unauthorized == unauthorized_max || ++failures >= options.failures_max)
      return finish(std::move(why));
    auto wait = std::min(options.retry_after * (1U << std::min(failures - 1, 10U)), wait_max);
    if (why.retry_after)
      wait = std::max<std::chrono::milliseconds>(wait, *why.retry_after);
    next = later(wait, [](impl& self) { self.start(); });
  }

  void finish(result<collection_list<T>> end) {
    is_over = true;
    stop();
    promised.set_value(std::move(end));
  }

  void stop() {
    is_over = true;
    ++number;
    stream.reset();
    next.cancel();
    limit.cancel();
  }
};

template <class T>
list_reader<T>::list_reader(io_loop& loop, http_client& client, list_options options)
  : impl_{std::make_shared<impl>(loop, client, std::move(options))}, loop_{loop}, end_{impl_->promised.get_future()} {
  loop.post([weak = std::weak_ptr{impl_}] {
    if (const auto self = weak.lock())
      self->begin();
  });
}

template <class T>
list_reader<T>::~list_reader() {
  loop_.post([self = impl_] { self->stop(); }); // owns it: the last reference must go on the loop
}

template <class T>
result<collection_list<T>> list_reader<T>::wait() {
  return end_.get();
}

template class list_reader<endpoint_slice>;
template class list_reader<service_export>;
template class list_reader<slice_export>;

} // namespace sliceferry::k8s
