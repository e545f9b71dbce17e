#include "actors/journal/journal.hpp"
#include "actors/journal/journal_layout.hpp"
#include "actors/journal/lmdb_environment.hpp"
#include "test/journal/journal_place.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sliceferry::journal {
namespace {

constexpr std::size_t page_bytes = 4096;

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// A journal that an earlier run left, which each test then spoils.
struct DamagedJournal : testing::Test {
  temporary_directory place;
  moved_clock clock;
  std::vector<std::string> told;
  std::string whole; ///< the file as it was left
  std::vector<journal_record> log;

  journal_options options() {
    journal_options out;
    out.directory = place.path();
    out.now = [this] { return clock.wall(); };
    out.tell = [this](const notice& what) { told.push_back(what.text); };
    return out;
  }

  void SetUp() override {
    {
      const auto made = open_or_die(options());
      std::vector<told_stream> streams;
      for (unsigned i = 0; i < 60; ++i)
        streams.emplace_back("member-1", i);
      std::uint64_t last = 0;
      for (auto& each : streams)
        last = each.tell(*made);
      ASSERT_TRUE(wait_durable(*made, last));
      made->snapshot_now();
      ASSERT_TRUE(wait_until([&] { return made->status().snapshots == 1; }));
      for (unsigned i = 0; i < 40; ++i) {
        last = streams[i].tell(*made);
        ASSERT_TRUE(wait_durable(*made, last));
      }
    }
    log = read_log(place.path());
    whole = read_file(place.file());
    ASSERT_GT(whole.size(), 10 * page_bytes);
  }

  /// The whole file, but for one byte of a record.
  std::string with_damaged_record(std::uint64_t position) {
    write_file(place.file(), whole);
    {
      lmdb::environment file;
      lmdb::transaction in;
      lmdb::database part = 0;
      EXPECT_FALSE(file.open(place.file(), {}));
      EXPECT_FALSE(in.begin(file, lmdb::transaction::kind::write));
      EXPECT_FALSE(in.open(layout::log, part));
      const auto key = layout::key_of(position);
      std::string record{in.get(part, layout::view(key)).value_or("")};
      record.back() = static_cast<char>(record.back() ^ 1);
      EXPECT_FALSE(in.put(part, layout::view(key), record));
      EXPECT_FALSE(in.commit());
    }
    return read_file(place.file());
  }

  /// Opens what `bytes` make of the journal; checks what must hold whatever they are.
  journal_status open_spoilt(const std::string& bytes) {
    for (const std::string& name : place.names())
      std::filesystem::remove(place.path() + '/' + name);
    write_file(place.file(), bytes);
    const auto made = open_or_die(options());
    const recovered found = recover_all(*made);
    const journal_status status = made->status();
    EXPECT_EQ(found.counts.failure, "");
    if (status.set_aside != 0) {
      EXPECT_TRUE(found.streams.empty()) << "it starts cold";
      EXPECT_EQ(read_file(place.path() + '/' + place.name_with("set-aside")), bytes) << "nothing is thrown away";
    } else {
      const auto end = log.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(status.last, log.size()));
      EXPECT_TRUE(found.streams == fold_all({log.begin(), end})) << "what it knows is true";
    }
    told_stream next("member-2", 1);
    EXPECT_TRUE(wait_durable(*made, next.tell(*made)));
    EXPECT_EQ(made->status().state, core::journal_state::healthy);
    return status;
  }
};

TEST_F(DamagedJournal, IsNoneWhereNothingHappenedToIt) {
  const journal_status status = open_spoilt(whole);
  EXPECT_EQ(status.set_aside, 0U);
  EXPECT_EQ(status.cut_records, 0U);
  EXPECT_EQ(status.last, log.size());
}

TEST_F(DamagedJournal, EmptyOrAbsentIsNew) {
  EXPECT_EQ(open_spoilt("").set_aside, 0U);
  std::filesystem::remove_all(place.path());
  const auto made = open_or_die(options());
  EXPECT_EQ(recover_all(*made).counts.streams, 0U);
  EXPECT_EQ(made->status().set_aside, 0U);
}

TEST_F(DamagedJournal, CutShortAnywhereIsSetAside) {
  std::size_t set_aside = 0;
  for (std::size_t size = page_bytes; size < whole.size(); size += page_bytes) {
    SCOPED_TRACE(size);
    set_aside += open_spoilt(whole.substr(0, size)).set_aside;
  }
  EXPECT_GT(set_aside, 0U);
  EXPECT_EQ(open_spoilt(whole.substr(0, 100)).set_aside, 1U);
  EXPECT_EQ(open_spoilt(whole.substr(0, page_bytes + 7)).set_aside, 1U);
}

