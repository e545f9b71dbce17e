#pragma once

namespace sliceferry::core {

/// The three collections from which a member's table is joined.
enum class mirrored { slices, consents, exports };

} // namespace sliceferry::core
