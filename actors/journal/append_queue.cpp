#include "actors/journal/append_queue.hpp"

#include "actors/journal/record_codec.hpp"
#include "actors/journal/stream_key.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace sliceferry::journal {
namespace {

constexpr std::uint64_t nobody_waits = std::numeric_limits<std::uint64_t>::max();
/// So few that encoding them holds nobody up for long.
constexpr std::size_t last_notes_max = 1000;
/// A buffer that was larger once is given back.
constexpr std::size_t kept_bytes_max = std::size_t{4} << 20;

} // namespace

void record_batch::add(const journal_record& what) {
  encode_record(what, bytes);
  ends.push_back(static_cast<std::uint32_t>(bytes.size()));
}

void record_batch::add_encoded(std::string_view record) {
  bytes += record;
  ends.push_back(static_cast<std::uint32_t>(bytes.size()));
}

void record_batch::clear() {
  if (bytes.capacity() > kept_bytes_max)
    *this = {};
  bytes.clear();
  ends.clear();
  handed_over = 0;
  since.reset();
}

append_queue::append_queue(const journal_options& options)
  : options_(options), health_(options.seed, options.steady()) {}

void append_queue::encode(const addition& made) {
  if (!filling_.since)
    filling_.since = options_.steady();
  scratch_.at = options_.now();
  scratch_.whose = made.whose;
  scratch_.slice = made.slice;
  const std::size_t before = filling_.ends.size();
  const auto put = [&](auto&& what) {
    scratch_.what = std::forward<decltype(what)>(what);
    filling_.add(scratch_);
  };
  if (made.begins)
    put(remembered{});
  for (const event& each : made.told)
    put(each);
  if ((anew_ || made.resumes) && !made.begins)
    put(remembered{made.after});
  events_ += made.told.size();
  handed_over_ += filling_.ends.size() - before;
  filling_.handed_over = handed_over_;
}

void append_queue::note(const addition& made) {
  if (overflowed_)
    return;
  std::string key = stream_key(made.whose);
  const auto found = notes_.find(key);
  if (found == notes_.end() && notes_.size() >= options_.noted_streams_max) {
    overflowed_ = true;
    notes_.clear();
    return;
  }
  std::string& bytes = found == notes_.end() ? notes_[std::move(key)] : found->second;
  bytes.clear();
  encode_record({0, options_.now(), made.whose, made.slice, remembered{made.after}}, bytes);
}

std::uint64_t append_queue::append(const addition& made) {
  callbacks freed;
  std::uint64_t position = 0;
  bool wakes = false;
  bool gives_way = false;
  {
    const std::lock_guard lock(mutex_);
    if (stopped_)
      return 0;
    if (health_.is_degraded()) {
      events_ += made.told.size();
      note(made);
      return 0;
    }
    encode(made);
    position = handed_over_;
    if (filling_.bytes.size() + taken_bytes_ > options_.buffer_bytes_max) {
      health_.give_up("more waits for the disk than may", options_.steady());
      gives_way = true;
      freed = give_way();
    }
    wakes = std::exchange(writer_waits_, false);
  }
  if (wakes)
    wake_writer_.notify_one();
  let_go(gives_way, freed);
  return position;
}

void append_queue::when_durable(std::uint64_t position, std::function<void()> then) {
  {
    const std::lock_guard lock(mutex_);
    if (durable() < position && !stopped_) {
      if (!silent_)
        waiting_.emplace(position, std::move(then));
      return;
    }
  }
  then();
}

append_queue::callbacks append_queue::give_way() {
  degraded_at_ = options_.now();
  set_durable(nobody_waits);
  return release(nobody_waits);
}

void append_queue::set_durable(std::uint64_t position) {
  durable_.store(ended_ ? nobody_waits : position, std::memory_order_release);
}

append_queue::callbacks append_queue::release(std::uint64_t up_to) {
  callbacks out;
  const auto end = waiting_.upper_bound(up_to);
  for (auto each = waiting_.begin(); each != end; ++each)
    out.push_back(std::move(each->second));
  waiting_.erase(waiting_.begin(), end);
  return out;
}

void append_queue::let_go(bool gave_way, const callbacks& all) {
  if (gave_way)
    tell(true, "the journal is degraded, and exports go on without it: " + missed().why);
  if (!all.empty())
    outgoing_.make([&] {
      for (const auto& each : all)
        each();
    });
}

void append_queue::tell(bool alarming, const std::string& text) {
  if (options_.tell)
    outgoing_.make([&] { options_.tell({alarming, text}); });
}

bool append_queue::wait(std::chrono::nanoseconds at_most) {
  std::unique_lock lock(mutex_);
  writer_waits_ = true;
  wake_writer_.wait_for(lock, at_most,
                        [this] { return stopped_ || woken_ || (!health_.is_degraded() && !filling_.empty()); });
  writer_waits_ = false;
  woken_ = false;
  return !stopped_;
}

