#include "actors/journal/replay.hpp"

#include "actors/journal/memory_difference.hpp"
#include "test/journal/made_journal.hpp"
#include "test/journal/random_records.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sliceferry::journal {
namespace {

struct answer {
  reading_end end;
  std::string text;

  std::uint64_t count(const std::string& field) const {
    const auto at = text.rfind('"' + field + "\":");
    return at == std::string::npos ? ~0ULL : std::stoull(text.substr(at + field.size() + 3));
  }
  bool says(std::string_view what) const { return text.find(what) != std::string::npos; }
  bool agrees() const { return end.how == reading_end::kind::answered; }
};

answer ask(const replay_query& query) {
  answer out;
  out.end = show_replay(query, [&](std::string_view piece) {
    out.text += piece;
    return true;
  });
  return out;
}

/// A journal as the program would keep it: lives that begin blank, and perhaps a snapshot and a log cut at its
/// beginning.
class lived {
public:
  lived(std::uint64_t seed, std::uint64_t records) : random(seed) {
    journal.format();
    for (std::uint64_t position = 1; position <= records; ++position)
      records_.push_back(next(position));
    journal.add(records_);
  }

  /// What all records up to here make of each stream that isn't over.
  std::map<stream_id, kept_memory> memories(std::uint64_t through) const {
    std::map<stream_id, kept_memory> out;
    for (const auto& each : records_)
      if (each.position <= through && !std::holds_alternative<interruption>(each.what))
        out[each.whose] = {each.position, each.slice, fold(std::move(out[each.whose].held), each)};
    std::erase_if(out, [](const auto& each) { return core::ended(each.second.held); });
    return out;
  }

  void snapshot(std::uint64_t covers) {
    kept = memories(covers);
    covered = covers;
    journal.set_snapshot(0, covers, kept);
  }

  replay_query query() const { return {.directory = journal.directory(), .member = {}, .json = true}; }

  random_records random;
  made_journal journal;
  std::map<stream_id, kept_memory> kept;
  std::uint64_t covered = 0;

private:
  journal_record next(std::uint64_t position) {
    const moment at{std::chrono::milliseconds{position}};
    if (random.pick(40) == 0)
      return {position, at, {}, {}, interruption{at, "disk full"}};
    const std::string number = std::to_string(random.pick(25));
    journal_record out{position, at, {random.toss() ? "m1" : "m2", "uid-" + number}, {"n", number}, {}};
    const bool over = known_.contains(out.whose) && core::ended(known_[out.whose]);
    if (!known_.contains(out.whose) || over)
      out.what = remembered{}; // a life after the end begins anew, as the snapshot may have left out the old one
    else if (random.pick(30) == 0)
      out.what = remembered{random.memory()};
    else
      out.what = random.told(random.next());
    known_[out.whose] = fold(std::move(known_[out.whose]), out);
    return out;
  }

  std::vector<journal_record> records_;
  std::map<stream_id, core::memory> known_;
};

TEST(Replay, AgreesOnWhatWasKeptRight) {
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    lived life(seed, 600);
    auto got = ask(life.query());
    EXPECT_TRUE(got.agrees()) << got.text;
    const auto streams = got.count("streams");
    EXPECT_EQ(got.count("from_start"), streams);
    EXPECT_EQ(got.count("checked_end"), streams);
    EXPECT_EQ(got.count("checked_snapshot"), 0U);
    life.snapshot(1 + life.random.pick(600));
    got = ask(life.query());
    EXPECT_TRUE(got.agrees()) << got.text;
    EXPECT_EQ(got.count("records"), 600U);
    EXPECT_EQ(got.count("from_snapshot"), life.kept.size());
    EXPECT_GE(got.count("checked_snapshot"), life.kept.size());
    life.journal.cut_before(1 + life.random.pick(life.covered + 1));
    EXPECT_TRUE(ask(life.query()).agrees());
    life.journal.cut_before(life.covered + 1);
    EXPECT_TRUE(ask(life.query()).agrees());
  }
}

