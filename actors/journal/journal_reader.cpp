#include "actors/journal/journal_reader.hpp"

#include "actors/journal/journal_layout.hpp"
#include "actors/journal/lmdb_environment.hpp"
#include "actors/journal/reader_lock.hpp"

#include <lmdb.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace sliceferry::journal {
namespace {

/// What one transaction reads at most: it lasts milliseconds.
constexpr std::size_t entries_max = 10'000;
constexpr std::size_t bytes_max = 4U << 20U;

/// Copies of some entries that follow each other.
class batch {
public:
  void add(std::string_view key, std::string_view value) {
    sizes_.emplace_back(key.size(), value.size());
    bytes_ += key;
    bytes_ += value;
  }
  /// There is more behind these.
  bool more = false;
  bool full() const { return sizes_.size() >= entries_max || bytes_.size() >= bytes_max; }

  /// False if `visit` had enough.
  template <class Visit>
  bool each(Visit visit) const {
    std::string_view rest = bytes_;
    for (const auto& [key, value] : sizes_) {
      if (!visit(rest.substr(0, key), rest.substr(key, value)))
        return false;
      rest.remove_prefix(key + value);
    }
    return true;
  }

private:
  std::vector<std::pair<std::size_t, std::size_t>> sizes_;
  std::string bytes_;
};

std::string why_not_open(const std::string& file, const lmdb::failure& failed) {
  switch (failed.code()) {
    case MDB_INVALID:
      return file + " is no journal, or a damaged one";
    case MDB_VERSION_MISMATCH:
      return file + " is no journal of this program: it is of another version of LMDB";
    case EACCES:
    case EPERM:
      return "may not open " + file_in_the_way(file, true) + ": ask as the user of the program that writes it";
    default:
      return file + ": " + failed.text();
  }
}

/// A part of the file in this transaction; nothing, without a complaint, if the file hasn't got it.
std::string find_part(lmdb::transaction& in, const char* name, std::optional<lmdb::database>& out) {
  lmdb::database found = 0;
  const auto failed = in.open(name, found);
  if (!failed)
    out = found;
  return !failed || failed.code() == EACCES /* it can't be made here */ ? std::string{} : failed.text();
}

} // namespace

class journal_reader::parts {
public:
  std::string open(const std::string& directory);
  std::string outline(journal_outline& out);
  /// Reads entries of one part, from `at` on and up to `end` (included; empty: all); leaves in `at` where to go on.
  std::string read(const char* part, std::string& at, std::string_view end, batch& out);

private:
  std::string begin(lmdb::transaction& reading);
  std::string read_meta(lmdb::transaction& in, journal_outline& out);

  std::string file_;
  lmdb::environment environment_;
};

std::string journal_reader::parts::open(const std::string& directory) {
  struct stat status {};
  if (::stat(directory.c_str(), &status) != 0)
    return directory + ": " + std::strerror(errno);
  if (!S_ISDIR(status.st_mode))
    return directory + " is no directory";
  file_ = layout::journal_file(directory);
  if (::stat(file_.c_str(), &status) != 0)
    return errno == ENOENT ? directory + " holds no journal" : file_ + ": " + std::strerror(errno);
  if (status.st_size == 0)
    return directory + " holds no journal yet: " + file_ + " is empty";
  // Without: whoever writes has made it when it opened the file, so nobody writes but one that starts this moment.
  const bool has_lock = provide_lock_file(file_);
  if (const auto failed = environment_.open(file_, {.read_only = true, .locks = has_lock, .sync = true}))
    return why_not_open(file_, failed);
  journal_outline seen;
  return outline(seen);
}

std::string journal_reader::parts::begin(lmdb::transaction& reading) {
  const auto failed = reading.begin(environment_, lmdb::transaction::kind::read);
  return failed ? file_ + ": " + failed.text() : std::string{};
}

