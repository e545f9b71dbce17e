#include "actors/journal/journal_reader.hpp"

#include "test/journal/made_journal.hpp"
#include "test/journal/random_records.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace sliceferry::journal {
namespace {

/// What stands in the way of reading this directory, or nothing.
std::string objection(const std::string& directory) {
  const auto opened = journal_reader::open(directory);
  const auto* why = std::get_if<std::string>(&opened);
  return why ? *why : "";
}

std::unique_ptr<journal_reader> opened(const made_journal& journal) {
  auto out = journal_reader::open(journal.directory());
  EXPECT_FALSE(std::holds_alternative<std::string>(out)) << std::get<std::string>(out);
  return std::move(std::get<std::unique_ptr<journal_reader>>(out));
}

TEST(JournalReader, SaysWhatStandsInItsWay) {
  const made_journal journal;
  const auto says = [&](std::string_view what) {
    return objection(journal.directory()).find(what) != std::string::npos;
  };
  EXPECT_NE(objection(journal.directory() + "/none").find("No such file or directory"), std::string::npos);
  EXPECT_TRUE(says("holds no journal"));
  std::ofstream{journal.file()};
  EXPECT_TRUE(says("is empty"));
  EXPECT_NE(objection(journal.file()).find("is no directory"), std::string::npos);
  std::ofstream{journal.file()} << std::string(100'000, 'x');
  EXPECT_TRUE(says("is no journal, or a damaged one"));
  std::filesystem::remove(journal.file());
  std::ofstream{journal.file()} << "short";
  EXPECT_TRUE(says("is no journal, or a damaged one"));
}

TEST(JournalReader, TellsOthersDatabasesFromJournals) {
  made_journal journal;
  journal.write([](lmdb::transaction& to) { made_journal::put(to, "theirs", "a", "b"); });
  EXPECT_NE(objection(journal.directory()).find("no journal of this program"), std::string::npos);
  journal.write(
    [](lmdb::transaction& to) { made_journal::put(to, layout::meta, layout::format_key, "another format"); });
  EXPECT_NE(objection(journal.directory()).find("no journal of this program"), std::string::npos);
  journal.format(layout::version + 1);
  EXPECT_NE(objection(journal.directory()).find("newer version"), std::string::npos);
  journal.format();
  EXPECT_EQ(objection(journal.directory()), "");
}

TEST(JournalReader, ReadsWhatIsThere) {
  made_journal journal;
  journal.format();
  journal_outline seen;
  {
    const auto reader = opened(journal);
    ASSERT_EQ(reader->outline(seen), "");
    EXPECT_EQ(seen, journal_outline{});
    EXPECT_EQ(reader->read_log(1, 100, [](auto, auto) { return false; }), "") << "an empty log is no fault";
  }
  // More than a transaction reads, by number and by size; and a number that its limit divides.
  constexpr std::uint64_t records = 20'000;
  journal.write([](lmdb::transaction& to) {
    for (std::uint64_t position = 5; position < 5 + records; ++position)
      made_journal::put_record(to, position,
                               std::to_string(position) + std::string(position % 7 == 0 ? 2'000 : 0, ' '));
  });
  journal.set_snapshot(1, 17, {{{"m", "u"}, {17, {"n", "s"}, {}}}});
  const auto reader = opened(journal);
  ASSERT_EQ(reader->outline(seen), "");
  EXPECT_EQ(seen, (journal_outline{5, 4 + records, 1, true, 1, 17, 1}));
  std::uint64_t next = 8;
  ASSERT_EQ(reader->read_log(8, records,
                             [&](std::uint64_t position, std::string_view bytes) {
                               EXPECT_EQ(position, next++);
                               EXPECT_EQ(bytes.substr(0, bytes.find(' ')), std::to_string(position));
                               return true;
                             }),
            "");
  EXPECT_EQ(next, records + 1);
  std::size_t visits = 0;
  ASSERT_EQ(reader->read_log(1, records, [&](auto, auto) { return ++visits < 3; }), "");
  EXPECT_EQ(visits, 3U);
  std::string keys;
  ASSERT_EQ(reader->read_snapshot(1, {},
                                  [&](std::string_view key, auto) {
                                    keys += key;
                                    return true;
                                  }),
            "");
  EXPECT_EQ(keys, stream_key({"m", "u"}));
}

TEST(JournalReader, EndsWhereABatchEndsWithTheLog) {
  made_journal journal;
  journal.format();
  journal.write([](lmdb::transaction& to) {
    for (std::uint64_t position = 1; position <= 10'000; ++position)
      made_journal::put_record(to, position, "x");
  });
  const auto reader = opened(journal);
  std::size_t visits = 0;
  ASSERT_EQ(reader->read_log(1, 20'000, [&](auto, auto) { return ++visits < 50'000; }), "");
  EXPECT_EQ(visits, 10'000U);
}

} // namespace
} // namespace sliceferry::journal