TEST(Replay, FoldsInPartsWhatIsTooMuch) {
  lived life(7, 600);
  life.snapshot(300);
  const auto whole = ask(life.query());
  for (const std::size_t at_once : {1U, 2U, 7U, 49U}) {
    auto query = life.query();
    query.streams_max = at_once;
    EXPECT_EQ(ask(query).text, whole.text) << at_once;
  }
}

TEST(Replay, FindsEachWrongMemoryOfASnapshot) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    lived life(seed, 300);
    life.snapshot(200);
    const auto right = life.kept;
    auto pickable = right; // that a blank one is lacking is no fault
    std::erase_if(pickable, [](const auto& each) { return each.second.held == core::memory{}; });
    for (const char* wrong : {"changed", "lacking", "covers less"}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + wrong);
      const auto& whose =
        std::next(pickable.begin(), static_cast<std::ptrdiff_t>(life.random.pick(pickable.size())))->first;
      const auto key = stream_key(whose);
      life.journal.write([&](lmdb::transaction& to) {
        auto value = right.at(whose);
        value.held.generation += 1;
        if (std::string_view{wrong} == "covers less")
          value = {right.at(whose).covers - 1, right.at(whose).slice, right.at(whose).held};
        std::string bytes;
        encode_memory(value, bytes);
        made_journal::put(to, layout::snapshots[0], key, bytes);
        lmdb::database kept = 0;
        lmdb::cursor at;
        if (std::string_view{wrong} == "lacking") {
          ASSERT_FALSE(to.open(layout::snapshots[0], kept));
          ASSERT_FALSE(at.open(to, kept));
          ASSERT_TRUE(at.seek(key));
          ASSERT_FALSE(at.erase());
        }
      });
      for (const std::size_t at_once : {200'000U, 5U}) {
        auto query = life.query();
        query.streams_max = at_once;
        const auto got = ask(query);
        EXPECT_EQ(got.end.how, reading_end::kind::differs);
        EXPECT_EQ(got.count("disagreements"), 1U) << got.text;
        EXPECT_TRUE(got.says(R"("member":")" + whose.member + R"(","uid":")" + whose.slice_uid + '"')) << got.text;
      }
      life.snapshot(200);
    }
  }
}

TEST(Replay, TellsFieldByField) {
  core::memory is;
  is.name = "a";
  is.names_chosen = 3;
  core::memory should_be;
  should_be.apply_owed = true;
  EXPECT_EQ(differences(is, should_be),
            (std::vector<std::string>{"name: a, not nothing", "names_chosen: 3, not 0", "apply_owed: no, not yes"}));
  EXPECT_TRUE(differences(is, is).empty());
  random_records random{20261130};
  for (int nth = 0; nth < 500; ++nth) {
    const auto left = random.memory();
    const auto right = random.memory();
    EXPECT_EQ(differences(left, right).empty(), left == right);
  }
}

