#pragma once
#include <string>

namespace sliceferry::journal {

class journal_reader;

/// Whether a question about a member makes sense to a journal.
struct member_judgement {
  std::string unknown; ///< a line for people: no stream is of this member, and of which the streams are; else empty
  std::string wrong;   ///< the journal can't be read
};

/// Reads keys until one is of this member, and all if none is.
member_judgement judge_member(journal_reader& from, const std::string& member);

} // namespace sliceferry::journal
