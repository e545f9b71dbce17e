#include "k8s/reflector.hpp"

#include "k8s/status.hpp"
#include "messages/endpoint_slice.hpp"
#include "messages/overloaded.hpp"
#include "messages/service_export.hpp"
#include "messages/slice_export.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::k8s {

namespace {

constexpr std::size_t error_body_bytes_max = 64 << 10;
constexpr unsigned odd_errors_max = 3;    // pitfall LW04
constexpr unsigned short_watches_max = 3; // pitfall LW14
constexpr std::chrono::seconds short_watch{1};
constexpr std::chrono::seconds healthy_watch{30};

/// Whether `left` is the older of two versions of one collection; nothing is concluded of versions that are no numbers.
bool is_older(std::string_view left, std::string_view right) {
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (!is_number(left) || !is_number(right))
    return false;
  left.remove_prefix(std::min(left.find_first_not_of('0'), left.size()));
  right.remove_prefix(std::min(right.find_first_not_of('0'), right.size()));
  return left.size() != right.size() ? left.size() < right.size() : left < right;
}

/// Failures of a page that say nothing against its continue token.
bool is_passing(errc code) {
  return code == errc::throttled || code == errc::unavailable || code == errc::unauthorized;
}

} // namespace

template <class T>
reflector<T>::reflector(resource of, std::string_view nspace, reflector_options options)
  : nspace_{nspace}, path_{collection_path(of, nspace)}, options_{options}, chance_{options.seed} {}

template <class T>
get_request reflector<T>::next(tick now, reflected<T>& out) {
  status_ = 0;
  retry_after_.reset();
  body_.clear();
  list_ = {};
  lines_ = line_framer{};
  in_stream_.reset();
  had_news_ = false;
  opened_at_ = alive_at_ = now;
  is_watch_ = listed_;
  get_request get{path_, options_.list_idle, is_watch_};
  if (!is_watch_) {
    if (continue_.empty()) {
      out.batch.read_at = now;
      out.batch.events.push_back({watch_change::init, {}});
    }
    if (!in_one_piece_)
      get.target.append("?limit=").append(std::to_string(options_.page_items_max));
    if (!continue_.empty()) // which pins the version by itself (pitfall LW25)
      get.target.append(in_one_piece_ ? "?continue=" : "&continue=").append(percent_encoded(continue_));
  } else {
    const auto timeout = watch_for_ = between(options_.watch_min, options_.watch_max);
    get.target.append("?watch=1&allowWatchBookmarks=true&resourceVersion=")
      .append(percent_encoded(resource_version_))
      .append("&timeoutSeconds=")
      .append(std::to_string(timeout.count()));
    get.idle = timeout + options_.watch_slack;
    if (has_bookmarks_)
      get.idle = std::min<std::chrono::milliseconds>(get.idle, options_.heartbeat_idle);
  }
  idle_ = get.idle;
  return get;
}

template <class T>
void reflector<T>::head(unsigned status, std::optional<std::chrono::seconds> retry_after) {
  status_ = status;
  retry_after_ = retry_after;
}

template <class T>
bool reflector<T>::feed(std::string_view bytes, tick now, reflected<T>& out) {
  out.batch.read_at = now;
  if (status_ != 200) {
    body_.append(bytes.substr(0, error_body_bytes_max - std::min(body_.size(), error_body_bytes_max)));
    return true;
  }
  if (!is_watch_) {
    alive_at_ = now;
    feed_list(bytes, out);
    return true;
  }
  // Blank lines, as some proxies send them, are no sign that the server lives.
  if (bytes.find_first_not_of("\r\n") != std::string_view::npos)
    alive_at_ = now;
  while (!in_stream_)
    if (const auto line = lines_.next(bytes))
      take_line(*line, now, out);
    else
      break;
  return !in_stream_ && !lines_.overflowed() && now - alive_at_ < idle_;
}

