#pragma once
#include "actors/journal/journal_layout.hpp"
#include "actors/journal/lmdb_environment.hpp"
#include "actors/journal/memory_codec.hpp"
#include "actors/journal/record_codec.hpp"
#include "actors/journal/sealed.hpp"
#include "actors/journal/stream_key.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace sliceferry::journal {

/// A directory with a journal whose every entry the test chooses; removed with it.
class made_journal {
public:
  made_journal() {
    std::string form = (std::filesystem::temp_directory_path() / "journal-XXXXXX").string();
    directory_ = mkdtemp(form.data());
  }
  ~made_journal() { std::filesystem::remove_all(directory_); }
  made_journal(const made_journal&) = delete;
  made_journal& operator=(const made_journal&) = delete;

  const std::string& directory() const { return directory_; }
  std::string file() const { return layout::journal_file(directory_); }

  using writing = std::function<void(lmdb::transaction&)>;

  /// One transaction of a writer that comes and goes.
  void write(const writing& what) {
    lmdb::environment environment;
    ASSERT_FALSE(environment.open(file(), {.read_only = false, .locks = true, .sync = false, .map_bytes = 1U << 30U}));
    write_in(environment, what);
  }

  static void write_in(lmdb::environment& environment, const writing& what) {
    lmdb::transaction writer;
    ASSERT_FALSE(writer.begin(environment, lmdb::transaction::kind::write));
    what(writer);
    ASSERT_FALSE(writer.commit());
  }

  static void put(lmdb::transaction& to, const char* part, std::string_view key, std::string_view value) {
    lmdb::database into = 0;
    ASSERT_FALSE(to.open(part, into));
    ASSERT_FALSE(to.put(into, key, value));
  }

  static void put_record(lmdb::transaction& to, std::uint64_t position, std::string_view bytes) {
    put(to, layout::log, layout::view(layout::key_of(position)), bytes);
  }

  void format(std::uint32_t version = layout::version) {
    write([&](lmdb::transaction& to) { put(to, layout::meta, layout::format_key, layout::format_value(version)); });
  }

  /// The record's own position counts.
  void add(const std::vector<journal_record>& records) {
    write([&](lmdb::transaction& to) {
      for (const auto& each : records) {
        std::string bytes;
        encode_record(each, bytes);
        put_record(to, each.position, bytes);
      }
    });
  }

  void set_snapshot(unsigned which, std::uint64_t covers, const std::map<stream_id, kept_memory>& kept) {
    write([&](lmdb::transaction& to) {
      put(to, layout::meta, layout::snapshot_key, layout::snapshot_value({which, covers}));
      for (const auto& [whose, memory] : kept) {
        std::string bytes;
        encode_memory(memory, bytes);
        put(to, layout::snapshots[which], stream_key(whose), bytes);
      }
    });
  }

  /// As the writer does once a snapshot covers them.
  void cut_before(std::uint64_t position) {
    write([&](lmdb::transaction& to) {
      put(to, layout::meta, layout::start_key, layout::start_value(position));
      lmdb::database log = 0;
      ASSERT_FALSE(to.open(layout::log, log));
      lmdb::cursor at;
      ASSERT_FALSE(at.open(to, log));
      for (bool found = at.first(); found && at.key() < layout::view(layout::key_of(position)); found = at.next())
        ASSERT_FALSE(at.erase());
    });
  }

private:
  std::string directory_;
};

} // namespace sliceferry::journal
