#pragma once
#include <string>

namespace sliceferry::journal {

/// Why no journal can be kept in this directory, whatever the disk does: something else lies where it or its files
/// belong, or rights are missing. Empty: nothing speaks against it; it need not be there yet. Changes nothing, and says
/// nothing of a disk that fails, is full or read-only: with such a one the program runs.
std::string unfit_directory(const std::string& directory);

} // namespace sliceferry::journal
