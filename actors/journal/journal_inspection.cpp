#include "actors/journal/journal_inspection.hpp"

#include "actors/journal/journal_layout.hpp"
#include "actors/journal/lmdb_file_walk.hpp"
#include "actors/journal/memory_codec.hpp"
#include "actors/journal/record_codec.hpp"
#include "actors/journal/stream_key.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

namespace sliceferry::journal {
namespace {

using verdict = inspection::verdict;

inspection damaged(std::string why) {
  return {verdict::damaged, std::move(why), 0};
}

/// A file mapped for reading; empty, with the reason, where that fails.
class mapped_file {
public:
  explicit mapped_file(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file < 0 || fstat(file, &status) != 0) {
      absent_ = errno == ENOENT;
      why_ = std::strerror(errno);
    } else if (!S_ISREG(status.st_mode)) {
      why_ = "it is no file";
    } else if (status.st_size == 0) {
      absent_ = true;
    } else {
      size_ = static_cast<std::size_t>(status.st_size);
      at_ = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0);
      if (at_ == MAP_FAILED)
        why_ = std::strerror(errno);
      else
        madvise(at_, size_, MADV_SEQUENTIAL);
    }
    if (file >= 0)
      ::close(file);
  }
  ~mapped_file() {
    if (at_ != MAP_FAILED)
      munmap(at_, size_);
  }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;

  bool absent() const { return absent_; }
  const std::string& why() const { return why_; }
  std::string_view bytes() const { return {static_cast<const char*>(at_), size_}; }

private:
  void* at_ = MAP_FAILED;
  std::size_t size_ = 0;
  bool absent_ = false;
  std::string why_;
};

/// What the trees of a journal say, gathered while they are walked.
class contents {
public:
  explicit contents(std::string_view file) : walk_(file) {}

  inspection look_at_version();
  inspection look_at_all();

private:
  std::string read_tree(const char* name, const lmdb_file_walk::visitor& visit);
  std::string read_log();
  std::string read_snapshots();
  void take_record(std::string_view key, std::string_view value);

  lmdb_file_walk walk_;
  std::optional<std::uint32_t> version_;
  std::optional<layout::snapshot_mark> snapshot_;
  std::string wrong_; ///< in a value
  std::uint64_t newest_ = 0;
  std::uint64_t first_bad_ = 0;
};

std::string contents::read_tree(const char* name, const lmdb_file_walk::visitor& visit) {
  const auto found = walk_.names().find(name);
  if (found == walk_.names().end())
    return {};
  std::string wrong = walk_.walk(found->second, visit);
  if (wrong.empty())
    wrong = wrong_;
  return wrong.empty() ? wrong : std::string{name} + ": " + wrong;
}

inspection contents::look_at_version() {
  if (std::string wrong = walk_.open(); !wrong.empty())
    return walk_.is_foreign() ? inspection{verdict::foreign, wrong, 0} : damaged(wrong);
  if (std::string wrong = walk_.read_names(); !wrong.empty())
    return damaged(wrong);
  if (walk_.is_foreign() || (!walk_.names().empty() && walk_.names().count(layout::meta) == 0))
    return {verdict::foreign, "it is a database of something else", 0};
  if (walk_.names().empty())
    return {verdict::absent, {}, 0}; // a first run ended before it wrote anything
  const auto take = [&](std::string_view key, std::string_view value) {
    if (key == layout::format_key)
      version_ = layout::version_of(value);
    else if (key == layout::snapshot_key && !(snapshot_ = layout::snapshot_of(value)))
      wrong_ = "the snapshot's name is none";
    else if (key == layout::start_key && !layout::start_of(value))
      wrong_ = "the log's beginning is none";
  };
  if (std::string wrong = read_tree(layout::meta, take); !wrong.empty())
    return damaged(wrong);
  if (!version_)
    return {verdict::foreign, "it is a database of something else", 0};
  if (*version_ > layout::version)
    return {verdict::newer,
            "it was written by a newer sliceferry (version " + std::to_string(*version_) +
              " of the journal; this program knows " + std::to_string(layout::version) + ')',
            0};
  return {verdict::sound, {}, 0};
}

void contents::take_record(std::string_view key, std::string_view value) {
  const auto position = layout::position_of(key);
  if (!position || *position == 0)
    wrong_ = "a record has no position";
  else if (newest_ != 0 && *position != newest_ + 1)
    wrong_ = "record " + std::to_string(newest_ + 1) + " is missing";
  else if (first_bad_ == 0 && !is_intact(value))
    first_bad_ = *position;
  newest_ = position.value_or(0);
}

std::string contents::read_log() {
  return read_tree(layout::log, [this](auto key, auto value) { take_record(key, value); });
}

std::string contents::read_snapshots() {
  for (unsigned which = 0; which < 2; ++which) {
    const bool counts = snapshot_ && snapshot_->which == which;
    const auto take = [&](std::string_view key, std::string_view value) {
      // Of what isn't the snapshot (any more, or yet) nothing is read but its pages, when they are emptied.
      if (counts && (!is_intact(value) || (!is_hashed_key(key) && !stream_of(key))))
        wrong_ = "the memory of a stream is damaged";
    };
    if (std::string wrong = read_tree(layout::snapshots[which], take); !wrong.empty())
      return wrong;
  }
  return {};
}

inspection contents::look_at_all() {
  inspection out = look_at_version();
  if (out.what != verdict::sound)
    return out;
  for (const auto& [name, tree] : walk_.names())
    if (name != layout::meta && name != layout::log && name != layout::snapshots[0] && name != layout::snapshots[1])
      return damaged("it holds something unknown: " + name);
  std::string wrong = read_log();
  if (wrong.empty())
    wrong = read_snapshots();
  if (wrong.empty())
    wrong = walk_.check_free_pages();
  if (!wrong.empty())
    return damaged(std::move(wrong));
  const std::uint64_t covered = snapshot_ ? snapshot_->covers : 0;
  if (newest_ != 0 && newest_ < covered)
    return damaged("the log ends before its snapshot");
  if (first_bad_ == 0)
    return out;
  if (first_bad_ <= covered)
    return damaged("record " + std::to_string(first_bad_) + ": damaged");
  return {verdict::cut, "record " + std::to_string(first_bad_) + " is damaged", first_bad_};
}

template <class Look>
inspection open_and(const std::string& path, Look look) {
  const mapped_file file(path);
  if (file.absent())
    return {verdict::absent, {}, 0};
  if (!file.why().empty())
    return {verdict::unreadable, file.why(), 0};
  contents all(file.bytes());
  return look(all);
}

} // namespace

inspection look_at_version(const std::string& path) {
  return open_and(path, [](contents& all) { return all.look_at_version(); });
}

inspection inspect(const std::string& path) {
  return open_and(path, [](contents& all) { return all.look_at_all(); });
}

} // namespace sliceferry::journal
