#pragma once
#include <string>
#include <vector>

namespace sliceferry {

/// One thing that a person has to put right. `where` is `file:line:column`, a flag, or `$VARIABLE`;
/// no part of it ever holds a header's value or a token.
struct setting_error {
  std::string where;
  std::string what;
  std::string advice;

  bool operator==(const setting_error&) const = default;
};

using setting_errors = std::vector<setting_error>;

/// One line: `where: what; advice`.
std::string to_string(const setting_error& error);

} // namespace sliceferry