std::string journal_reader::parts::read_meta(lmdb::transaction& in, journal_outline& out) {
  std::optional<lmdb::database> meta;
  if (std::string wrong = find_part(in, layout::meta, meta); !wrong.empty())
    return wrong;
  const auto format = meta ? in.get(*meta, layout::format_key) : std::nullopt;
  const auto version = format ? layout::version_of(*format) : std::nullopt;
  if (!version)
    return "it is no journal of this program";
  if (*version > layout::version)
    return "it is of a newer version of this program (" + std::to_string(*version) + "; this one reads " +
           std::to_string(layout::version) + " and older)";
  if (const auto value = in.get(*meta, layout::snapshot_key)) {
    const auto mark = layout::snapshot_of(*value);
    if (!mark)
      return "it is damaged: its snapshot's name is none";
    out.has_snapshot = true;
    out.snapshot = mark->which;
    out.covers = mark->covers;
  }
  if (const auto value = in.get(*meta, layout::start_key))
    out.start = layout::start_of(*value).value_or(1);
  return {};
}

std::string journal_reader::parts::outline(journal_outline& out) {
  out = {};
  lmdb::transaction reading;
  std::string wrong = begin(reading);
  if (wrong.empty() && !(wrong = read_meta(reading, out)).empty())
    wrong = file_ + ": " + wrong;
  std::optional<lmdb::database> log;
  std::optional<lmdb::database> kept;
  if (wrong.empty())
    wrong = find_part(reading, layout::log, log);
  if (wrong.empty() && out.has_snapshot)
    wrong = find_part(reading, layout::snapshots[out.snapshot], kept);
  if (!wrong.empty())
    return wrong;
  if (kept)
    out.kept_streams = reading.extent_of(*kept).entries;
  lmdb::cursor at;
  if (!log || at.open(reading, *log) || !at.first())
    return {};
  out.first = layout::position_of(at.key()).value_or(0);
  at.last();
  out.last = layout::position_of(at.key()).value_or(0);
  return out.first == 0 || out.last < out.first ? file_ + ": it is damaged: a record has no position" : std::string{};
}

std::string journal_reader::parts::read(const char* part, std::string& at, std::string_view end, batch& out) {
  lmdb::transaction reading;
  std::optional<lmdb::database> from;
  std::string wrong = begin(reading);
  if (wrong.empty())
    wrong = find_part(reading, part, from);
  if (!wrong.empty() || !from)
    return wrong;
  lmdb::cursor cursor;
  if (const auto failed = cursor.open(reading, *from))
    return file_ + ": " + failed.text();
  // LMDB seeks no empty key.
  bool found = at.empty() ? cursor.first() : cursor.seek(at);
  for (; found && !out.full() && (end.empty() || cursor.key() <= end); found = cursor.next())
    out.add(cursor.key(), cursor.value());
  if (const auto failed = cursor.why())
    return file_ + ": " + failed.text();
  out.more = found && out.full();
  if (out.more && cursor.key() <= at)
    return file_ + ": it is damaged: its keys are in disorder"; // and would be read for ever
  if (out.more)
    at = cursor.key();
  return {};
}

journal_reader::journal_reader(std::unique_ptr<parts> made) : parts_(std::move(made)) {}
journal_reader::~journal_reader() = default;

std::variant<std::unique_ptr<journal_reader>, std::string> journal_reader::open(const std::string& directory) {
  auto made = std::make_unique<parts>();
  if (std::string wrong = made->open(directory); !wrong.empty())
    return wrong;
  return std::unique_ptr<journal_reader>{new journal_reader(std::move(made))};
}

std::string journal_reader::outline(journal_outline& out) {
  return parts_->outline(out);
}

std::string journal_reader::read_log(std::uint64_t from, std::uint64_t to, const record_visitor& visit) {
  std::string at{layout::view(layout::key_of(from))};
  const layout::position_key end = layout::key_of(to);
  for (;;) {
    batch some;
    if (std::string wrong = parts_->read(layout::log, at, layout::view(end), some); !wrong.empty())
      return wrong;
    const bool go_on = some.each(
      [&](std::string_view key, std::string_view bytes) { return visit(layout::position_of(key).value_or(0), bytes); });
    if (!go_on || !some.more)
      return {};
  }
}

std::string journal_reader::read_snapshot(unsigned which, std::string_view from_key, const memory_visitor& visit) {
  std::string at{from_key};
  for (;;) {
    batch some;
    if (std::string wrong = parts_->read(layout::snapshots[which], at, {}, some); !wrong.empty())
      return wrong;
    if (!some.each(visit) || !some.more)
      return {};
  }
}

} // namespace sliceferry::journal
