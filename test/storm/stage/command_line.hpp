#pragma once
#include "test/storm/stage/run_options.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sliceferry::storm {

struct serve_command {
  std::vector<std::string> members;
  std::uint64_t seed = 1;
  std::string history = "-"; ///< a path, the number of an open descriptor, or `-` for the standard output
  std::string ready_file;
  bool hub_controller = true;
};

/// What was asked for on the command line, complete and valid; or a text to print and the exit code.
struct command_line {
  enum class kind { serve, run, list, text };

  kind is = kind::text;
  serve_command serve;
  run_options run;
  std::string text;
  int exit_code = 0;
};

command_line read_command_line(int count, const char* const* arguments);

} // namespace sliceferry::storm
