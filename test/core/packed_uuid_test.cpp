#include "actors/core/packed_uuid.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sliceferry::core {
namespace {

TEST(PackedUuid, ComesBackAsItWas) {
  for (const std::string text : {"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
                                 "01234567-89ab-cdef-0123-456789abcdef"}) {
    const auto packed = pack_uuid(text);
    ASSERT_TRUE(packed) << text;
    EXPECT_EQ(spell(*packed), text);
  }
}

TEST(PackedUuid, TakesNothingThatItWouldSpellOtherwise) {
  for (const std::string text : {"", "uid-1", "01234567-89AB-cdef-0123-456789abcdef",
                                 "0123456789abcdef0123456789abcdef", "01234567-89ab-cdef-0123-456789abcdeg",
                                 "01234567-89ab-cdef-0123-456789abcde", "0123456-789ab-cdef-0123-456789abcdef"})
    EXPECT_FALSE(pack_uuid(text)) << text;
}

} // namespace
} // namespace sliceferry::core