TEST(Replay, FindsWhatIsDamagedOrMissing) {
  lived life(3, 300);
  life.snapshot(100);
  life.journal.write([&](lmdb::transaction& to) {
    made_journal::put_record(to, 301, "garbage");
    made_journal::put_record(to, 305, "more garbage");
    made_journal::put(to, layout::snapshots[0], stream_key({"m3", "u"}), "a third");
  });
  for (const std::size_t at_once : {200'000U, 4U}) {
    auto query = life.query();
    query.streams_max = at_once;
    const auto got = ask(query);
    EXPECT_EQ(got.end.how, reading_end::kind::differs);
    EXPECT_EQ(got.count("faults"), 4U) << got.text;
    EXPECT_TRUE(got.says("record 301 is damaged"));
    EXPECT_TRUE(got.says("records 302 to 304 are missing"));
    EXPECT_TRUE(got.says("the snapshot's memory of member m3, uid u is damaged"));
  }
}

TEST(Replay, KeepsToOneMember) {
  lived life(4, 300);
  life.snapshot(150);
  auto all = life.query();
  auto one = all;
  one.member = "m1";
  auto other = all;
  other.member = "m2";
  EXPECT_GT(ask(one).count("streams"), 0U);
  EXPECT_EQ(ask(one).count("streams") + ask(other).count("streams"), ask(all).count("streams"));
}

TEST(Replay, ComparesWithTheRunningProgram) {
  lived life(5, 300);
  life.snapshot(150);
  memory_digests running;
  for (const auto& [whose, kept] : life.memories(300))
    running[whose] = digest_of(kept.held);
  auto query = life.query();
  query.running = &running;
  query.streams_max = 6;
  auto got = ask(query);
  EXPECT_TRUE(got.agrees()) << got.text;
  EXPECT_EQ(got.count("compared_running"), running.size());
  const stream_id changed = running.begin()->first;
  const stream_id lost = std::next(running.begin())->first;
  *running[changed] += 1;
  running.erase(lost);
  running[{"m1", "new"}] = 5;
  got = ask(query);
  EXPECT_EQ(got.end.how, reading_end::kind::differs);
  EXPECT_EQ(got.count("differing_running"), 3U);
  for (const auto& uid : {changed.slice_uid, lost.slice_uid, std::string{"new"}})
    EXPECT_TRUE(got.says("\"uid\":\"" + uid + '"')) << uid;
  for (const auto& moving : {changed, lost, stream_id{"m1", "new"}})
    running[moving].reset();
  got = ask(query);
  EXPECT_TRUE(got.agrees()) << "of what changes just now nothing is known: " << got.text;
  running[{"m1", "new"}] = 5;
  query.member = "m2";
  EXPECT_FALSE(ask(query).says("\"new\""));
  query.member.clear();
  running = {{{"m3", "another"}, 5}};
  EXPECT_EQ(ask(query).count("differing_running"), 1U) << "members that it doesn't serve aren't compared";
}

TEST(Replay, CountsWhatADegradedProgramHasNotWritten) {
  lived life(8, 300);
  memory_digests running;
  for (unsigned i = 0; i < 700; ++i)
    running[{"m1", "new-" + std::to_string(i)}] = 5;
  auto query = life.query();
  query.member = "m1";
  query.running = &running;
  const auto expected = ask(query).count("differing_running");
  ASSERT_GE(expected, 700U);
  query.degraded = degradation{"2026-11-30T12:00:00.000Z", "the disk is full"};
  auto got = ask(query);
  EXPECT_TRUE(got.agrees()) << got.text;
  EXPECT_EQ(got.count("differing_running"), 0U);
  EXPECT_EQ(got.count("unwritten_running"), expected);
  EXPECT_EQ(std::count(got.text.begin(), got.text.end(), '\n'), 1) << "none is listed";
  EXPECT_TRUE(got.says(R"("degraded_since":"2026-11-30T12:00:00.000Z","degraded_why":"the disk is full")"));
  query.json = false;
  got = ask(query);
  EXPECT_TRUE(got.says("degraded since 2026-11-30T12:00:00.000Z: the disk is full; " + std::to_string(expected)));
  EXPECT_TRUE(got.says("all else agrees"));
  life.journal.write([](lmdb::transaction& to) { made_journal::put_record(to, 301, "garbage"); });
  EXPECT_EQ(ask(query).end.how, reading_end::kind::differs) << "the disk's state excuses no damage";
}

TEST(Replay, KnowsItsMembers) {
  lived life(9, 100);
  auto query = life.query();
  query.member = "nope";
  const auto got = ask(query);
  EXPECT_EQ(got.end.how, reading_end::kind::misasked);
  EXPECT_EQ(got.end.note, "the journal knows no member nope; it knows m1, m2\n");
  EXPECT_EQ(got.text, "");
  const memory_digests running{{{"nope", "u"}, 5}};
  query.running = &running;
  EXPECT_EQ(ask(query).end.how, reading_end::kind::differs) << "the running program serves it";
}

TEST(Replay, SpeaksToPeople) {
  lived life(6, 300);
  life.snapshot(150);
  auto query = life.query();
  query.json = false;
  const auto got = ask(query);
  EXPECT_TRUE(got.says("300 records (1 to 300), a snapshot of "));
  EXPECT_TRUE(got.says("all agree"));
  made_journal empty;
  empty.format();
  EXPECT_TRUE(ask({.directory = empty.directory()}).says("0 records, no snapshot"));
  EXPECT_EQ(ask({.directory = empty.directory() + "/none"}).end.how, reading_end::kind::failed);
}

} // namespace
} // namespace sliceferry::journal
