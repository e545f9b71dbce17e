#pragma once
#include "messages/consent.hpp"
#include "messages/service_export.hpp"

namespace sliceferry::core {

/// What a ServiceExport says now, given what it said before (`absent` where nothing is known of it).
///
/// A deleting one never grants (C17). To grant, Valid must be true and Conflict false; a missing
/// or unknown one is no verdict for the export (C16). A condition that judged an older generation
/// leaves the consent as it was, or pending where there was none (D30); one that doesn't say what
/// it judged counts as current. One that nobody has judged since it came is pending, too: restored after its kind was
/// removed, it would else take away what the guard held, until its controller comes by.
consent judge(consent before, const service_export& seen);

} // namespace sliceferry::core
