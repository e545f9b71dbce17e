#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace sliceferry::journal {

/// Takes the text of an answer piece by piece, each of whole lines. False: nobody reads on.
using text_sink = std::function<bool(std::string_view text)>;

/// How a question to the journal ended.
struct reading_end {
  enum class kind {
    answered,
    differs,  ///< answered, and something is wrong with what was found
    failed,   ///< `note` says why
    misasked, ///< the question names what there isn't; `note` says what there is
  };
  kind how = kind::answered;
  std::string note; ///< for people, beside the answer: whole lines, or nothing
};

} // namespace sliceferry::journal
