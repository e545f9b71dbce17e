#pragma once
#include <string>

namespace sliceferry::journal {

/// Makes the lock file that LMDB wants beside this journal's file, if there is none: with the owner, the group and the
/// rights of the journal's file itself. Whoever asked first, the program whose journal it is can open it.
///
/// False: none can be made so here, and none is left behind. Then the file has to be read without.
bool provide_lock_file(const std::string& journal_file);

/// Which of a journal's two files it is that this process may not open, for reading alone or for writing too; the
/// journal's file if neither.
std::string file_in_the_way(const std::string& journal_file, bool read_only);

} // namespace sliceferry::journal
