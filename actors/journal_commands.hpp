#pragma once
#include "actors/journal/reading_end.hpp"
#include "config/question.hpp"

#include <chrono>
#include <string>

namespace sliceferry {

// Questions to the journal in a data directory, whether or not a program writes it meanwhile.

journal::reading_end show_history(const std::string& data_dir, const question& asked, const journal::text_sink& sink);

/// `listen`: where the program that writes this journal may be found, to compare with what it remembers. The note says
/// if it can't be compared; `patience`: how long the program may take for each answer.
journal::reading_end show_replay(const std::string& data_dir, const question& asked, const std::string& listen,
                                 const journal::text_sink& sink,
                                 std::chrono::milliseconds patience = std::chrono::seconds{5});

} // namespace sliceferry