void append_queue::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  wake_writer_.notify_one();
}

void append_queue::take(record_batch& out) {
  const std::lock_guard lock(mutex_);
  std::swap(out, filling_);
  taken_bytes_ += out.bytes.size();
  if (!taken_since_)
    taken_since_ = out.since;
}

void append_queue::committed(const record_batch& what) {
  callbacks freed;
  {
    const std::lock_guard lock(mutex_);
    ++commits_;
    health_.written();
    taken_bytes_ -= std::min(taken_bytes_, what.bytes.size());
    taken_since_.reset();
    committed_ = std::max(committed_, what.handed_over);
    if (!health_.is_degraded()) {
      set_durable(committed_);
      freed = release(committed_);
    }
  }
  let_go(false, freed);
}

void append_queue::opened() {
  const std::lock_guard lock(mutex_);
  health_.opened(options_.steady());
}

void append_queue::failed(std::string why) {
  callbacks freed;
  bool gives_way = false;
  {
    const std::lock_guard lock(mutex_);
    ++failures_;
    gives_way = !health_.is_degraded();
    health_.failed(std::move(why), options_.steady());
    if (gives_way)
      freed = give_way();
  }
  let_go(gives_way, freed);
}

bool append_queue::is_degraded() const {
  const std::lock_guard lock(mutex_);
  return health_.is_degraded();
}

interruption append_queue::missed() const {
  const std::lock_guard lock(mutex_);
  return {degraded_at_, health_.why()};
}

std::chrono::nanoseconds append_queue::pause() const {
  const std::lock_guard lock(mutex_);
  return std::max(health_.retry_at() - options_.steady(), std::chrono::nanoseconds{0});
}

bool append_queue::take_notes(std::size_t count, record_batch& out) {
  const std::lock_guard lock(mutex_);
  for (auto each = notes_.begin(); count > 0 && each != notes_.end(); --count) {
    out.add_encoded(each->second);
    each = notes_.erase(each);
  }
  return notes_.empty();
}

bool append_queue::heal() {
  std::string told;
  {
    const std::lock_guard lock(mutex_);
    if (!health_.is_degraded())
      return true;
    if (overflowed_ || notes_.size() > last_notes_max || !filling_.empty())
      return false;
    for (const auto& [key, bytes] : notes_)
      filling_.add_encoded(bytes);
    notes_.clear();
    if (!filling_.empty())
      filling_.since = options_.steady();
    const auto lasted = std::chrono::duration_cast<std::chrono::milliseconds>(options_.steady() - health_.since());
    told = "the journal is written again, after " + std::to_string(lasted.count()) + " ms";
    health_.healed(options_.steady());
    // Whoever still holds an older position need not wait for it.
    committed_ = handed_over_;
    set_durable(committed_);
  }
  tell(false, told);
  return true;
}

bool append_queue::overflowed() const {
  const std::lock_guard lock(mutex_);
  return overflowed_;
}

void append_queue::begin_anew() {
  const std::lock_guard lock(mutex_);
  overflowed_ = false;
  anew_ = true;
  filling_.clear();
  taken_bytes_ = 0;
  taken_since_.reset();
}

std::optional<tick> append_queue::oldest_waiting() const {
  return taken_since_ ? taken_since_ : filling_.since;
}

std::chrono::nanoseconds append_queue::patience_left() const {
  const std::lock_guard lock(mutex_);
  const auto oldest = oldest_waiting();
  if (!oldest || health_.is_degraded())
    return std::chrono::nanoseconds::max();
  return core::journal_health::answer_within - (options_.steady() - *oldest);
}

bool append_queue::review() {
  callbacks freed;
  {
    const std::lock_guard lock(mutex_);
    if (!health_.review(oldest_waiting(), options_.steady()))
      return false;
    freed = give_way();
    woken_ = true; // the writer may be waiting for nothing but its file
  }
  wake_writer_.notify_one();
  let_go(true, freed);
  return true;
}

void append_queue::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wake_writer_.notify_one();
}

void append_queue::fall_silent() {
  outgoing_.end();
  std::multimap<std::uint64_t, std::function<void()>> forgotten;
  const std::lock_guard lock(mutex_);
  silent_ = true;
  std::swap(forgotten, waiting_);
}

void append_queue::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  set_durable(nobody_waits);
}

journal_status append_queue::status() const {
  const std::lock_guard lock(mutex_);
  journal_status out;
  out.state = health_.state();
  out.why = health_.is_degraded() ? health_.why() : std::string{};
  out.lasts = options_.steady() - health_.since();
  out.events = events_;
  out.handed_over = handed_over_;
  out.durable = committed_;
  out.waiting_bytes = filling_.bytes.size() + taken_bytes_;
  out.noted_streams = notes_.size();
  out.commits = commits_;
  out.failures = failures_;
  out.degradations = health_.degradations();
  return out;
}

} // namespace sliceferry::journal
