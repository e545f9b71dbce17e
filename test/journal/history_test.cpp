#include "actors/journal/history.hpp"

#include "actors/journal/journal_reader.hpp"
#include "test/journal/made_journal.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sliceferry::journal {
namespace {

const stream_id first_life{"member-1", "0f3c9a52-7a0e-4c57-9a55-3f1f0c1f6f01"};
const stream_id second_life{"member-1", "b7d1e6a0-1c2d-4e3f-8a4b-5c6d7e8f9a0b"};
const stream_id elsewhere{"member-2", "5e0c8a2e-98f1-4d53-9b6f-3f7a0a0c1d11"};
const object_key web{"shop", "web"};
const object_key other{"shop", "other"};
constexpr moment noon{std::chrono::milliseconds{1'796'040'000'000}};

std::vector<journal_record> some_records() {
  const auto at = [](int minute) { return noon + std::chrono::minutes{minute}; };
  return {
    {1, at(0), first_life, web, remembered{}},
    {2, at(1), first_life, web, event{name_chosen{"n1"}}},
    {3, at(2), elsewhere, web, event{name_chosen{"n2"}}},
    {4, at(3), first_life, other, event{name_chosen{"n3"}}},
    {5, at(200), {}, {}, interruption{at(100), "disk full"}},
    {6, at(201), first_life, web, event{slice_gone{}}},
    {7, at(202), second_life, web, remembered{}},
    {8, at(203), second_life, web, event{name_chosen{"n4"}}},
  };
}

struct answer {
  reading_end end;
  std::string text;

  /// The positions that JSON lines tell, in their order.
  std::vector<int> positions() const {
    std::vector<int> out;
    const std::string field = "{\"position\":";
    for (auto at = text.find(field); at != std::string::npos; at = text.find(field, at + 1))
      out.push_back(std::stoi(text.substr(at + field.size())));
    return out;
  }
  bool says(std::string_view what) const { return text.find(what) != std::string::npos; }
  bool notes(std::string_view what) const { return end.note.find(what) != std::string::npos; }
};

answer ask(const history_query& query) {
  answer out;
  out.end = show_history(query, [&](std::string_view piece) {
    out.text += piece;
    return true;
  });
  return out;
}

class History : public testing::Test {
protected:
  History() {
    journal.format();
    journal.add(some_records());
  }

  history_query about(std::optional<object_key> slice, std::string member = "",
                      std::optional<int> since_minute = std::nullopt) const {
    history_query out{
      .directory = journal.directory(), .slice = std::move(slice), .member = std::move(member), .json = true};
    if (since_minute)
      out.since = noon + std::chrono::minutes{*since_minute};
    return out;
  }

  static history_query beyond(std::uint64_t position, history_query asked) {
    asked.after = position;
    return asked;
  }