template <class T>
get_end reflector<T>::ended(std::optional<failure> broken, tick now, reflected<T>& out) {
  out.batch.read_at = now;
  // A backup is restored while the server is down. The watch that goes on afterwards, from a version that the server
  // has yet to reach, would be told nothing until then.
  const bool is_early = now - opened_at_ < watch_for_ - std::chrono::seconds(1);
  if (is_watch_ && (broken || status_ != 200 || is_early))
    probe_at_ = now;
  if (status_ != 0 && status_ != 200)
    return refused(failure_of(status_, body_, retry_after_, call_kind::read_collection));
  if (!broken && status_ == 0)
    broken = failure{errc::unavailable, "the connection ended without an answer", std::nullopt, 0};
  return is_watch_ ? watch_ended(broken, now, out) : list_ended(broken, now, out);
}

template <class T>
get_end reflector<T>::refused(failure why) {
  if (why.code == errc::expired) {
    const bool in_pages = !is_watch_ && !continue_.empty();
    relist();
    in_one_piece_ = in_pages; // paging took longer than a token lives, and might do so for ever (pitfall LW24)
    return again(restart_reason::expired, std::move(why), true);
  }
  if (why.code == errc::kind_missing) {
    relist(); // A kind that went away may come back with another history: only a list tells.
    return {restart_reason::error, std::move(why), list_failures_ + watch_failures_ + 1};
  }
  if (!is_watch_ && !is_passing(why.code))
    relist();
  return again(restart_reason::error, std::move(why), false);
}

template <class T>
get_end reflector<T>::again(restart_reason why, failure how, bool first_at_once) {
  ++(is_watch_ ? watch_failures_ : list_failures_);
  const unsigned in_a_row = list_failures_ + watch_failures_;
  if (first_at_once && in_a_row == 1)
    return {why, std::nullopt, in_a_row};
  return {why, std::move(how), in_a_row};
}

template <class T>
get_end reflector<T>::list_ended(const std::optional<failure>& broken, tick now, reflected<T>& out) {
  if (broken)
    return again(restart_reason::error, *broken, false);
  auto end = list_.finish();
  if (end && !end->continue_token.empty() && end->continue_token == continue_)
    end = failure{errc::malformed, "a list that continues with itself", std::nullopt, status_};
  if (!end) {
    relist();
    return again(restart_reason::error, end.error(), false);
  }
  if (continue_.empty())
    resource_version_ = end->resource_version;
  continue_ = end->continue_token;
  if (!continue_.empty())
    return {};
  listed_ = true;
  in_one_piece_ = false;
  list_failures_ = 0;
  watch_event<T>& done = out.batch.events.emplace_back();
  done.change = watch_change::init_done;
  done.object.resource_version = resource_version_;
  probe_at_ = now + between(options_.probe_every * 9 / 10, options_.probe_every * 11 / 10);
  return {};
}

template <class T>
get_end reflector<T>::watch_ended(const std::optional<failure>& broken, tick now, reflected<T>& out) {
  // Half a line of a cut stream is nothing; at a clean end it is the last one (pitfalls HT05, HT06).
  if (!broken && !in_stream_)
    if (const auto line = lines_.rest())
      take_line(*line, now, out);
  if (in_stream_)
    return stream_error(*in_stream_, now);
  if (lines_.overflowed()) {
    relist();
    return again(restart_reason::error, {errc::malformed, "a watch line over 16 MiB", std::nullopt, 200}, false);
  }
  if (now - alive_at_ >= idle_) {
    relist();
    has_bookmarks_ = false;
    return again(restart_reason::idle, {errc::unavailable, "no sign of life from the server", std::nullopt, 200}, true);
  }
  if (broken)
    return again(restart_reason::error, *broken, false);
  if (now - opened_at_ >= healthy_watch)
    watch_failures_ = 0;
  if (!is_short(now)) {
    short_watches_ = 0;
  } else if (++short_watches_ >= short_watches_max) {
    if (!had_news_) // else it gets ahead, if slowly
      relist();
    return again(restart_reason::short_watches,
                 {errc::unavailable, "the server ends each watch at once", std::nullopt, 200}, false);
  }
  return {restart_reason::clean_end, std::nullopt, 0};
}

