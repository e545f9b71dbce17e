#include "actors/core/wake_queue.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::core {

namespace {

constexpr unsigned oldest_each = 4;

constexpr std::size_t index_of(work_rank rank) {
  return static_cast<std::size_t>(rank);
}

// The lines, in the order of their turns: of each rank what news put off, then what rests; of each rank what is
// refused.
constexpr std::size_t urgent_line = 0;
constexpr std::size_t first_refused_line = 6;

constexpr std::size_t line_of_news(const wait_marks& marks) {
  return 2 * index_of(marks.rank);
}

constexpr std::size_t line_of_rest(const wait_marks& marks) {
  return marks.refused ? first_refused_line + index_of(marks.rank) : line_of_news(marks) + 1;
}

constexpr bool rests(std::size_t line) {
  return line >= first_refused_line || line % 2 == 1;
}

std::size_t& counter_of(wake_queue::counts& of, const wait_marks& marks) {
  return marks.refused ? of.refused : marks.rank == work_rank::removal ? of.withdrawing : of.owed;
}

} // namespace

void wake_queue::put(const std::string& slice_uid, const wait_marks& marks, tick since) {
  if (entry* held = find(slice_uid)) {
    if (held->line == line_of_news(marks))
      return mark(*held, marks);
    since = rests(held->line) ? since : held->since;
    drop(*held);
  }
  append(slice_uid, line_of_news(marks), marks, since);
}

void wake_queue::rest(const std::string& slice_uid, const wait_marks& marks, tick now) {
  remove(slice_uid);
  append(slice_uid, line_of_rest(marks), marks, now);
}

bool wake_queue::remove(const std::string& slice_uid) {
  entry* held = find(slice_uid);
  if (held)
    drop(*held);
  return held != nullptr;
}

std::optional<wake_queue::waiting> wake_queue::take(tick now) {
  entry* held = next(now);
  if (!held)
    return std::nullopt;
  waiting out{uids_.spell(*held->key), held->marks, held->since};
  drop(*held);
  return out;
}

void wake_queue::keep_if(const std::function<bool(const std::string& slice_uid)>& is_kept) {
  for (const line& each : lines_)
    for (entry* held = each.first; held;) {
      entry& here = *std::exchange(held, held->after);
      if (!is_kept(uids_.spell(*here.key)))
        drop(here);
    }
}

wake_queue::turns wake_queue::ready(tick now, std::size_t at_most) const {
  turns out;
  for (std::size_t at = 0; at < lines_.size(); ++at) {
    const auto due = count_due(at, now, at_most - out.all);
    out.all += due;
    if (at < first_refused_line)
      out.by_rank[at / 2] += due;
  }
  return out;
}

bool wake_queue::contains(const std::string& slice_uid) const {
  const auto packed = uids_.find(slice_uid);
  return packed && slices_.find(*packed) != slices_.end();
}

wake_queue::entry* wake_queue::find(const std::string& slice_uid) {
  const auto packed = uids_.find(slice_uid);
  const auto found = packed ? slices_.find(*packed) : slices_.end();
  return found == slices_.end() ? nullptr : &found->second;
}

/// It must not be waiting.
void wake_queue::append(const std::string& slice_uid, std::size_t to, const wait_marks& marks, tick since) {
  const auto made = slices_.try_emplace(uids_.pack(slice_uid)).first;
  entry& held = made->second;
  held.key = &made->first;
  held.since = since;
  held.marks = marks;
  held.line = static_cast<std::uint8_t>(to);
  line& here = lines_[to];
  held.before = here.last;
  (here.last ? here.last->after : here.first) = &held;
  here.last = &held;
  ++here.size;
  ++counts_.all;
  ++counter_of(counts_, marks);
  counts_.exported += marks.exported ? 1 : 0;
}

void wake_queue::drop(entry& gone) {
  unlink(gone);
  --counts_.all;
  --counter_of(counts_, gone.marks);
  counts_.exported -= gone.marks.exported ? 1 : 0;
  const auto key = *gone.key;
  slices_.erase(key);
  uids_.forget(key);
}

void wake_queue::unlink(entry& gone) {
  line& here = lines_[gone.line];
  (gone.before ? gone.before->after : here.first) = gone.after;
  (gone.after ? gone.after->before : here.last) = gone.before;
  --here.size;
}

void wake_queue::mark(entry& held, const wait_marks& marks) {
  --counter_of(counts_, held.marks);
  counts_.exported -= held.marks.exported ? 1 : 0;
  held.marks = marks;
  ++counter_of(counts_, marks);
  counts_.exported += marks.exported ? 1 : 0;
}

bool wake_queue::is_due(std::size_t at, tick now) const {
  return lines_[at].first && (!rests(at) || now - lines_[at].first->since >= rest_for);
}

wake_queue::entry* wake_queue::next(tick now) {
  if (lines_[urgent_line].first)
    return lines_[urgent_line].first;
  entry* urgent = nullptr;
  entry* oldest = nullptr;
  entry* early = nullptr;
  for (std::size_t at = 0; at < lines_.size(); ++at) {
    entry* first = lines_[at].first;
    early = early ? early : first;
    if (!is_due(at, now))
      continue;
    urgent = urgent ? urgent : first;
    oldest = oldest && oldest->since <= first->since ? oldest : first;
  }
  if (!urgent)
    return early;
  return ++picks_ % oldest_each == 0 ? oldest : urgent;
}

/// Who rests waits in the order in which each began to.
std::size_t wake_queue::count_due(std::size_t at, tick now, std::size_t at_most) const {
  if (!rests(at))
    return std::min(lines_[at].size, at_most);
  std::size_t out = 0;
  for (const entry* held = lines_[at].first; held && out < at_most && now - held->since >= rest_for; held = held->after)
    ++out;
  return out;
}

} // namespace sliceferry::core
