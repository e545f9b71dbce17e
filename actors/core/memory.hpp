#pragma once
#include "messages/clock.hpp"
#include "messages/command.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::core {

/// A delete of one export: decided, and perhaps done.
struct withdrawal {
  std::string name;
  std::string hub_uid;
  proof why = proof::seen;
  bool done = false; ///< sent, or the object was seen terminating or gone

  bool operator==(const withdrawal&) const = default;
};

/// What the events of one slice have told, folded. Replaying a journal yields exactly this value.
///
/// It decides only what the clusters can't show: what is owed is judged from `inputs`. Losing it costs warmth,
/// never correctness.
struct memory {
  std::string name;                    ///< the export's name; empty: none chosen or adopted
  std::int64_t generation = 0;         ///< of the slice, last seen
  seconds_utc since{};                 ///< when that generation was seen first
  std::vector<std::string> hub_uids;   ///< exports created or adopted and not withdrawn, oldest first; bounded
  std::uint64_t digest = 0;            ///< of the content that the hub last acknowledged; 0: none yet
  std::uint64_t accepted = 0;          ///< of what the hub stored for it (differs after pruning or a webhook)
  std::vector<withdrawal> withdrawals; ///< at most one not done; the done ones are kept until the next apply or clear
  std::uint32_t names_chosen = 0;      ///< in this stream; an input of the next name
  std::uint32_t annotated_in_row = 0;  ///< annotates since the hub last acknowledged an apply
  bool name_pending = false;           ///< the member has not acknowledged `name` yet
  bool annotate_owed = false;          ///< the member has not acknowledged `generation` and `since` yet
  bool annotate_refused = false;       ///< the member's server refuses the annotate that is owed
  bool apply_owed = false;             ///< an acknowledged annotate was not followed by an apply yet
  bool over = false;                   ///< the slice is gone and none of its exports is left

  bool operator==(const memory&) const = default;
};

/// The withdrawal that is decided and not done, or null.
const withdrawal* under_way(const memory& held);

/// True if this stream made or adopted the export with this hub UID, and didn't withdraw it.
bool created(const memory& held, std::string_view hub_uid);

/// True when the stream is over: the slice is gone and no export of it is left.
inline bool ended(const memory& held) {
  return held.over;
}

/// For logs and test failures.
std::string to_string(const memory& held);

} // namespace sliceferry::core