  made_journal journal;
};

TEST_F(History, TellsWhatIsAskedFor) {
  struct row {
    const char* name;
    history_query asked;
    std::vector<int> told;
  };
  const row table[] = {
    {"a slice through its lives, and the interruption", about(web), {1, 2, 3, 5, 6, 7, 8}},
    {"of one member", about(web, "member-1"), {1, 2, 5, 6, 7, 8}},
    {"an interruption after all that is told", about(other), {4, 5}},
    {"none before what is told", about(web, "", 201), {6, 7, 8}},
    {"nor before what the asker hasn't seen", beyond(4, about(web)), {6, 7, 8}},
    {"exactly then counts", about(web, "", 203), {8}},
    {"a time with its interruption", about({}, "", 3), {4, 5, 6, 7, 8}},
    {"a time of one member, and the interruption", about({}, "member-2", 0), {3, 5}},
    {"everything", about({}), {1, 2, 3, 4, 5, 6, 7, 8}},
    {"a name's, of which there is no news", beyond(8, about(web)), {}},
    {"nor within that time", about(web, "", 204), {}},
    {"later than all", about({}, "", 204), {}},
    {"what the asker hasn't seen", beyond(6, about(web)), {7, 8}},
    {"and of a time", beyond(4, about({}, "", 201)), {6, 7, 8}},
    {"nothing new", beyond(8, about({})), {}},
  };
  for (const auto& [name, asked, told] : table) {
    SCOPED_TRACE(name);
    const auto got = ask(asked);
    EXPECT_EQ(got.end.how, reading_end::kind::answered);
    EXPECT_EQ(got.positions(), told);
    EXPECT_EQ(got.notes("Nothing is recorded of "), told.empty());
    EXPECT_TRUE(got.notes("reaches back to 2026-11-30T12:00:00.000Z, its beginning"));
  }
}

TEST_F(History, NamesEachLifeForPeople) {
  auto asked = about(web);
  asked.json = false;
  const auto got = ask(asked);
  const auto first = got.text.find("shop/web of member member-1, uid " + first_life.slice_uid);
  const auto between = got.text.find("shop/web of member member-2, uid " + elsewhere.slice_uid);
  const auto second = got.text.find("shop/web of member member-1, uid " + second_life.slice_uid);
  EXPECT_EQ(first, 0U);
  EXPECT_LT(first, between);
  EXPECT_LT(between, second);
  EXPECT_NE(second, std::string::npos);
  EXPECT_EQ(std::count(got.text.begin(), got.text.end(), '\n'), 7 + 4) << "the first life comes twice";
  const std::string_view gap = "not recorded: from 2026-11-30T13:40:00.000Z to 2026-11-30T15:20:00.000Z: disk full";
  EXPECT_LT(between, got.text.find(gap));
  EXPECT_LT(got.text.find(gap), got.text.find("slice gone"));
  asked.slice.reset();
  EXPECT_TRUE(ask(asked).says(gap));
}

TEST_F(History, FailsWhereThereIsNoSuchThing) {
  using kind = reading_end::kind;
  struct row {
    const char* name;
    history_query asked;
    kind how;
    const char* note;
  };
  const row table[] = {
    {"no such slice", about(object_key{"shop", "we"}), kind::failed, "Nothing is recorded of shop/we.\n"},
    {"not of this member", about(other, "member-2"), kind::failed, "Nothing is recorded of shop/other of member mem"},
    {"a position that was never reached", beyond(9, about({})), kind::failed,
     "nothing after 9; the last position is 8\n"},
    {"nor for a slice that is there", beyond(9, about(web)), kind::failed, "nothing after 9; the last position is 8\n"},
    {"no such member", about({}, "nope"), kind::misasked,
     "the journal knows no member nope; it knows member-1, member-2\n"},
    {"and of a slice", about(web, "nope", 3), kind::misasked,
     "the journal knows no member nope; it knows member-1, member-2\n"},
    {"no news of a member", beyond(8, about({}, "member-2")), kind::answered, "Nothing is recorded of any slice of"},
    {"no news of all", beyond(8, about({})), kind::answered, "Nothing is recorded of any slice after 8.\n"},
  };
  for (const auto& [name, asked, how, note] : table) {
    SCOPED_TRACE(name);
    const auto got = ask(asked);
    EXPECT_EQ(got.end.how, how);
    EXPECT_EQ(got.end.note.find(note), 0U) << got.end.note;
    EXPECT_EQ(got.text, "");
  }
}

// A member may be known to the log alone, to the snapshot alone, or by streams whose keys don't tell.
TEST_F(History, KnowsTheMembersOfAllItsStreams) {
  const stream_id hashed{"member-4", std::string(600, 'u')};
  journal.add({{9, noon, hashed, web, remembered{}}});
  const stream_id kept{"member-3", "u"};
  const stream_id kept_hashed{"member-5", std::string(600, 'u')};
  journal.set_snapshot(1, 8, {{kept, {2, web, {}, {}}}, {kept_hashed, {3, web, {}, kept_hashed}}});
  journal.cut_before(8);
  for (const auto* known : {"member-1", "member-3", "member-4", "member-5"})
    EXPECT_EQ(ask(about({}, known)).end.how, reading_end::kind::answered) << known;
  EXPECT_EQ(ask(about({}, "member-2")).end.note,
            "the journal knows no member member-2; it knows member-1, member-3, member-4, member-5\n");
  made_journal fresh;
  fresh.format();
  EXPECT_TRUE(ask({.directory = fresh.directory(), .member = "m"}).notes("knows no member m; it knows none"));
}

TEST_F(History, CountsOnFromASnapshotWhoseLogWasCut) {
  journal.set_snapshot(0, 8, {});
  journal.cut_before(9);
  EXPECT_EQ(ask(beyond(8, about({}))).end.how, reading_end::kind::answered);
  EXPECT_TRUE(ask(beyond(9, about({}))).notes("nothing after 9; the last position is 8"));
}

TEST_F(History, FindsItsTimeThoughTheClockWasSetBack) {
  std::vector<journal_record> later;
  for (std::uint64_t position = 9; position < 2'000; ++position) {
    const auto minutes = std::chrono::minutes{300 + position} - std::chrono::minutes{position % 3 == 0 ? 45 : 0};
    later.push_back({position, noon + minutes, second_life, web, event{annotated{1}}});
  }
  journal.add(later);
  for (const int minute : {0, 305, 800, 1'500, 2'298, 2'299}) {
    SCOPED_TRACE(minute);
    std::vector<int> expected;
    for (const auto& each : some_records())
      if (each.at >= noon + std::chrono::minutes{minute})
        expected.push_back(static_cast<int>(each.position));
    for (const auto& each : later)
      if (each.at >= noon + std::chrono::minutes{minute})
        expected.push_back(static_cast<int>(each.position));
    EXPECT_EQ(ask(about({}, "", minute)).positions(), expected);
  }
}

TEST_F(History, SaysHowFarTheLogReaches) {
  journal.cut_before(3);
  const auto got = ask(about(web));
  EXPECT_EQ(got.positions(), (std::vector{3, 5, 6, 7, 8}));
  EXPECT_TRUE(got.notes("reaches back to 2026-11-30T12:02:00.000Z; what was before has been cut"));
  made_journal fresh;
  fresh.format();
  const auto nothing = ask({.directory = fresh.directory(), .slice = web});
  EXPECT_EQ(nothing.end.how, reading_end::kind::failed);
  EXPECT_TRUE(nothing.notes("log is empty"));
}

TEST_F(History, TellsWhatOnlyTheSnapshotKnows) {
  core::memory held;
  held.name = "kept";
  const auto of = [&](std::uint64_t covers, const object_key& slice) { return kept_memory{covers, slice, held, {}}; };
  struct row {
    const char* name;
    history_query asked;
    std::uint64_t first; ///< of the log
    std::vector<int> told;
    int of_snapshot;
  };
  const std::map<stream_id, kept_memory> at_5{
    {first_life, of(2, web)}, {elsewhere, of(3, web)}, {{"member-1", "u"}, of(4, other)}, {second_life, of(5, web)}};
  const row table[] = {
    {"the log is whole", about(web), 1, {1, 2, 3, 5, 6, 7, 8}, 0},
    {"each where it ends, and the interruption", about(web), 2, {2, 2, 3, 3, 5, 5, 6, 7, 8}, 3},
    {"before an interruption", about(other), 5, {4, 5}, 1},
    {"all before the log", about(web), 6, {2, 3, 5, 6, 7, 8}, 3},
    {"of one member", about(web, "member-2"), 6, {3}, 1},
    {"everything is asked for", about({}), 6, {6, 7, 8}, 0},
    {"a time is asked for", about(web, "", 0), 6, {6, 7, 8}, 0},
    {"news alone are asked for", beyond(0, about(web)), 6, {6, 7, 8}, 0},
    {"a log that was cut whole", about(web), 9, {2, 3, 5}, 3},
  };
  for (const auto& [name, asked, first, told, of_snapshot] : table) {
    SCOPED_TRACE(name);
    made_journal cut;
    cut.format();
    cut.add(some_records());
    cut.set_snapshot(0, 5, at_5);
    cut.cut_before(first);
    auto query = asked;
    query.directory = cut.directory();
    const auto got = ask(query);
    EXPECT_EQ(got.positions(), told);
    int lines = 0;
    const std::string mark = R"("snapshot":true,"event":"remembered","export":"kept")";
    for (auto at = got.text.find(mark); at != std::string::npos; at = got.text.find(mark, at + 1))
      ++lines;
    EXPECT_EQ(lines, of_snapshot) << got.text;
    EXPECT_EQ(got.notes("the snapshot's memory of it is shown"), of_snapshot != 0);
    query.json = false;
    EXPECT_EQ(ask(query).says("as of the snapshot        member-"), of_snapshot != 0) << ask(query).text;
  }
}

/// The whole of second_life is in the log, and in the snapshot.
TEST_F(History, LeavesTheSnapshotOutWhereTheLogTellsTheWholeLife) {
  core::memory held;
  held.name = "n4";
  journal.set_snapshot(0, 8, {{second_life, {8, web, held, {}}}});
  journal.cut_before(6);
  EXPECT_EQ(ask(about(web)).positions(), (std::vector{6, 7, 8}));
  journal.cut_before(8);
  EXPECT_EQ(ask(about(web)).positions(), (std::vector{8, 8}));
}

TEST_F(History, TellsWhatItCannotRead) {
  journal.write([](lmdb::transaction& to) {
    made_journal::put_record(to, 9, "garbage");
    std::string newer;
    encode_record(some_records()[0], newer);
    newer[4] = 2;
    close_seal(newer, 0);
    made_journal::put_record(to, 10, newer);
  });
  const auto got = ask(about({}));
  EXPECT_TRUE(got.says(R"({"position":9,"event":"unreadable","why":"damaged"})"));
  EXPECT_TRUE(got.says(R"({"position":10,"event":"unreadable","why":"newer"})"));
}

TEST_F(History, FailsClearly) {
  const auto got = ask({.directory = journal.directory() + "/none", .slice = web});
  EXPECT_EQ(got.end.how, reading_end::kind::failed);
  EXPECT_TRUE(got.notes("No such file or directory"));
  EXPECT_EQ(got.text, "");
}

// LMDB reads a file that ends too early through a map: the process gets SIGBUS.
TEST_F(History, SurvivesAFileThatWasCutShort) {
  std::vector<journal_record> many;
  for (std::uint64_t position = 9; position < 5'000; ++position)
    many.push_back({position, noon, second_life, web, event{annotated{1}}});
  journal.add(many);
  const auto size = std::filesystem::file_size(journal.file());
  bool failed = false;
  for (const auto left : {size / 2, std::uintmax_t{3 * 4096}, std::uintmax_t{2 * 4096}, std::uintmax_t{100}}) {
    SCOPED_TRACE(left);
    std::filesystem::resize_file(journal.file(), left);
    const auto got = ask(about({}));
    failed = failed || got.end.how == reading_end::kind::failed;
    EXPECT_EQ(got.end.how == reading_end::kind::failed, !got.notes("reaches back"));
  }
  EXPECT_TRUE(failed);
}

TEST_F(History, StopsWhenNobodyReadsOn) {
  std::vector<journal_record> many;
  for (std::uint64_t position = 9; position < 20'000; ++position)
    many.push_back({position, noon, second_life, web, event{annotated{1}}});
  journal.add(many);
  int pieces = 0;
  const auto end = show_history(about({}), [&](std::string_view) { return ++pieces < 2; });
  EXPECT_EQ(pieces, 2);
  EXPECT_EQ(end.how, reading_end::kind::answered);
}

TEST_F(History, ReadsBesideAWriter) {
  lmdb::environment writer;
  ASSERT_FALSE(writer.open(journal.file(), {.read_only = false, .locks = true, .sync = false, .map_bytes = 1U << 30U}));
  std::size_t expected = some_records().size();
  for (std::uint64_t position = 9; position < 12; ++position) {
    made_journal::write_in(writer, [&](lmdb::transaction& to) {
      std::string bytes;
      encode_record({position, noon, second_life, web, event{annotated{1}}}, bytes);
      made_journal::put_record(to, position, bytes);
    });
    EXPECT_EQ(ask(about({})).positions().size(), ++expected);
  }
}

} // namespace
} // namespace sliceferry::journal
