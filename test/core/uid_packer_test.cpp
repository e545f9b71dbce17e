#include "actors/core/uid_packer.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace sliceferry::core {
namespace {

TEST(UidPacker, GivesBackWhateverTheUidIs) {
  uid_packer uids;
  const std::string table[] = {
    "5f0c6a1e-9b7d-4c3e-8a2f-001122334455", "5F0C6A1E-9B7D-4C3E-8A2F-001122334455", "slice-1", "",
    "00000000-0000-0000-0000-000000000000",
    "00000000-0000-0000-0100-000000000000", // the bytes of the first number, on a machine that counts so
    "00000000-0000-0000-0000-000000000001",
  };
  std::set<packed_uuid> all;
  for (const auto& uid : table)
    all.insert(uids.pack(uid));
  EXPECT_EQ(all.size(), std::size(table)) << "no two are taken for one";
  for (const auto& uid : table) {
    SCOPED_TRACE(uid);
    EXPECT_EQ(uids.pack(uid), uids.find(uid)) << "the second time as the first";
    EXPECT_EQ(uids.spell(uids.pack(uid)), uid);
  }
}

TEST(UidPacker, ForgetsWhatIsNoUuid) {
  uid_packer uids;
  const auto odd = uids.pack("slice-1");
  uids.forget(odd);
  EXPECT_EQ(uids.find("slice-1"), std::nullopt);
  EXPECT_NE(uids.pack("slice-2"), odd) << "a number means one UID only";
  EXPECT_NE(uids.find("5f0c6a1e-9b7d-4c3e-8a2f-001122334455"), std::nullopt) << "these needn't be known";
}

} // namespace
} // namespace sliceferry::core
