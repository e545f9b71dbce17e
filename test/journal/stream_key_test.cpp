#include "actors/journal/stream_key.hpp"

#include "test/journal/random_records.hpp"

#include <gtest/gtest.h>

#include <map>

namespace sliceferry::journal {
namespace {

const std::string uuid = "0f3c9a52-7a0e-4c57-9a55-3f1f0c1f6f01";

TEST(StreamKey, GivesTheStreamBack) {
  const stream_id table[] = {
    {"member-1", uuid},
    {"", uuid},
    {"member-1", ""},
    {"member-1", "not-a-uuid"},
    {"member-1", "0F3C9A52-7A0E-4C57-9A55-3F1F0C1F6F01"},
    {"member-1", std::string("\0a\0", 3)},
    {std::string(63, 'm'), std::string(400, 'u')},
  };
  for (const auto& whose : table) {
    SCOPED_TRACE(whose.member + '/' + whose.slice_uid);
    EXPECT_EQ(stream_of(stream_key(whose)), whose);
  }
  EXPECT_EQ(stream_key(table[0]).size(), 8U + 8 + 2 + 16) << "a UUID is packed";
}

TEST(StreamKey, HashesWhatIsTooLong) {
  const stream_id fits{"m", std::string(500, 'u')};
  EXPECT_EQ(stream_key(fits).size(), stream_key_bytes_max);
  EXPECT_EQ(stream_of(stream_key(fits)), fits);
  for (const stream_id& whose : {stream_id{"m", std::string(501, 'u')}, stream_id{std::string(600, 'm'), uuid},
                                 stream_id{std::string("m\0m", 3), uuid}}) {
    const auto key = stream_key(whose);
    EXPECT_LE(key.size(), stream_key_bytes_max);
    EXPECT_TRUE(is_hashed_key(key));
    EXPECT_FALSE(stream_of(key)) << "nothing is made up";
  }
  EXPECT_NE(stream_key({"m", std::string(501, 'u')}), stream_key({"m", std::string(502, 'u')}));
  EXPECT_FALSE(is_hashed_key(stream_key(fits)));
}

TEST(StreamKey, DiffersWhereStreamsDo) {
  random_records random{20261130};
  std::map<std::string, stream_id> seen;
  for (int nth = 0; nth < 20'000; ++nth) {
    const auto whose = random.stream();
    const auto key = stream_key(whose);
    ASSERT_LE(key.size(), stream_key_bytes_max);
    const auto [at, fresh] = seen.emplace(key, whose);
    ASSERT_EQ(at->second, whose);
    if (!is_hashed_key(key)) {
      ASSERT_EQ(stream_of(key), whose);
    }
  }
  EXPECT_NE(stream_key({"a", "bc"}), stream_key({"ab", "c"}));
}

TEST(StreamKey, IsNotFoundInOtherBytes) {
  const auto key = stream_key({"member-1", uuid});
  for (std::size_t size = 0; size < key.size(); ++size)
    EXPECT_FALSE(stream_of(std::string_view{key}.substr(0, size))) << size;
  for (std::size_t bit = 0; bit < 8 * key.size(); ++bit) {
    auto bytes = key;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(stream_of(bytes)) << bit;
  }
}

} // namespace
} // namespace sliceferry::journal
