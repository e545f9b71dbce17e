#include "config/setting_error.hpp"

namespace sliceferry {

std::string to_string(const setting_error& error) {
  std::string line = error.where + ": " + error.what + (error.advice.empty() ? "" : "; " + error.advice);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = ' '; // What was quoted from a file must not break the line.
  }
  return line;
}

} // namespace sliceferry
