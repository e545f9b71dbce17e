#include "actors/journal/journal_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace sliceferry::journal {
namespace {

using namespace std::chrono_literals;

constexpr auto look_for_answer_every = 50ms;
constexpr std::size_t cut_per_commit = 1000;

/// What is wrong, or nothing.
std::string keep_beside(int file, const std::string& bytes, const std::string& name) {
  const ssize_t written = ::write(file, bytes.data(), bytes.size());
  const bool is_short = written >= 0 && static_cast<std::size_t>(written) < bytes.size();
  if (!is_short && written >= 0 && fdatasync(file) == 0)
    return {};
  return "cannot write " + name + ": " + std::strerror(is_short ? ENOSPC : errno);
}

} // namespace

void journal_writer::take_over(std::unique_ptr<examination> begun, owned_descriptor lock, std::string failure) {
  examination_ = std::move(begun);
  lock_ = std::move(lock);
  failure_ = std::move(failure);
}

/// Everything from an unknown directory to an open file, as far as it goes.
bool journal_writer::bring_up() {
  if (!failure_.empty()) {
    queue_.failed(std::exchange(failure_, {}));
    return false;
  }
  if (!claim_file() || !judge_file() || !open_file())
    return false;
  const std::lock_guard lock(mutex_);
  if (!std::exchange(is_open_, true))
    last_at_open_ = store_->figures().last;
  published_ = store_->figures();
  opened_.notify_all();
  return true;
}

bool journal_writer::claim_file() {
  if (lock_)
    return true;
  if (examination_ == nullptr) {
    examination_ = std::make_unique<examination>();
    if (std::string why = examination_->begin(options_.directory); !why.empty()) {
      examination_.reset();
      queue_.failed(why);
      return false;
    }
  }
  std::optional<examination::admission> answer;
  while (!answer && !given_up_)
    answer = examination_->admitted(look_for_answer_every);
  if (!answer)
    return false;
  lock_ = std::move(answer->lock);
  if (lock_)
    return true;
  examination_.reset();
  queue_.failed(answer->why);
  return false;
}

/// True once the file is known to be one that LMDB may open, or is out of the way.
bool journal_writer::judge_file() {
  if (judged_)
    return true;
  if (examination_ == nullptr) {
    // An earlier look was in vain. The next child claims the directory for us again.
    lock_ = {};
    return false;
  }
  std::optional<inspection> found;
  while (!found && !given_up_)
    found = examination_->verdict(look_for_answer_every);
  if (!found)
    return false;
  examination_.reset();
  switch (found->what) {
    case inspection::verdict::absent:
    case inspection::verdict::sound:
      judged_ = true;
      break;
    case inspection::verdict::cut:
      judged_ = cut(*found);
      break;
    case inspection::verdict::damaged:
      judged_ = put_aside("it is damaged: " + found->why);
      break;
    case inspection::verdict::foreign:
      judged_ = put_aside("it isn't a journal of this program: " + found->why);
      break;
    case inspection::verdict::newer:
    case inspection::verdict::unreadable:
      queue_.failed("cannot read " + layout::journal_file(options_.directory) + ": " + found->why);
      break;
  }
  return judged_;
}

bool journal_writer::open_file(std::uint64_t reserve) {
  if (store_->is_open())
    return true;
  if (lmdb::failure why = store_->open(reserve)) {
    queue_.failed(words_of(why));
    return false;
  }
  // A commit that seemed to fail may have been done: its records must not be written twice.
  if (attempted_ != 0 && store_->figures().last == attempted_) {
    for (const record_batch& each : pending_)
      queue_.committed(each);
    pending_.clear();
  }
  attempted_ = 0;
  queue_.opened();
  return true;
}

/// Takes the damaged end off the log, which is kept in a file of its own: each record as position u64 big-endian, size
/// u32 and bytes, the newest first.
bool journal_writer::cut(const inspection& found) {
  const std::string name = options_.directory + "/journal.cut-" + stamp_of(options_.now());
  if (!open_file())
    return false;
  const std::uint64_t count = store_->figures().last - found.first_bad + 1;
  const owned_descriptor kept{::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)};
  while (store_->figures().last >= found.first_bad) {
    std::string removed;
    lmdb::failure why = store_->begin();
    if (!why)
      why = store_->cut(found.first_bad, cut_per_commit, removed);
    std::string wrong = why ? why.text() : std::string{};
    // Before they are gone for good.
    if (wrong.empty())
      wrong = keep_beside(kept.get(), removed, name);
    if (wrong.empty())
      if ((why = store_->commit()))
        wrong = words_of(why);
    if (!wrong.empty()) {
      store_->close();
      queue_.failed(wrong);
      return false;
    }
  }
  {
    const std::lock_guard lock(mutex_);
    cut_records_ += count;
  }
  queue_.tell(true, "the journal's last " + std::to_string(count) + " records are cut off, as " + found.why +
                      "; they are kept in " + name);
  return true;
}

bool journal_writer::put_aside(const std::string& why) {
  std::string name;
  if (std::string wrong = set_aside(options_.directory, options_.now(), name); !wrong.empty()) {
    queue_.failed(wrong);
    return false;
  }
  {
    const std::lock_guard lock(mutex_);
    ++set_aside_;
  }
  queue_.tell(true, "the journal begins anew: " + why + "; the old file is kept as " + name);
  return true;
}

void journal_writer::add_to(journal_status& out) const {
  const std::lock_guard lock(mutex_);
  out.set_aside = set_aside_;
  out.cut_records = cut_records_;
  out.snapshots = snapshots_;
  out.snapshot_under_way = snapshot_under_way_;
  out.snapshot_took = snapshot_took_;
  if (!is_open_)
    return;
  out.first = published_.first;
  out.last = published_.last;
  out.snapshot_covers = published_.covered();
  out.snapshot_streams = published_.snapshot_streams;
  out.bytes_used = published_.bytes_used;
}

void journal_writer::request_snapshot() {
  snapshot_requested_ = true;
  queue_.wake();
}

std::optional<journal_writer::reading_claim> journal_writer::claim_reading() {
  std::unique_lock lock(mutex_);
  opened_.wait(lock, [this] { return is_open_ || ended_; });
  if (ended_)
    return std::nullopt;
  ++readers_;
  return reading_claim{last_at_open_};
}

void journal_writer::end_reading() {
  {
    const std::lock_guard lock(mutex_);
    --readers_;
  }
  queue_.wake();
}

void journal_writer::forget_pages() {
  const auto reading = store_->reading();
  if (store_->is_open())
    store_->forget_pages();
}

} // namespace sliceferry::journal
