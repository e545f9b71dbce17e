#include "actors/journal/memory_codec.hpp"
#include "actors/journal/record_codec.hpp"
#include "actors/journal/stream_key.hpp"
#include "messages/rfc3339.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

/// What each released version wrote is read for ever. test/data/journal/vN/ holds its bytes; nothing there is ever
/// changed, only added to: a file holds blocks of three lines, a name, what is meant, and the bytes in hexadecimal.

namespace sliceferry::journal {
namespace {

struct block {
  std::string meaning;
  std::string hex;
};

std::map<std::string, block> golden(const std::string& file) {
  std::ifstream in{std::string{SLICEFERRY_SOURCE_DIR} + "/test/data/journal/" + file};
  std::map<std::string, block> out;
  std::string name;
  block next;
  while (std::getline(in, name) && std::getline(in, next.meaning) && std::getline(in, next.hex))
    out[name] = next;
  return out;
}

std::string hex(std::string_view bytes) {
  std::string out;
  for (const char each : bytes)
    for (const int shift : {4, 0})
      out += "0123456789abcdef"[(static_cast<unsigned char>(each) >> shift) & 0xf];
  return out;
}

std::string unhex(std::string_view digits) {
  std::string out;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    out += static_cast<char>(std::stoi(std::string{digits.substr(i, 2)}, nullptr, 16));
  return out;
}

// The texts of the files are made by no function of the program: those may be worded anew.

std::string words(const std::vector<std::string>& all) {
  std::string out = "[";
  for (const auto& each : all)
    out += (out.size() > 1 ? " " : "") + each;
  return out + ']';
}

std::string meaning_of(const core::memory& held) {
  std::string out = "memory name=" + held.name + " generation=" + std::to_string(held.generation) +
                    " since=" + format_rfc3339(held.since) + " hub_uids=" + words(held.hub_uids) +
                    " digest=" + std::to_string(held.digest) + " accepted=" + std::to_string(held.accepted) +
                    " names_chosen=" + std::to_string(held.names_chosen) +
                    " annotated_in_row=" + std::to_string(held.annotated_in_row);
  for (const auto& [is, text] : {std::pair{held.name_pending, " name_pending"},
                                 {held.annotate_owed, " annotate_owed"},
                                 {held.annotate_refused, " annotate_refused"},
                                 {held.apply_owed, " apply_owed"},
                                 {held.over, " over"}})
    out += is ? text : "";
  for (const auto& each : held.withdrawals)
    out += " withdrawal(" + each.name + ' ' + each.hub_uid + ' ' + std::string{to_string(each.why)} +
           (each.done ? " done)" : " to do)");
  return out;
}

std::string meaning_of(moment at) {
  return std::to_string(at.time_since_epoch().count()) + " ms";
}

struct teller {
  std::string operator()(const adopted& x) {
    return "adopted name=" + x.name + " generation=" + std::to_string(x.generation) +
           " since=" + format_rfc3339(x.since) + " hub_uids=" + words(x.hub_uids) +
           " digest=" + std::to_string(x.digest);
  }
  std::string operator()(const generation_seen& x) {
    return "generation_seen generation=" + std::to_string(x.generation) + " since=" + format_rfc3339(x.since);
  }
  std::string operator()(const name_chosen& x) { return "name_chosen name=" + x.name; }
  std::string operator()(const annotated& x) { return "annotated generation=" + std::to_string(x.generation); }
  std::string operator()(const export_applied& x) {
    return "export_applied name=" + x.name + " hub_uid=" + x.hub_uid + " digest=" + std::to_string(x.digest) +
           " accepted=" + std::to_string(x.accepted);
  }
  std::string operator()(const withdrawal_begun& x) {
    return "withdrawal_begun name=" + x.name + " hub_uid=" + x.hub_uid + " why=" + std::string{to_string(x.why)};
  }
  std::string operator()(const withdrawal_cancelled&) { return "withdrawal_cancelled"; }
  std::string operator()(const export_withdrawn& x) { return "export_withdrawn hub_uid=" + x.hub_uid; }
  std::string operator()(const annotations_cleared&) { return "annotations_cleared"; }
  std::string operator()(const refused& x) { return "refused command=" + x.command + " reason=" + x.reason; }
  std::string operator()(const drift_repaired& x) { return "drift_repaired what=" + x.what; }
  std::string operator()(const contradiction& x) { return "contradiction what=" + x.what; }
  std::string operator()(const slice_gone&) { return "slice_gone"; }
  std::string operator()(const event& told) { return std::visit(*this, told); }
  std::string operator()(const remembered& whole) { return "remembered " + meaning_of(whole.held); }
  std::string operator()(const interruption& x) { return "interruption from=" + meaning_of(x.from) + " why=" + x.why; }
};

std::string meaning_of(const journal_record& what) {
  return "at " + meaning_of(what.at) + ", stream " + what.whose.member + '/' + what.whose.slice_uid + ", slice " +
         to_string(what.slice) + ": " + std::visit(teller{}, what.what);
}

std::string meaning_of(const kept_memory& what) {
  return "covers " + std::to_string(what.covers) + ", slice " + to_string(what.slice) + ": " + meaning_of(what.held);
}

const std::string slice_uid = "0f3c9a52-7a0e-4c57-9a55-3f1f0c1f6f01";
const std::string hub_uid = "b7d1e6a0-1c2d-4e3f-8a4b-5c6d7e8f9a0b";
constexpr moment at{std::chrono::milliseconds{1'796'040'309'123}};
constexpr seconds_utc since{std::chrono::seconds{1'796'040'000}};

core::memory full_memory() {
  core::memory held;
  held.name = "member-1-shop-web-7kq2p-a1b2c3d";
  held.generation = 300;
  held.since = since;
  held.hub_uids = {hub_uid, "no uuid"};
  held.digest = 0x0123456789abcdefU;
  held.accepted = 0xfedcba9876543210U;
  held.withdrawals = {{"old", "not-a-uuid-either", proof::superseded, true}, {"older", hub_uid, proof::leaving, false}};
  held.names_chosen = 200;
  held.annotated_in_row = 2;
  held.name_pending = held.annotate_owed = held.annotate_refused = held.apply_owed = held.over = true;
  return held;
}

core::memory settled_memory() {
  core::memory held;
  held.name = "member-1-shop-web-7kq2p-a1b2c3d";
  held.generation = 3;
  held.since = since;
  held.hub_uids = {hub_uid};
  held.digest = held.accepted = 42;
  held.names_chosen = 1;
  return held;
}

std::map<std::string, journal_record> records() {
  const auto record = [](decltype(journal_record::what) what) {
    return journal_record{1, at, {"member-1", slice_uid}, {"shop", "web-7kq2p"}, std::move(what)};
  };
  std::map<std::string, journal_record> out;
  out["adopted"] = record(event{adopted{"n", 5, since, {hub_uid, "no uuid"}, 0x8000000000000001U}});
  out["generation seen"] = record(event{generation_seen{-1, since}});
  out["name chosen"] = record(event{name_chosen{"member-1-shop-web-7kq2p-a1b2c3d"}});
  out["annotated"] = record(event{annotated{1'000'000}});
  out["export applied"] = record(event{export_applied{"n", hub_uid, 7, 8}});
  for (const auto why : {proof::seen, proof::superseded, proof::gone, proof::ending, proof::leftover, proof::leaving})
    out["withdrawal begun, " + std::string{to_string(why)}] = record(event{withdrawal_begun{"n", hub_uid, why}});
  out["withdrawal cancelled"] = record(event{withdrawal_cancelled{}});
  out["export withdrawn"] = record(event{export_withdrawn{hub_uid}});
  out["annotations cleared"] = record(event{annotations_cleared{}});
  out["refused"] = record(event{refused{"annotate", "denied by a webhook: \"no\""}});
  out["drift repaired"] = record(event{drift_repaired{"spec"}});
  out["contradiction"] = record(event{contradiction{"the hub shows another name"}});
  out["slice gone"] = record(event{slice_gone{}});
  out["remembered, blank"] = record(remembered{});
  out["remembered, full"] = record(remembered{full_memory()});
  out["interruption"] = {1, at, {}, {}, interruption{at - std::chrono::minutes{5}, "disk full"}};
  out["uid that is no UUID"] = record(event{slice_gone{}});
  out["uid that is no UUID"].whose.slice_uid = "legacy_17";
  out["uid that is too long"] = record(event{slice_gone{}});
  out["uid that is too long"].whose.slice_uid = std::string(520, 'u');
  return out;
}

std::map<std::string, kept_memory> memories() {
  return {{"blank", {0, {}, {}, {}}},
          {"settled", {1'234'567, {"shop", "web-7kq2p"}, settled_memory(), {}}},
          {"full", {99, {"shop", "web-7kq2p"}, full_memory(), {}}}};
}

/// Of a stream whose key is a hashed one.
kept_memory hashed_memory() {
  return {1'234'567, {"shop", "web-7kq2p"}, settled_memory(), {"member-1", std::string(520, 'u')}};
}

/// As it would stand in the file, for whoever adds a block.
std::string as_block(const std::string& name, const std::string& meaning, const std::string& bytes) {
  return name + '\n' + meaning + '\n' + hex(bytes) + '\n';
}

TEST(Golden, RecordsOfVersion1AreRead) {
  const auto kept = golden("v1/records.txt");
  ASSERT_EQ(kept.size(), records().size());
  for (const auto& [name, as] : kept) {
    SCOPED_TRACE(name);
    const auto bytes = unhex(as.hex);
    const auto read = decode_record(1, bytes);
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, records()[name]);
    EXPECT_EQ(meaning_of(*read), as.meaning);
    EXPECT_EQ(stream_key_in(bytes), read->whose == stream_id{} ? "" : stream_key(read->whose));
  }
}

TEST(Golden, RecordsAreWrittenAsVersion1) {
  ASSERT_EQ(record_version, 1) << "the current version has files of its own";
  auto kept = golden("v1/records.txt");
  for (const auto& [name, record] : records()) {
    SCOPED_TRACE(name);
    std::string bytes;
    encode_record(record, bytes);
    EXPECT_EQ(hex(bytes), kept[name].hex) << as_block(name, meaning_of(record), bytes);
  }
}

TEST(Golden, MemoriesOfVersion1AreRead) {
  const auto kept = golden("v1/memories.txt");
  ASSERT_EQ(kept.size(), memories().size());
  for (const auto& [name, as] : kept) {
    SCOPED_TRACE(name);
    const auto read = decode_memory(unhex(as.hex));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, memories()[name]);
    EXPECT_EQ(meaning_of(*read), as.meaning);
  }
}

TEST(Golden, MemoriesAreWrittenAsVersion1) {
  ASSERT_EQ(memory_version, 1) << "the current version has files of its own";
  auto kept = golden("v1/memories.txt");
  for (const auto& [name, memory] : memories()) {
    SCOPED_TRACE(name);
    std::string bytes;
    encode_memory(memory, bytes);
    EXPECT_EQ(hex(bytes), kept[name].hex) << as_block(name, meaning_of(memory), bytes);
  }
}

TEST(Golden, MemoriesOfHashedKeysAreReadAndWrittenAsVersion2) {
  ASSERT_EQ(memory_version_hashed, 2) << "the current version has files of its own";
  auto kept = golden("v2/memories.txt");
  ASSERT_EQ(kept.size(), 1U);
  const auto& as = kept["settled, of a uid that is too long"];
  std::string bytes;
  encode_memory(hashed_memory(), bytes);
  EXPECT_EQ(hex(bytes), as.hex) << as_block("settled, of a uid that is too long", meaning_of(hashed_memory()), bytes);
  const auto read = decode_memory(unhex(as.hex));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, hashed_memory());
  EXPECT_EQ(meaning_of(*read), as.meaning);
}

TEST(Golden, HasEachKindOfRecord) {
  std::set<std::size_t> events;
  std::set<std::size_t> kinds;
  for (const auto& [name, record] : records()) {
    kinds.insert(record.what.index());
    if (const auto* told = std::get_if<event>(&record.what))
      events.insert(told->index());
  }
  EXPECT_EQ(events.size(), std::variant_size_v<event>) << "a new event wants a block in the newest version's file";
  EXPECT_EQ(kinds.size(), std::variant_size_v<decltype(journal_record::what)>);
}

} // namespace
} // namespace sliceferry::journal
