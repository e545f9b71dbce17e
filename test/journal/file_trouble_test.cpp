#include "actors/journal/file_trouble.hpp"
#include "test/journal/disk_faults.hpp"
#include "test/journal/journal_place.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace sliceferry::journal {
namespace {

using state = core::journal_state;

struct FileTrouble : testing::Test {
  temporary_directory place;
  moved_clock clock;

  void TearDown() override { disk_faults::set({}); }
};

// LMDB takes a write that a full disk cut short for a broken disk.
TEST_F(FileTrouble, IsAFullDiskOnlyWhereThereIsNoRoom) {
  told_stream stream("member-1", 1);
  journal_options how;
  how.directory = place.path();
  how.now = [this] { return clock.wall(); };
  const auto made = open_or_die(how);
  ASSERT_TRUE(wait_durable(*made, stream.tell(*made)));
  for (const int room : {ENOSPC, EDQUOT, EIO, 0}) {
    SCOPED_TRACE(room);
    disk_faults::set([=](disk_faults::call which) { return which == disk_faults::call::fallocate ? room : EIO; });
    stream.tell(*made);
    ASSERT_TRUE(wait_until([&] { return made->status().state == state::degraded; }));
    const bool is_full = room == ENOSPC || room == EDQUOT;
    EXPECT_EQ(made->status().why,
              is_full ? "cannot commit: No space left on device" : "cannot commit: Input/output error");
    disk_faults::set({});
    ASSERT_TRUE(wait_until([&] { return made->status().state == state::healthy; }));
  }
  EXPECT_EQ(place.name_with(".room-"), "") << "what was tried is gone";
}

TEST_F(FileTrouble, OtherFailuresAreWhatTheyAre) {
  disk_faults::set(disk_faults::always(ENOSPC));
  EXPECT_EQ(words_of_trouble({EINVAL, "commit"}, place.file(), 1), "cannot commit: Invalid argument");
  EXPECT_EQ(words_of_trouble({EACCES, "open the journal's file"}, place.file(), 1),
            "cannot open " + place.file() + ": Permission denied");
}

} // namespace
} // namespace sliceferry::journal
