#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

struct MDB_env;
struct MDB_txn;
struct MDB_cursor;

/// LMDB as values: what fails says so in its result, and each object closes what it opened.
namespace sliceferry::journal::lmdb {

/// Why a call failed, or that it didn't: false then.
class [[nodiscard]] failure {
public:
  failure() = default;
  failure(int code, const char* doing) : code_(code), doing_(doing) {}

  explicit operator bool() const { return code_ != 0; }
  int code() const { return code_; }
  /// The map has no room left; nothing about the disk.
  bool is_map_full() const;
  /// The same call, failed for another reason.
  failure as(int code) const { return {code, doing_}; }
  /// For people: "cannot commit: No space left on device".
  std::string text() const;

private:
  int code_ = 0;
  const char* doing_ = "";
};

using database = unsigned;

struct extent {
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0; ///< of its pages
};

struct environment_options {
  bool read_only = false;
  bool locks = true;           ///< false: nobody else writes, and the lock file isn't touched
  bool sync = true;            ///< false: commits don't wait for the disk
  std::uint64_t map_bytes = 0; ///< 0: what the file says
};

/// An open file. It must not be open twice in one process, nor be used across a fork.
class environment {
public:
  environment() = default;
  ~environment() { close(); }
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;

  /// Takes the file itself, not a folder. Readers that died without a word are cleared.
  failure open(const std::string& path, const environment_options& options);
  /// Everything that uses it must have ended.
  void close();
  failure sync();
  /// The mapped pages no longer count as this process's memory; they are read again where needed.
  void forget_pages();
  bool is_open() const { return env_ != nullptr; }
  MDB_env* get() const { return env_; }

private:
  MDB_env* env_ = nullptr;
};

/// What a key or a value is: bytes of the map, or of whoever puts them. Valid until the transaction ends or writes.
using bytes = std::string_view;

/// Ends with `commit`, or else undone. One that reads sees the file as it was at `begin`.
class transaction {
public:
  enum class kind { read, write };

  transaction() = default;
  ~transaction() { abort(); }
  transaction(const transaction&) = delete;
  transaction& operator=(const transaction&) = delete;

  failure begin(const environment& in, kind what);
  failure commit();
  void abort();

  /// Made if it isn't there and this transaction writes. Handles outlive the transaction if it is committed.
  failure open(const char* name, database& out);
  /// The unnamed one that holds the others, and that of free pages.
  static constexpr database root = 1;
  static constexpr database free_pages = 0;

  /// Nothing if there is no such key; a failure of another kind shows in `why`, if asked for.
  std::optional<bytes> get(database from, bytes key, failure* why = nullptr);
  failure put(database into, bytes key, bytes value);
  /// The key must be beyond all that the database holds.
  failure append(database into, bytes key, bytes value);
  failure clear(database which);
  extent extent_of(database which);
  MDB_txn* get() const { return txn_; }

private:
  MDB_txn* txn_ = nullptr;
};

/// Walks one database in the order of its keys. Must end before its transaction.
class cursor {
public:
  cursor() = default;
  ~cursor();
  cursor(const cursor&) = delete;
  cursor& operator=(const cursor&) = delete;

  failure open(transaction& in, database what);
  /// Each yields false where there is no such entry, and on failures, which `why` tells apart.
  bool first();
  bool last();
  bool next();
  /// The first entry whose key isn't before this one.
  bool seek(bytes key);
  bytes key() const { return key_; }
  bytes value() const { return value_; }
  /// Removes the current entry; then `next` yields the one after it.
  failure erase();
  failure why() const { return why_; }

private:
  bool move(int operation);

  MDB_cursor* cursor_ = nullptr;
  bytes key_;
  bytes value_;
  failure why_;
};

} // namespace sliceferry::journal::lmdb
