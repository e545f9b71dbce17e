#pragma once
#include <cstdint>
#include <string_view>

namespace sliceferry::k8s {

/// Why a reflector's GET ended and another one follows; the label of the metric of watch restarts.
enum class restart_reason : std::uint8_t {
  none,            ///< a page or a list was complete: nothing restarts
  clean_end,       ///< the server ended the watch as asked; it is resumed at once
  idle,            ///< no sign of life within the deadline: listed again
  expired,         ///< 410 in either form: listed again
  error,           ///< refused, broken or unreadable
  short_watches,   ///< several watches ended at once: waits, and lists again if they told nothing
  restored_backup, ///< the server's resourceVersion fell below ours: listed again
  asked,           ///< the owner asked for a consistent list
  new_credentials, ///< certificate files were replaced: the watch is resumed under the new ones
};

std::string_view to_string(restart_reason why);

} // namespace sliceferry::k8s