TEST_F(DamagedJournal, AFlippedBitInAnyPageHarmsNobody) {
  std::uint64_t seed = 20260;
  std::size_t noticed = 0;
  for (std::size_t page = 0; page * page_bytes < whole.size(); ++page)
    for (int i = 0; i < 4; ++i) {
      core::jitter random(seed++);
      // Half of them where a page says what it is.
      const std::size_t bit = random.next() % (i % 2 == 0 ? 8 * 32 : 8 * page_bytes);
      SCOPED_TRACE("page " + std::to_string(page) + " bit " + std::to_string(bit));
      std::string spoilt = whole;
      char& byte = spoilt[page * page_bytes + bit / 8];
      byte = static_cast<char>(byte ^ (1 << bit % 8));
      const journal_status status = open_spoilt(spoilt);
      noticed += status.set_aside + (status.cut_records != 0 ? 1 : 0);
    }
  EXPECT_GT(noticed, 10U);
}

TEST_F(DamagedJournal, ADamagedEndIsCutOffAndKept) {
  for (const std::size_t first_bad : {log.size(), log.size() - 1, log.size() - 7}) {
    SCOPED_TRACE(first_bad);
    const journal_status status = open_spoilt(with_damaged_record(first_bad));
    EXPECT_EQ(status.set_aside, 0U);
    EXPECT_EQ(status.cut_records, log.size() - first_bad + 1);
    EXPECT_EQ(status.last, first_bad - 1);
    EXPECT_GT(read_file(place.path() + '/' + place.name_with("cut-")).size(), status.cut_records * 20);
    const auto after = read_log(place.path());
    ASSERT_EQ(after.size(), first_bad - 1 + 3) << "what is appended follows the last good one";
    EXPECT_EQ(after.back().position, after.size());
  }
}

TEST_F(DamagedJournal, WithADamagedRecordThatItsSnapshotCoversIsSetAside) {
  EXPECT_EQ(open_spoilt(with_damaged_record(5)).set_aside, 1U);
}

TEST_F(DamagedJournal, WhatIsNoJournalIsSetAside) {
  EXPECT_EQ(open_spoilt("once upon a time\n" + std::string(3 * page_bytes, '.')).set_aside, 1U);
  EXPECT_NE(told.back().find("isn't a journal"), std::string::npos);
  temporary_directory other;
  {
    lmdb::environment made;
    lmdb::transaction in;
    lmdb::database part = 0;
    ASSERT_FALSE(made.open(other.file(), {.map_bytes = 1 << 20}));
    ASSERT_FALSE(in.begin(made, lmdb::transaction::kind::write));
    ASSERT_FALSE(in.open("accounts", part));
    ASSERT_FALSE(in.put(part, "somebody", "else"));
    ASSERT_FALSE(in.commit());
  }
  EXPECT_EQ(open_spoilt(read_file(other.file())).set_aside, 1U);
}

TEST_F(DamagedJournal, OfANewerVersionIsRefusedAndUntouched) {
  {
    lmdb::environment made;
    lmdb::transaction in;
    lmdb::database meta = 0;
    ASSERT_FALSE(made.open(place.file(), {}));
    ASSERT_FALSE(in.begin(made, lmdb::transaction::kind::write));
    ASSERT_FALSE(in.open(layout::meta, meta));
    ASSERT_FALSE(in.put(meta, layout::format_key, layout::format_value(layout::version + 1)));
    ASSERT_FALSE(in.commit());
  }
  const std::string before = read_file(place.file());
  const auto opened = journal::open(options());
  const auto* why = std::get_if<std::string>(&opened);
  ASSERT_NE(why, nullptr);
  EXPECT_NE(why->find("version 2"), std::string::npos) << *why;
  EXPECT_NE(why->find("version 1") + why->find("knows 1"), 2 * std::string::npos) << *why;
  EXPECT_EQ(read_file(place.file()), before);
}

TEST_F(DamagedJournal, ThatAnotherProcessWritesIsRefused) {
  auto first = open_or_die(options());
  {
    const auto opened = journal::open(options());
    const auto* why = std::get_if<std::string>(&opened);
    ASSERT_NE(why, nullptr);
    EXPECT_NE(why->find("pid " + std::to_string(getpid())), std::string::npos) << *why;
    EXPECT_NE(why->find(place.path()), std::string::npos) << *why;
  }
  first.reset();
  EXPECT_TRUE(recover_all(*open_or_die(options())).streams == fold_all(log));
}

} // namespace
} // namespace sliceferry::journal
