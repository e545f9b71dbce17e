#include "actors/journal/record_codec.hpp"

#include "actors/journal/checksum.hpp"
#include "actors/journal/memory_codec.hpp"
#include "actors/journal/sealed.hpp"
#include "actors/journal/stream_key.hpp"
#include "test/journal/random_records.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace sliceferry::journal {
namespace {

constexpr std::uint64_t seed = 20261130;

std::string encoded(const journal_record& what) {
  std::string out;
  encode_record(what, out);
  return out;
}

std::string encoded(const kept_memory& what) {
  std::string out;
  encode_memory(what, out);
  return out;
}

/// Bytes that end where their allocation ends, so that the address sanitizer sees a read beyond them.
struct exact_bytes {
  explicit exact_bytes(std::string_view from) : size(from.size()), bytes(new char[from.size()]) {
    std::copy(from.begin(), from.end(), bytes.get());
  }
  std::string_view view() const { return {bytes.get(), size}; }

  std::size_t size;
  std::unique_ptr<char[]> bytes;
};

/// The same bytes with the right checksum: what only a program could have written.
std::string sealed(std::string bytes) {
  close_seal(bytes, 0);
  return bytes;
}

TEST(Checksum, IsCastagnolis) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
  EXPECT_EQ(crc32c(""), 0U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU) << "RFC 3720, B.4";
}

TEST(RecordCodec, ReadsBackWhatItWrote) {
  random_records random{seed};
  for (std::uint64_t nth = 0; nth < 6'000; ++nth) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", record " + std::to_string(nth));
    const auto record = random.record(nth);
    const auto bytes = encoded(record);
    ASSERT_TRUE(is_intact(bytes));
    ASSERT_EQ(decode_record(record.position, bytes), record);
    const bool has_stream = !std::holds_alternative<interruption>(record.what);
    ASSERT_EQ(stream_key_in(bytes), has_stream ? stream_key(record.whose) : "");
    ASSERT_EQ(moment_in(bytes), record.at);
  }
}

TEST(RecordCodec, AppendsToWhatIsThere) {
  random_records random{seed};
  const auto first = random.record(0);
  const auto second = random.record(1);
  std::string both;
  encode_record(first, both);
  const auto size = both.size();
  encode_record(second, both);
  EXPECT_EQ(both.substr(0, size), encoded(first));
  EXPECT_EQ(both.substr(size), encoded(second));
}

TEST(RecordCodec, NoticesEachFlippedBitAndEachCut) {
  random_records random{seed};
  for (std::uint64_t nth = 0; nth < 45; ++nth) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", record " + std::to_string(nth));
    const auto whole = encoded(random.record(nth));
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
      exact_bytes bytes{whole};
      bytes.bytes[bit / 8] = static_cast<char>(bytes.bytes[bit / 8] ^ (1 << (bit % 8)));
      ASSERT_FALSE(is_intact(bytes.view())) << bit;
      ASSERT_FALSE(decode_record(1, bytes.view())) << bit;
      ASSERT_EQ(flaw_of_record(bytes.view()), flaw::damaged) << bit;
      stream_key_in(bytes.view());
      moment_in(bytes.view());
    }
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const exact_bytes bytes{std::string_view{whole}.substr(0, size)};
      ASSERT_FALSE(decode_record(1, bytes.view())) << size;
      ASSERT_EQ(flaw_of_record(bytes.view()), flaw::damaged) << size;
      stream_key_in(bytes.view());
      moment_in(bytes.view());
    }
    ASSERT_FALSE(decode_record(1, whole + '\0'));
  }
}

// A checksum may be right by chance, or a buggy program may have set it: nothing may be read beyond the end even so.
TEST(RecordCodec, SurvivesAnyBytesUnderARightChecksum) {
  random_records random{seed};
  for (std::uint64_t nth = 0; nth < 20'000; ++nth) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", record " + std::to_string(nth));
    auto bytes = encoded(random.record(nth));
    for (auto changes = random.pick(3); changes > 0; --changes)
      bytes[4 + random.pick(bytes.size() - 4)] = static_cast<char>(random.pick(256));
    bytes.resize(5 + random.pick(bytes.size() - 4));
    const exact_bytes strange{sealed(bytes)};
    if (const auto record = decode_record(1, strange.view())) {
      ASSERT_EQ(decode_record(1, encoded(*record)), record);
    }
    stream_key_in(strange.view());
    moment_in(strange.view());
  }
}

