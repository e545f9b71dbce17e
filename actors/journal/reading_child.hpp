#pragma once
#include "actors/journal/reading_end.hpp"

#include <functional>
#include <string>

namespace sliceferry::journal {

/// Answers in a child process, from which text and end come back. LMDB trusts each page of its file, so a file that
/// was damaged or is cut short meanwhile may end whoever reads it by a signal: then that is the end's note, about
/// `directory`. What `work` changes besides is lost with the child.
reading_end read_in_child(const std::string& directory, const std::function<reading_end(const text_sink&)>& work,
                          const text_sink& sink);

} // namespace sliceferry::journal
