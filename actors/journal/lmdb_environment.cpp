#include "actors/journal/lmdb_environment.hpp"

#include <lmdb.h>
#include <sys/mman.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace sliceferry::journal::lmdb {
namespace {

constexpr unsigned databases_max = 8;
constexpr unsigned readers_max = 64;
constexpr mode_t file_mode = 0600;

MDB_val value_of(bytes what) {
  return {what.size(), const_cast<char*>(what.data())};
}

bytes bytes_of(const MDB_val& what) {
  return {static_cast<const char*>(what.mv_data), what.mv_size};
}

} // namespace

bool failure::is_map_full() const {
  return code_ == MDB_MAP_FULL;
}

std::string failure::text() const {
  return std::string{"cannot "} + doing_ + ": " + mdb_strerror(code_);
}

failure environment::open(const std::string& path, const environment_options& options) {
  const unsigned flags = MDB_NOSUBDIR | MDB_NOTLS | MDB_NORDAHEAD | (options.read_only ? MDB_RDONLY : 0U) |
                         (options.locks ? 0U : MDB_NOLOCK) | (options.sync ? 0U : MDB_NOSYNC);
  if (const int code = mdb_env_create(&env_))
    return {code, "prepare the journal"};
  int code = mdb_env_set_maxdbs(env_, databases_max);
  if (code == 0)
    code = mdb_env_set_maxreaders(env_, readers_max);
  if (code == 0 && options.map_bytes != 0)
    code = mdb_env_set_mapsize(env_, options.map_bytes);
  if (code == 0)
    code = mdb_env_open(env_, path.c_str(), flags, file_mode);
  if (code == 0 && options.locks && !options.read_only) {
    int dead = 0;
    code = mdb_reader_check(env_, &dead);
  }
  if (code != 0)
    close(); // LMDB asks for it after a failed open, too
  return {code, "open the journal's file"};
}

void environment::close() {
  if (env_ != nullptr)
    mdb_env_close(env_);
  env_ = nullptr;
}

failure environment::sync() {
  return {mdb_env_sync(env_, 1), "sync the journal's file"};
}

void environment::forget_pages() {
  // LMDB doesn't tell where its map is, but the system does.
  const char* path = nullptr;
  if (mdb_env_get_path(env_, &path) != 0)
    return;
  std::error_code ignored;
  const std::string whole = std::filesystem::canonical(path, ignored).string();
  std::ifstream maps("/proc/self/maps");
  for (std::string line; !whole.empty() && std::getline(maps, line);) {
    std::uintptr_t from = 0;
    std::uintptr_t to = 0;
    char dash = 0;
    std::istringstream fields(line);
    if (line.ends_with(whole) && fields >> std::hex >> from >> dash >> to)
      madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
  }
}

failure transaction::begin(const environment& in, kind what) {
  if (!in.is_open())
    return {MDB_PANIC, "use a journal that isn't open"};
  return {mdb_txn_begin(in.get(), nullptr, what == kind::read ? MDB_RDONLY : 0U, &txn_), "begin a transaction"};
}

failure transaction::commit() {
  MDB_txn* const ending = std::exchange(txn_, nullptr);
  return {mdb_txn_commit(ending), "commit"};
}

void transaction::abort() {
  if (txn_ != nullptr)
    mdb_txn_abort(std::exchange(txn_, nullptr));
}

failure transaction::open(const char* name, database& out) {
  int code = mdb_dbi_open(txn_, name, 0, &out);
  if (code == MDB_NOTFOUND)
    code = mdb_dbi_open(txn_, name, MDB_CREATE, &out); // EACCES where this transaction only reads
  return {code, "open a part of the journal"};
}

std::optional<bytes> transaction::get(database from, bytes key, failure* why) {
  MDB_val wanted = value_of(key);
  MDB_val found{};
  const int code = mdb_get(txn_, from, &wanted, &found);
  if (code == 0)
    return bytes_of(found);
  if (code != MDB_NOTFOUND && why != nullptr)
    *why = {code, "read"};
  return std::nullopt;
}

failure transaction::put(database into, bytes key, bytes value) {
  MDB_val where = value_of(key);
  MDB_val what = value_of(value);
  return {mdb_put(txn_, into, &where, &what, 0), "write"};
}

failure transaction::append(database into, bytes key, bytes value) {
  MDB_val where = value_of(key);
  MDB_val what = value_of(value);
  return {mdb_put(txn_, into, &where, &what, MDB_APPEND), "append"};
}

failure transaction::clear(database which) {
  return {mdb_drop(txn_, which, 0), "empty a part of the journal"};
}

extent transaction::extent_of(database which) {
  MDB_stat stat{};
  if (mdb_stat(txn_, which, &stat) != 0)
    return {};
  return {stat.ms_entries, (stat.ms_branch_pages + stat.ms_leaf_pages + stat.ms_overflow_pages) * stat.ms_psize};
}

cursor::~cursor() {
  if (cursor_ != nullptr)
    mdb_cursor_close(cursor_);
}

failure cursor::open(transaction& in, database what) {
  return {mdb_cursor_open(in.get(), what, &cursor_), "look into the journal"};
}

bool cursor::first() {
  return move(MDB_FIRST);
}

bool cursor::last() {
  return move(MDB_LAST);
}

bool cursor::next() {
  return move(MDB_NEXT);
}

bool cursor::seek(bytes key) {
  key_ = key;
  return move(MDB_SET_RANGE);
}

bool cursor::move(int operation) {
  MDB_val key = value_of(key_);
  MDB_val value{};
  const int code = mdb_cursor_get(cursor_, &key, &value, static_cast<MDB_cursor_op>(operation));
  if (code != 0) {
    why_ = code == MDB_NOTFOUND ? failure{} : failure{code, "read"};
    return false;
  }
  key_ = bytes_of(key);
  value_ = bytes_of(value);
  return true;
}

failure cursor::erase() {
  return {mdb_cursor_del(cursor_, 0), "remove"};
}

} // namespace sliceferry::journal::lmdb
