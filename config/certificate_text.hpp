#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace sliceferry {

/// The PEM certificates in `text`, which holds them as they are or in base64 (as kubeconfigs and the
/// Go agent's `HUB_CERTIFICATE_AUTHORITY` do). Ends with one line break. Nothing if there are
/// no certificates; their content isn't judged.
std::optional<std::string> certificate_text(std::string_view text);

} // namespace sliceferry