TEST(RecordCodec, TellsWhatIsNewerFromWhatIsDamaged) {
  struct row {
    const char* name;
    std::size_t at;
    char value;
    std::string whole;
    flaw why;
  };
  random_records random{seed};
  const journal_record begun{1, {}, {"m", "u"}, {"n", "s"}, event{withdrawal_begun{"a", "b", proof::leaving}}};
  const auto withdrawal = encoded(begun);
  const row table[] = {
    {"a later version", 4, 2, withdrawal, flaw::newer},
    {"a version that never was", 4, 0, withdrawal, flaw::damaged},
    {"a kind of later", 5, 14, withdrawal, flaw::newer},
    {"a proof of later", withdrawal.size() - 1, 6, withdrawal, flaw::newer},
    {"a key longer than the record", 7, 1, withdrawal, flaw::damaged},
    {"an interruption with a stream", 5, 65, withdrawal, flaw::damaged},
  };
  for (const auto& [name, at, value, whole, why] : table) {
    SCOPED_TRACE(name);
    auto bytes = whole;
    bytes[at] = value;
    EXPECT_EQ(flaw_of_record(bytes), flaw::damaged) << "as long as the checksum is wrong";
    bytes = sealed(bytes);
    EXPECT_FALSE(decode_record(1, bytes));
    EXPECT_EQ(flaw_of_record(bytes), why);
  }
}

TEST(RecordCodec, KeepsAStreamWhoseKeyIsHashed) {
  const journal_record record{7, {}, {"member-1", std::string(600, 'u')}, {"n", "s"}, event{slice_gone{}}};
  EXPECT_EQ(decode_record(7, encoded(record)), record);
}

TEST(MemoryCodec, ReadsBackWhatItWrote) {
  random_records random{seed};
  for (int nth = 0; nth < 3'000; ++nth) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", memory " + std::to_string(nth));
    const auto kept = random.kept();
    ASSERT_EQ(decode_memory(encoded(kept)), kept);
  }
}

TEST(MemoryCodec, NoticesEachFlippedBitAndEachCut) {
  random_records random{seed};
  for (int nth = 0; nth < 30; ++nth) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", memory " + std::to_string(nth));
    const auto whole = encoded(random.kept());
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
      exact_bytes bytes{whole};
      bytes.bytes[bit / 8] = static_cast<char>(bytes.bytes[bit / 8] ^ (1 << (bit % 8)));
      ASSERT_FALSE(decode_memory(bytes.view())) << bit;
      ASSERT_EQ(flaw_of_memory(bytes.view()), flaw::damaged) << bit;
    }
    for (std::size_t size = 0; size < whole.size(); ++size)
      ASSERT_FALSE(decode_memory(exact_bytes{std::string_view{whole}.substr(0, size)}.view())) << size;
    ASSERT_FALSE(decode_memory(whole + '\0'));
  }
}

TEST(MemoryCodec, SurvivesAnyBytesUnderARightChecksum) {
  random_records random{seed};
  for (std::uint64_t nth = 0; nth < 20'000; ++nth) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", memory " + std::to_string(nth));
    auto bytes = encoded(random.kept());
    for (auto changes = random.pick(3); changes > 0; --changes)
      bytes[4 + random.pick(bytes.size() - 4)] = static_cast<char>(random.pick(256));
    bytes.resize(5 + random.pick(bytes.size() - 4));
    const exact_bytes strange{sealed(bytes)};
    if (const auto kept = decode_memory(strange.view())) {
      ASSERT_EQ(decode_memory(encoded(*kept)), kept);
    }
  }
}

TEST(MemoryCodec, TellsWhatIsNewerFromWhatIsDamaged) {
  auto bytes = encoded(kept_memory{1, {"n", "s"}, {}, {}});
  EXPECT_EQ(flaw_of_memory("short"), flaw::damaged);
  bytes[4] = 2;
  EXPECT_EQ(flaw_of_memory(sealed(bytes)), flaw::damaged) << "without the stream that it must have";
  bytes[4] = 3;
  EXPECT_EQ(flaw_of_memory(bytes), flaw::damaged);
  EXPECT_EQ(flaw_of_memory(sealed(bytes)), flaw::newer);
}

TEST(MemoryCodec, KeepsASettledMemorySmall) {
  core::memory held;
  held.name = std::string(75, 'n');
  held.generation = 12;
  held.since = seconds_utc{std::chrono::seconds{1'796'000'000}};
  held.hub_uids = {"0f3c9a52-7a0e-4c57-9a55-3f1f0c1f6f01"};
  held.digest = held.accepted = 0xfedcba9876543210U;
  held.names_chosen = 1;
  const kept_memory kept{5'000'000, {"shop", "web-7kq2p"}, held, {}};
  EXPECT_LE(encoded(kept).size() - (kept.slice.nspace.size() + kept.slice.name.size() + 2), 122U);
}

TEST(MemoryCodec, DigestsDifferWhereMemoriesDo) {
  random_records random{seed};
  for (int nth = 0; nth < 500; ++nth) {
    auto held = random.memory();
    const auto before = digest_of(held);
    EXPECT_EQ(digest_of(core::memory{held}), before);
    held.over = !held.over;
    EXPECT_NE(digest_of(held), before);
  }
}

} // namespace
} // namespace sliceferry::journal
