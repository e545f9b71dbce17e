#pragma once
#include "actors/journal/lmdb_environment.hpp"

#include <cstdint>
#include <string>

namespace sliceferry::journal {

/// Why a call on the journal's file failed, so that an operator knows what to mend. `bytes`: that waited to be written.
///
/// LMDB doesn't say which of its two files it may not open. And where a disk takes only a part of a write, as a full
/// one does, it speaks of a broken one (EIO): whether there is room is asked of the disk itself.
std::string words_of_trouble(const lmdb::failure& why, const std::string& journal_file, std::uint64_t bytes);

} // namespace sliceferry::journal
