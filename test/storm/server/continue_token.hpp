#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace sliceferry::storm {

/// Where a list's next page begins: after the object, in the state of the version.
struct continue_token {
  std::uint64_t version = 0;
  std::string nspace; ///< of the last object shown
  std::string name;
  std::size_t shown = 0; ///< so far, so that what is left needn't be counted
};

std::string encode(const continue_token& token);

struct continue_reading {
  continue_token token;
  std::string problem; ///< empty: the token is good
};
continue_reading decode_continue(std::string_view text);

} // namespace sliceferry::storm
