#include "actors/journal/journal_writer.hpp"

#include "actors/journal/file_trouble.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::journal {
namespace {

using namespace std::chrono_literals;

constexpr auto sync_every = 1s;
constexpr auto look_every = 10s;
constexpr std::size_t notes_per_commit = 1000;
constexpr std::uint64_t removal_reserve = std::uint64_t{1} << 20;

} // namespace

journal_writer::journal_writer(const journal_options& options, append_queue& queue)
  : options_(options), queue_(queue),
    store_(std::make_shared<journal_store>(journal_store::settings{
      layout::journal_file(options.directory),
      options.map_bytes != 0 ? options.map_bytes : 2 * options.max_bytes + (std::uint64_t{1} << 30), options.relaxed})),
    upkeep_(store_, options, [&queue] { queue.wake(); }) {}

void journal_writer::run() {
  publish();
  // What is stopped while it has trouble is not waited for.
  while (queue_.wait(pause()) && !given_up_) {
    if (!store_->is_open() && !bring_up())
      continue;
    if (queue_.is_degraded())
      heal_round();
    else
      write_round();
    publish();
  }
  finish();
}

/// How long there is nothing to do unless something is appended.
std::chrono::nanoseconds journal_writer::pause() {
  if (queue_.is_degraded() || !store_->is_open())
    return queue_.pause();
  if (upkeep_.has_step())
    return 0s;
  return unsynced_ > 0 ? std::chrono::nanoseconds{sync_every} : std::chrono::nanoseconds{look_every};
}

void journal_writer::write_round() {
  record_batch fresh;
  queue_.take(fresh);
  if (!fresh.empty())
    pending_.push_back(std::move(fresh));
  if (snapshot_requested_.exchange(false))
    upkeep_.request();
  see_readers();
  upkeep_.look();
  if (!pending_.empty() || upkeep_.has_step())
    write(true);
  sync_if_due(false);
}

bool journal_writer::write(bool with_upkeep) {
  lmdb::failure why = write_once(with_upkeep);
  if (why.is_map_full() && with_upkeep) {
    upkeep_.undone();
    upkeep_.drop();
    why = write_once(false);
  }
  if (why.is_map_full()) {
    failed(why.text());
    make_room();
    return false;
  }
  if (why) {
    failed(words_of(why));
    return false;
  }
  upkeep_.committed();
  ++unsynced_;
  publish(); // before those who wait look
  for (const record_batch& each : pending_)
    queue_.committed(each);
  pending_.clear();
  return true;
}

lmdb::failure journal_writer::write_once(bool with_upkeep) {
  lmdb::failure why = store_->begin();
  std::size_t records = 0;
  for (const record_batch& each : pending_) {
    if (!why)
      why = store_->append(each);
    records += each.ends.size();
  }
  if (!why && with_upkeep)
    why = upkeep_.step(records);
  if (!why) {
    attempted_ = pending_.empty() ? 0 : store_->coming().last;
    why = store_->commit();
  }
  if (!why)
    attempted_ = 0;
  store_->abandon();
  return why;
}

std::string journal_writer::words_of(const lmdb::failure& why) const {
  std::uint64_t bytes = 0;
  for (const record_batch& each : pending_)
    bytes += each.bytes.size();
  return words_of_trouble(why, layout::journal_file(options_.directory), bytes);
}

/// After any failure the file is opened again: LMDB gives up on one whose first pages it couldn't write.
void journal_writer::failed(const std::string& why) {
  upkeep_.undone();
  upkeep_.drop();
  store_->close();
  queue_.failed(why);
}

/// Nothing about the disk: the map is full. What the snapshot covers goes first.
void journal_writer::make_room() {
  // Even to remove something takes some pages.
  if (!open_file(removal_reserve))
    return;
  const std::uint64_t before = store_->figures().first;
  bool fits = true;
  while (fits && store_->figures().first <= store_->figures().covered())
    fits = !store_->begin() && !store_->trim(notes_per_commit) && !store_->commit();
  store_->abandon();
  const bool is_any = store_->figures().first > before;
  store_->close();
  if (!is_any)
    begin_anew("it is full, and no snapshot covers what it holds");
}

/// The journal goes on in a new file; what waits for the old one would tell half a story there.
bool journal_writer::begin_anew(const std::string& why) {
  upkeep_.drop();
  store_->begin_anew();
  store_->close();
  if (!put_aside(why))
    return false;
  pending_.clear();
  attempted_ = 0;
  queue_.begin_anew();
  return open_file();
}

void journal_writer::heal_round() {
  if (queue_.overflowed() && !begin_anew("more slices changed while it couldn't be written than could be remembered"))
    return;
  record_batch before;
  queue_.take(before);
  if (!before.empty())
    pending_.push_back(std::move(before));
  if (!pending_.empty() && !write(false))
    return;
  bool none_left = false;
  while (!told_interruption_ || !none_left) {
    record_batch notes;
    if (!std::exchange(told_interruption_, true))
      notes.add({0, options_.now(), {}, {}, queue_.missed()});
    none_left = queue_.take_notes(notes_per_commit, notes);
    pending_.push_back(std::move(notes));
    if (!write(false) || given_up_)
      return;
  }
  if (queue_.heal())
    told_interruption_ = false;
}

void journal_writer::sync_if_due(bool now) {
  if (!options_.relaxed || unsynced_ == 0 || !store_->is_open())
    return;
  if (!now && options_.steady() - synced_at_ < sync_every)
    return;
  synced_at_ = options_.steady();
  unsynced_ = 0;
  if (lmdb::failure why = store_->sync())
    failed(words_of(why));
}

void journal_writer::finish() {
  // Stopped so soon that nothing was tried yet; where there is trouble, it isn't waited for.
  if (!store_->is_open() && !queue_.is_degraded() && !given_up_)
    bring_up();
  if (store_->is_open() && !given_up_) {
    if (queue_.is_degraded())
      heal_round();
    if (!queue_.is_degraded())
      write_round();
    sync_if_due(true);
  }
  upkeep_.drop();
  store_->close();
  lock_ = {};
  publish();
  const std::lock_guard lock(mutex_);
  ended_ = true;
  opened_.notify_all();
}

void journal_writer::see_readers() {
  const std::lock_guard lock(mutex_);
  upkeep_.hold(readers_ > 0);
}

void journal_writer::publish() {
  const std::lock_guard lock(mutex_);
  if (store_->is_open())
    published_ = store_->figures();
  snapshots_ = upkeep_.snapshots();
  snapshot_under_way_ = upkeep_.under_way();
  snapshot_took_ = upkeep_.snapshot_took();
}

} // namespace sliceferry::journal
