#pragma once
#include "k8s/decode.hpp"
#include "k8s/line_framer.hpp"
#include "k8s/list_decoder.hpp"
#include "k8s/resource.hpp"
#include "k8s/restart_reason.hpp"
#include "messages/clock.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::k8s {

/// The times and sizes of a reflector. The seed spreads what many processes do (pitfall LW11).
struct reflector_options {
  std::uint64_t seed = 0;
  unsigned page_items_max = 500;
  std::chrono::seconds list_idle{60};
  std::chrono::seconds watch_min{300}; ///< a watch's timeoutSeconds lies between these two
  std::chrono::seconds watch_max{600};
  std::chrono::seconds watch_slack{30}; ///< silence beyond timeoutSeconds that means a dead server
  std::chrono::seconds heartbeat_idle{
    150}; ///< longest silence of a server that has sent a bookmark; they come each minute
  std::chrono::seconds probe_every{600};
};

/// A streaming GET to send.
struct get_request {
  std::string target;               ///< path and query
  std::chrono::milliseconds idle{}; ///< longest silence
  bool is_watch = false;            ///< else a list, or a page of one
};

/// What the end of a GET means. With a failure the next GET waits, as long as core says; without it goes at once.
struct get_end {
  restart_reason why = restart_reason::none;
  std::optional<failure> failed;
  /// Failures since the last complete list or the last sign of life of a watch. Those of a kind that is
  /// not served begin no row and end none; who knows the kind's other names counts them.
  unsigned in_a_row = 0;
};

/// What some bytes yielded, in order.
template <class T>
struct reflected {
  watch_batch<T> batch;
  std::vector<malformed> broken; ///< `batch.malformed` many, for the log
};

/// Mirrors one collection of a cluster: list, watch, relist. Performs no I/O and reads no clock.
///
/// The caller sends what `next()` asks for, passes on what arrives, and calls `ended()` when the GET
/// is over; any split of the bytes yields the same events. Lists are consistent (resourceVersion
/// unset) and paged by `continue` alone; after one whose token expired the next comes in one piece.
/// Each is bracketed by `init`, told with its first request, and `init_done`: whatever the server
/// answered before `init` the list shows. An `init` within a bracket begins it anew, and where a page
/// failed and is fetched again its items come twice. `410 Gone`, in either form, is a transition: the
/// reflector lists again. 401, 403 and 404 of the collection conclude nothing. A malformed object is
/// counted and its key passed on.
///
/// `resourceVersion` is sent back as it came; numbers are compared only to find a restored backup.
template <class T>
class reflector {
public:
  reflector(resource of, std::string_view nspace, reflector_options options);

  /// The GET to send now, once `out` has been passed on. The one before must have ended, or been dropped.
  get_request next(tick now, reflected<T>& out);

  /// Status line and headers of the answer arrived.
  void head(unsigned status, std::optional<std::chrono::seconds> retry_after);

  /// Takes some bytes of the body. False: nothing good follows; the caller drops the GET and calls `ended`.
  bool feed(std::string_view bytes, tick now, reflected<T>& out);

  /// The GET is over: complete, or broken, or dropped after `feed` said so (then `broken` is empty).
  get_end ended(std::optional<failure> broken, tick now, reflected<T>& out);

  /// When the next probe is due, while watching: now and then, and at once after a watch that ended before its time. A
  /// probe is a short GET beside the watch, to be sent once the server answers that.
  std::optional<tick> probe_at() const;
  /// The probe's target; sets when the next one is due.
  std::string probe(tick now);
  /// The probe's answer, if it was 200. True: the cluster is older than our mirror (a restored
  /// backup, pitfall LW07); the caller drops the watch, and `next()` lists.
  bool probed(std::string_view body);

  /// The caller drops the GET at hand, if any; `next()` lists.
  void relist();
  /// The same, of the kind under another name. The row of failures goes on: it is the same server.
  void relist_as(resource of);

  /// Whether a list was complete, and what goes on is the watch from there.
  bool watches() const { return listed_; }

private:
  get_end list_ended(const std::optional<failure>& broken, tick now, reflected<T>& out);
  get_end watch_ended(const std::optional<failure>& broken, tick now, reflected<T>& out);
  get_end refused(failure why);
  get_end again(restart_reason why, failure how, bool first_at_once);
  get_end stream_error(failure how, tick now);
  bool is_short(tick now) const;
  void feed_list(std::string_view bytes, reflected<T>& out);
  void take_line(std::string_view line, tick now, reflected<T>& out);
  void alive(tick now);
  std::chrono::seconds between(std::chrono::seconds low, std::chrono::seconds high);

  std::string nspace_;
  std::string path_;
  reflector_options options_;
  std::uint64_t chance_;

  // Of the mirror.
  bool listed_ = false;          // the next GET is a watch
  std::string resource_version_; // where the watch resumes; of the list at hand, its first page's
  std::string continue_;
  bool in_one_piece_ = false; // lists without pages, because a page's token expired
  bool has_bookmarks_ = false;
  unsigned list_failures_ = 0;  // since a list was complete
  unsigned watch_failures_ = 0; // since a watch showed a sign of life
  unsigned short_watches_ = 0;
  unsigned odd_errors_ = 0;
  std::chrono::seconds watch_for_{}; // as asked of the server
  tick probe_at_{};
  std::string probe_floor_; // resource_version_ when the probe was sent; empty: none is out

  // Of the GET at hand.
  bool is_watch_ = false;
  unsigned status_ = 0;
  std::optional<std::chrono::seconds> retry_after_;
  std::string body_; // of an answer other than 200
  list_decoder<T> list_;
  line_framer lines_;
  std::optional<failure> in_stream_; // an ERROR event ends the watch
  bool had_news_ = false;
  tick opened_at_{};
  tick alive_at_{};
  std::chrono::milliseconds idle_{};
};

} // namespace sliceferry::k8s