template <class T>
get_end reflector<T>::stream_error(failure how, tick now) {
  if (how.code == errc::expired) {
    relist();
    return again(restart_reason::expired, std::move(how), !had_news_ || !is_short(now));
  }
  if (how.code == errc::malformed && ++odd_errors_ >= odd_errors_max)
    relist();
  return again(restart_reason::error, std::move(how), false);
}

/// Whether the watch is one that, again and again at once, would load the server.
template <class T>
bool reflector<T>::is_short(tick now) const {
  return now - opened_at_ < short_watch;
}

template <class T>
void reflector<T>::feed_list(std::string_view bytes, reflected<T>& out) {
  std::vector<T> items;
  const std::size_t broken_before = out.broken.size();
  list_.feed(bytes, items, out.broken);
  out.batch.events.reserve(out.batch.events.size() + items.size());
  for (T& one : items)
    out.batch.events.push_back({watch_change::applied, std::move(one)});
  for (std::size_t i = broken_before; i < out.broken.size(); ++i) {
    ++out.batch.malformed;
    out.batch.unreadable.push_back(out.broken[i].key);
  }
}

template <class T>
void reflector<T>::take_line(std::string_view line, tick now, reflected<T>& out) {
  std::visit(overloaded{
               [&](watch_event<T>&& event) {
                 resource_version_ = event.object.resource_version;
                 out.batch.events.push_back(std::move(event));
                 alive(now);
               },
               [&](bookmark&& mark) {
                 resource_version_ = std::move(mark.resource_version);
                 has_bookmarks_ = true;
                 alive(now);
               },
               [&](failure&& error) { in_stream_ = std::move(error); },
               [&](malformed&& what) {
                 ++out.batch.malformed;
                 out.batch.unreadable.push_back(what.key);
                 out.broken.push_back(std::move(what));
               },
             },
             decode_watch_line<T>(line));
}

template <class T>
void reflector<T>::alive(tick now) {
  had_news_ = true;
  alive_at_ = now;
  watch_failures_ = odd_errors_ = 0;
}

template <class T>
std::optional<tick> reflector<T>::probe_at() const {
  return listed_ ? std::optional{probe_at_} : std::nullopt;
}

template <class T>
std::string reflector<T>::probe(tick now) {
  probe_at_ = now + between(options_.probe_every * 9 / 10, options_.probe_every * 11 / 10);
  probe_floor_ = resource_version_; // what the watch tells while the probe is under way may be newer than its answer
  return path_ + "?limit=1";
}

template <class T>
bool reflector<T>::probed(std::string_view body) {
  const std::string floor = std::exchange(probe_floor_, {});
  list_decoder<T> list;
  std::vector<T> items;
  std::vector<malformed> broken;
  list.feed(body, items, broken);
  const auto end = list.finish();
  if (!listed_ || !end || !is_older(end->resource_version, floor))
    return false;
  relist();
  return true;
}

template <class T>
void reflector<T>::relist() {
  listed_ = in_one_piece_ = false;
  continue_.clear();
  probe_floor_.clear();
}

template <class T>
void reflector<T>::relist_as(resource of) {
  path_ = collection_path(of, nspace_);
  relist();
}

/// splitmix64: spreads well and needs no more state than the seed.
template <class T>
std::chrono::seconds reflector<T>::between(std::chrono::seconds low, std::chrono::seconds high) {
  chance_ += 0x9e3779b97f4a7c15U;
  std::uint64_t mixed = chance_;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  mixed ^= mixed >> 31U;
  const auto span = static_cast<std::uint64_t>(std::max<std::int64_t>((high - low).count(), 0)) + 1;
  return low + std::chrono::seconds{static_cast<std::int64_t>(mixed % span)};
}

template class reflector<endpoint_slice>;
template class reflector<service_export>;
template class reflector<slice_export>;

} // namespace sliceferry::k8s
